"""The query parameters of the offer pages."""

from datetime import date, timedelta

from django import forms
from django.utils import timezone

FURTHEST = timedelta(days=730)


class OfferParams(forms.Form):
    offer = forms.UUIDField(required=False)
    size = forms.IntegerField(min_value=1, max_value=999, required=False)
    day = forms.DateField(required=False)
    start = forms.DateField(required=False)

    def clean_day(self) -> date | None:
        return within_reach(self.cleaned_data["day"])

    def clean_start(self) -> date | None:
        return within_reach(self.cleaned_data["start"])


def within_reach(day: date | None) -> date | None:
    """The day, unless it is too far ahead to book."""
    return day if day and day <= timezone.now().date() + FURTHEST else None

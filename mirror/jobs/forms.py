"""Forms of the health pages: start a backfill, retry parked requests."""

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lib.web.inputs import DayInput
from mirror import kinds
from mirror.jobs.windows import EARLIEST, LATEST
from restaurants.models import Restaurant

FARTHEST = timedelta(days=366 * 10)
DAYS = [MinValueValidator(EARLIEST), MaxValueValidator(LATEST)]


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text or "")
    except ValueError:
        return None


class BackfillForm(forms.Form):
    """A range of evenings to be read, of some or all restaurants and kinds."""

    since = forms.DateField(label=_("From"), widget=DayInput(), validators=DAYS)
    until = forms.DateField(label=_("To"), widget=DayInput(), validators=DAYS)
    kinds = forms.MultipleChoiceField(
        label=_("What"), widget=forms.CheckboxSelectMultiple, required=False
    )
    restaurants = forms.ModelMultipleChoiceField(
        label=_("Restaurants"),
        queryset=Restaurant.objects.none(),
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("None chosen means all of them."),
    )

    def __init__(self, *args: Any, restaurants: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        words = {
            "reservation": _("Reservations"),
            "customer": _("Guests"),
            "review": _("Reviews"),
        }
        self.fields["kinds"].choices = [(n, words.get(n, n)) for n in kinds.names()]  # type: ignore[attr-defined]  # a choice field
        self.fields["restaurants"].queryset = restaurants  # type: ignore[attr-defined]  # a model choice field

    @staticmethod
    def suggestion(params: Mapping[str, str]) -> dict[str, Any]:
        """The days that a link names, else a month back and two ahead."""
        today = timezone.now().date()
        return {
            "since": _day(params.get("since")) or today - timedelta(days=30),
            "until": _day(params.get("until")) or today + timedelta(days=60),
            "kinds": kinds.names(),
        }

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        # A job without a list would be done at once, and the first copy of the guide with it.
        if not self.fields["restaurants"].queryset.exists():  # type: ignore[attr-defined]  # a model choice field
            raise forms.ValidationError(_("Set up a restaurant first."))
        since, until = cleaned.get("since"), cleaned.get("until")
        if isinstance(since, date) and isinstance(until, date):
            if until < since:
                self.add_error("until", _("The range ends before it begins."))
            elif until - since > FARTHEST:
                self.add_error("until", _("At most ten years at a time."))
        return cleaned

"""Forms of online booking: the slots of a day, and open or closed."""

from datetime import date, time, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as now_
from django.utils.translation import gettext_lazy as _

from lib.web.inputs import ClockInput, DayInput

LONG = timedelta(hours=6)  # about a whole day, which has to be confirmed
A_DAY = timedelta(days=1)
FURTHEST = timedelta(days=730)


class RangeForm(forms.Form):
    """The last time is the start of the last affected slot, which is included."""

    day = forms.DateField(label=_("Day"), widget=DayInput())
    start = forms.TimeField(label=_("From"), widget=ClockInput())
    end = forms.TimeField(label=_("Last slot"), widget=ClockInput())

    def clean_day(self) -> date:
        """Yesterday may still be today in some zone; earlier days are not on sale."""
        day: date = self.cleaned_data["day"]
        today = timezone.now().date()
        if not today - A_DAY <= day <= today + FURTHEST:
            raise ValidationError(now_("Choose a day from today on, at most two years ahead."))
        return day

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "start" in data and "end" in data and data["end"] < data["start"]:
            raise ValidationError(now_("The last time is before the first."))
        return data


class SwitchForm(RangeForm):
    key = forms.UUIDField(widget=forms.HiddenInput)
    is_open = forms.TypedChoiceField(
        choices=[("yes", ""), ("no", "")], coerce=lambda word: word == "yes"
    )
    typed = forms.CharField(required=False, max_length=20)

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        if self.errors or not is_long(data["start"], data["end"]):
            return data
        if data["typed"].strip() != data["day"].isoformat():
            raise ValidationError(
                now_("This is most of a day. Type %(day)s to confirm.") % {"day": data["day"]}
            )
        return data


def is_long(start: time, end: time) -> bool:
    return _since_midnight(end) - _since_midnight(start) >= LONG


def _since_midnight(clock: time) -> timedelta:
    return timedelta(hours=clock.hour, minutes=clock.minute)

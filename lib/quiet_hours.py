"""Hours of the day in which a person wants no message. They may pass midnight."""

from datetime import date, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

ANY_DAY = date(2000, 1, 1)
DAY = timedelta(days=1)


def is_quiet(local_time: time, *, start: time | None, end: time | None) -> bool:
    if start is None or end is None or start == end:
        return False
    return start <= local_time < end if start < end else local_time >= start or local_time < end


def end_of_quiet(local_time: time, *, start: time | None, end: time | None) -> timedelta:
    """How long the quiet hours last from this time on; zero outside them."""
    if end is None or not is_quiet(local_time, start=start, end=end):
        return timedelta()
    left = datetime.combine(ANY_DAY, end) - datetime.combine(
        ANY_DAY, local_time.replace(tzinfo=None)
    )
    return left if left > timedelta() else left + DAY


class QuietHoursMixin(forms.Form):
    """Half of them is refused: whoever saved it would be woken at night."""

    def clean(self) -> dict[str, Any] | None:
        data = super().clean()
        start, end = (self.cleaned_data.get(name) for name in ("quiet_from", "quiet_until"))
        is_whole = start != end if start and end else start == end
        if not (is_whole or {"quiet_from", "quiet_until"} & self.errors.keys()):
            self.add_error("quiet_until", _("Quiet hours need a start and a different end."))
        return data

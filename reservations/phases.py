"""The phase of a booking, computed from status, arrival and the clock. Pure.

The service has two fields that skip and go back; staff need one. Board, list, tiles and drawer all
use this, so that they never disagree.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from lib.labels import readable
from lib.templatetags.ui import PHASES

DUE_WITHIN = timedelta(minutes=15)
LATE_AFTER = timedelta(minutes=15)
# An hour without a mark means that it was forgotten, not that somebody still waits.
LATE_FOR = timedelta(minutes=45)
STILL_EXPECTED = LATE_AFTER + LATE_FOR  # whoever has no mark of an arrival

# A status that ends the booking, whatever the arrival mark is.
BY_STATUS = {
    "REQUESTED": "requested",
    "REFUSED": "refused",
    "CANCELED": "cancelled",
    "NO_SHOW": "no-show",
}
BY_MEAL_STATUS = {
    "PARTIALLY_ARRIVED": "partly-here",
    "ARRIVED": "here",
    "SEATED": "seated",
    "BILL": "bill",
    "LEFT": "left",
}
UNKNOWN = "unknown"
MARKED = "marked"  # confirmed, with an unknown arrival mark
# Expected, present or left after the meal. The others take no seat.
COMING_OR_CAME = frozenset(
    {"booked", "due", "late", "unmarked", "partly-here", "here", "seated", "bill", "left", MARKED}
)
# Whose allergies, diets and rank are counted and briefed: too many rather than too few, since an
# unknown status may mean that they come. Nobody waits for a no-show or a cancelled booking.
MAY_COME = COMING_OR_CAME | {"requested", UNKNOWN}
STILL_TO_COME = frozenset({"booked", "due", "late"})
# Nobody at the entrance waits for them any more.
AT_TABLE_OR_OVER = frozenset({"seated", "bill", "left", "no-show", "cancelled", "refused"})
IN_HOUSE = frozenset({"partly-here", "here", "seated", "bill"})


class Phase(NamedTuple):
    """`key` is for classes and filters, `word` for people, `minutes` how late (or 0)."""

    key: str
    word: str
    minutes: int = 0

    @property
    def badge(self) -> str:
        """The name of the badge, or the word itself where there is none."""
        return self.key if self.key in PHASES else self.word

    @property
    def sentence(self) -> str:
        if not self.minutes:
            return self.word
        return ngettext("late %(n)s minute", "late %(n)s minutes", self.minutes) % {
            "n": self.minutes
        }

    @property
    def late_by(self) -> str:
        """How late, beside the badge that says *Late*; "" for whoever is not."""
        return _("%(n)s min") % {"n": self.minutes} if self.minutes else ""


def phase_of(
    *,
    status: str,
    meal_status: str,
    meal_at: datetime | None,
    now: datetime,
    marks_arrivals: bool,
    quiet_until: datetime | None = None,
) -> Phase:
    """The phase. A restaurant that never marks arrivals has no late guests, only bookings.

    `quiet_until`: somebody has called, and the guest is expected or called again by then.
    """
    if status in BY_STATUS:
        return _plain(BY_STATUS[status])
    if status != "RECORDED":
        return Phase(UNKNOWN, readable(status) or _("Unknown"))
    if meal_status in BY_MEAL_STATUS:
        return _plain(BY_MEAL_STATUS[meal_status])
    if meal_status:
        return Phase(MARKED, readable(meal_status))
    if meal_at is None or now < meal_at - DUE_WITHIN:
        return _plain("booked")
    late_at = max(meal_at + LATE_AFTER, quiet_until or meal_at)
    return _by_the_clock(meal_at, late_at, now=now, marks_arrivals=marks_arrivals)


def _by_the_clock(
    meal_at: datetime, late_at: datetime, *, now: datetime, marks_arrivals: bool
) -> Phase:
    if now <= late_at:
        return _plain("due")
    if not marks_arrivals:
        return _plain("booked")
    if now > late_at + LATE_FOR:
        return _plain("unmarked")
    minutes = int((now - meal_at).total_seconds() // 60)
    return _plain("late")._replace(minutes=minutes)


def _plain(key: str) -> Phase:
    return _plain_in(key, get_language())


@lru_cache(maxsize=256)
def _plain_in(key: str, _language: str | None) -> Phase:
    return Phase(key, str(PHASES[key]))

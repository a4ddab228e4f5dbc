"""The arrivals: a column for each quarter of an hour, and which of them are shown around now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from django.utils.safestring import SafeString

from reservations.day_board.pages import cards
from reservations.day_board.pages.cards import CardContext
from reservations.day_board.pages.now_lines import NowLine
from reservations.phases import AT_TABLE_OR_OVER, COMING_OR_CAME
from reservations.service_clock import SLOT, clock, slot_of
from reservations.service_day.bookings import BoardBooking

# The window around now that fits a screen at a readable width.
BEFORE, AFTER = 30, 120


@dataclass(slots=True)
class ArrivalsColumn:
    """A quarter of an hour of arrivals, the largest parties first."""

    minutes: int
    now_lines: list[NowLine] = field(default_factory=list)
    bookings: list[BoardBooking] = field(default_factory=list)
    many: bool = False

    @property
    def label(self) -> str:
        return clock(self.minutes)

    @property
    def covers(self) -> int:
        coming = (b for b in self.bookings if b.phase.key in COMING_OR_CAME)
        return sum(booking.party_size or 0 for booking in coming)

    @property
    def cards(self) -> SafeString:
        largest_first = sorted(self.bookings, key=lambda b: -(b.party_size or 0))
        return cards.draw_all(largest_first, CardContext("arrivals", self.many))


class ArrivalsWindow(NamedTuple):
    """The minutes from which and before which arrivals are shown."""

    begin: int
    end: int
    slots: set[int]


def windows_around_now(
    bookings: Sequence[BoardBooking], clocks: Mapping[int, int]
) -> dict[int, ArrivalsWindow]:
    """The window of each restaurant, by the minute its clock shows; empty when nothing is on.

    Each has its own: beside the evening of one, the lunch of another is over.
    """
    of_clock: dict[int, list[BoardBooking]] = {now: [] for now in clocks.values()}
    for booking in bookings:
        of_clock[clocks[booking.restaurant.pk]].append(booking)
    found = {now: window_around_now(theirs, now) for now, theirs in of_clock.items()}
    if not any(found.values()):
        return {}
    return {pk: found[now] or ArrivalsWindow(now, now, set()) for pk, now in clocks.items()}


def window_around_now(bookings: Sequence[BoardBooking], at: int) -> ArrivalsWindow | None:
    """The slots around now on one clock; None when nothing is on then.

    Before the guests arrive it reaches on from the first of them: an hour without guests is no
    reason to show fewer. Whoever is late is in it however long. After the last of a service came,
    it shows those who were seated, if nobody comes later. Between two services it begins with now,
    or with who is late: who has left would fill the screen of a phone.
    """
    now, near, last = slot_of(at), slot_of(at - BEFORE), slot_of(at + AFTER)
    if not _has_any(bookings, near, last):
        idle = _idle_slots(bookings, at, is_next_only=True)
        return _between_services(bookings, now, idle.stop + AFTER) if idle else None
    first = min([near, *_late_slots(bookings)])
    begin = _first_awaited(bookings, first, now)
    idle = _idle_slots(bookings, at, is_next_only=not _has_any(bookings, begin, last))
    end = max(last, idle.stop + AFTER)
    begin = begin if _has_any(bookings, begin, end) else first
    return ArrivalsWindow(begin, end, set(range(begin, end, SLOT)).difference(idle))


def _between_services(
    bookings: Sequence[BoardBooking], now: int, end: int
) -> ArrivalsWindow | None:
    """The slots that have a booking, where some are over."""
    begin = min([now, *_late_slots(bookings)])
    slots = {slot_of(one.minutes) for one in bookings if begin <= one.minutes < end}
    is_over = any(booking.minutes < begin for booking in bookings)
    return ArrivalsWindow(begin, end, slots) if is_over else None


def _late_slots(bookings: Sequence[BoardBooking]) -> list[int]:
    return [slot_of(one.minutes) for one in bookings if one.phase.key == "late"]


def _has_any(bookings: Sequence[BoardBooking], first: int, last: int) -> bool:
    return any(first <= booking.minutes < last for booking in bookings)


def _first_awaited(bookings: Sequence[BoardBooking], first: int, now: int) -> int:
    """The first slot without those before now in which nobody is awaited any more.

    On a phone a dozen seated parties filled the screen, and the next to come stood below it.
    """
    before = [one for one in bookings if first <= one.minutes < now]
    awaited = (one.minutes for one in before if one.phase.key not in AT_TABLE_OR_OVER)
    until = slot_of(min(awaited, default=now))
    settled = (slot_of(one.minutes) for one in before if one.minutes < until)
    return max(settled, default=first - SLOT) + SLOT


def _idle_slots(bookings: Sequence[BoardBooking], at: int, *, is_next_only: bool) -> range:
    """The slots between now and the next arrival, if that is near or the only one to show:
    between two services too.
    """
    now = slot_of(at)
    coming = min((slot_of(one.minutes) for one in bookings if one.minutes >= at), default=now)
    is_shown = is_next_only or coming < now + AFTER
    return range(now + SLOT, coming if is_shown else now, SLOT)

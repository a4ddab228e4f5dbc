"""The briefing of a team before the service, on the screen and on paper.

Paper does not update, so it names its time and the version of the day; the screen counts what has
changed since.
"""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime

from mirror.models import Change
from reservations.models import MovedBooking, Reservation
from reservations.phases import COMING_OR_CAME, UNKNOWN
from reservations.service_clock import clock, slot_of
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay


class BriefingLine(NamedTuple):
    """One booking of the service list."""

    booking: BoardBooking
    guest_note: str
    team_note: str

    @property
    def time(self) -> str:
        return clock(self.booking.minutes)


class Sitting(NamedTuple):
    """A quarter of an hour of the covers table."""

    time: str
    lines: list[BriefingLine]

    @property
    def covers(self) -> int:
        return sum(line.booking.party_size or 0 for line in self.lines)


class Allergen(NamedTuple):
    """A line of the allergen board: how many parties, in which quarter of an hour."""

    name: str
    cells: list[int]
    total: int


class Briefing:
    """Five queries more than the service day: full notes, present and former bookings, how
    often they have changed, and which of them since."""

    def __init__(self, evening: ServiceDay) -> None:
        self.evening = evening
        self.many = len(evening.restaurants) > 1
        self.sees_health = bool(evening.health)

    @cached_property
    def expected(self) -> list[BoardBooking]:
        # Paper shows too much rather than too little: an unknown status may mean that they come.
        keys = COMING_OR_CAME | {"requested", UNKNOWN}
        return [booking for booking in self.evening.bookings if booking.phase.key in keys]

    @cached_property
    def lines(self) -> list[BriefingLine]:
        notes = self.evening.reservations.values_list("uuid", "customer_note", "restaurant_note")
        by_uuid = {uuid: (guest, team) for uuid, guest, team in notes}
        return [BriefingLine(one, *by_uuid.get(one.uuid, ("", ""))) for one in self.expected]

    @property
    def sittings(self) -> list[Sitting]:
        lines: dict[int, list[BriefingLine]] = defaultdict(list)
        for line in self.lines:
            lines[slot_of(line.booking.minutes)].append(line)
        return [Sitting(clock(minutes), group) for minutes, group in sorted(lines.items())]

    @cached_property
    def careful(self) -> list[BriefingLine]:
        """Bookings with allergies or diets."""
        risky = {"allergy", "diet"}
        return [one for one in self.lines if risky & {name for name, _ in one.booking.marks}]

    @cached_property
    def slots(self) -> list[int]:
        return sorted({slot_of(one.booking.minutes) for one in self.careful})

    @property
    def slot_labels(self) -> list[str]:
        return [clock(minutes) for minutes in self.slots]

    @property
    def allergens(self) -> list[Allergen]:
        parties: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
        for line in self.careful:
            for tag in line.booking.allergies:
                parties[tag][slot_of(line.booking.minutes)] += 1
        return [
            Allergen(tag, [found[minutes] for minutes in self.slots], sum(found.values()))
            for tag, found in sorted(parties.items())
        ]

    @property
    def welcome(self) -> list[BriefingLine]:
        """Whom to greet: VIPs, birthdays, large parties, guests with a caution."""
        wanted = {"vip", "birthday", "caution"}
        return [
            one
            for one in self.lines
            if one.booking.is_large or wanted & {name for name, _detail in one.booking.marks}
        ]

    @property
    def version(self) -> int:
        """A version that grows with every change of the day, also of bookings that left it.

        Only the erasure of a guest makes it smaller.
        """
        return self._changes({*self._filed, *self._departed}).count() + 1

    def changes_since(self, at: datetime) -> int:
        """How many bookings changed, joined or left the service day since that moment."""
        changed = self._changes(self._filed).filter(seen_at__gt=at).values_list("uuid", flat=True)
        new = [uuid for uuid, first_seen_at in self._filed.items() if first_seen_at > at]
        left = [uuid for uuid, left_at in self._departed.items() if left_at > at]
        return len({*changed, *new, *left})

    @cached_property
    def _filed(self) -> dict[UUID, datetime]:
        """When each booking of the service day was first read, also of those gone upstream."""
        that_day = Reservation.objects.for_day(self.evening.day)
        here = that_day.for_restaurants(self.evening.restaurants)
        return dict(here.order_by().values_list("uuid", "first_seen_at"))

    @cached_property
    def _departed(self) -> dict[UUID, datetime]:
        """When each moved booking left the service day last."""
        left = MovedBooking.objects.filter(
            day=self.evening.day, restaurant__in=list(self.evening.restaurants)
        )
        return dict(left.order_by("at").values_list("uuid", "at"))

    @staticmethod
    def _changes(uuids: Iterable[UUID]) -> "QuerySet[Change]":
        return Change.objects.filter(kind="reservation", uuid__in=list(uuids))


def moment_of(text: str) -> datetime | None:
    """The instant of the address, or None for an invalid one."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo else None

"""The briefing of a team before the service, on the screen and on paper.

Paper does not update, so it names its time and the version of the day; the screen counts what has
changed since.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from mirror.models import Change
from reservations.briefing.acknowledgements import LineState, states_of
from reservations.briefing.by_allergen import AllergenRow, by_allergen
from reservations.briefing.lines import NOTES, BriefingLine, line_of
from reservations.models import MovedBooking, Reservation
from reservations.service_clock import clock, slot_of
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay
from reservations.service_day.guest_changes import RECORDED
from reservations.service_day.services import service_at, services_of
from restaurants.models import Restaurant


class Sitting(NamedTuple):
    """A quarter of an hour of the covers table."""

    minutes: int
    lines: list[BriefingLine]

    @property
    def time(self) -> str:
        return clock(self.minutes)

    @property
    def covers(self) -> int:
        return sum(line.booking.party_size or 0 for line in self.lines)


class KitchenGroup(NamedTuple):
    """Lines of the kitchen's part that somebody has still to read, or that were read."""

    key: str
    label: Promise
    lines: list[tuple[BriefingLine, LineState]]


GROUPS = {
    "changed": _("Changed since it was printed or seen"),
    "open": _("Not seen yet"),
    "seen": _("Seen by the kitchen"),
    "left": _("Left already"),
}


class Briefing:
    """Nine queries more than the service day: full notes, ticks of the kitchen, its last paper,
    present and former bookings, how often they have changed, and which of them or their guests
    since."""

    def __init__(self, evening: ServiceDay) -> None:
        self.evening = evening
        self.many = len(evening.restaurants) > 1
        self.sees_health = bool(evening.health)

    @cached_property
    def expected(self) -> list[BoardBooking]:
        return [booking for booking in self.evening.bookings if booking.may_come]

    @cached_property
    def lines(self) -> list[BriefingLine]:
        """The expected bookings with their full notes. One query."""
        rows = self.evening.reservations.with_internal_note().values_list(*NOTES, named=True)
        by_uuid = {row.uuid: row for row in rows}
        places = self.evening.restaurants
        return [
            line_of(one, by_uuid.get(one.uuid), places[one.restaurant.pk].kitchen_language)
            for one in self.expected
        ]

    @property
    def services(self) -> list[tuple[str, list[Sitting]]]:
        """The quarters of an hour of each service, lunch and dinner apart. May run one query."""
        parts: dict[str, list[Sitting]] = defaultdict(list)
        known = services_of(self.evening)
        for sitting in self.sittings:
            parts[service_at(known, sitting.minutes)].append(sitting)
        return list(parts.items())

    @property
    def sittings(self) -> list[Sitting]:
        lines: dict[int, list[BriefingLine]] = defaultdict(list)
        for line in self.lines:
            lines[slot_of(line.booking.minutes)].append(line)
        return [Sitting(minutes, group) for minutes, group in sorted(lines.items())]

    @cached_property
    def careful(self) -> list[BriefingLine]:
        """Bookings with allergies or diets, tagged or in a note."""
        return [one for one in self.lines if one.tags or one.mentions]

    @property
    def kitchens(self) -> list[tuple[Restaurant, int]]:
        """Each restaurant of several, and how many of its parties need care."""
        if not self.many:
            return []
        counts = Counter(line.booking.restaurant.pk for line in self.careful)
        return [(place, counts[pk]) for pk, place in self.evening.restaurants.items()]

    @cached_property
    def kitchen_groups(self) -> list[KitchenGroup]:
        """The careful lines: changed ones first, then unread, read, and left. Three queries."""
        states = states_of(self.evening.day, self.careful, self.evening.restaurants)
        keyed = [(line, states[line.booking.uuid]) for line in self.careful]
        groups = [
            KitchenGroup(key, label, [pair for pair in keyed if _group_of(*pair) == key])
            for key, label in GROUPS.items()
        ]
        return [group for group in groups if group.lines]

    @property
    def allergens(self) -> list[AllergenRow]:
        """Each allergen with its parties, named in the kitchen's language."""
        languages = {one.kitchen_language for one in self.evening.restaurants.values()}
        return by_allergen(self.careful, languages.pop() if len(languages) == 1 else "")

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
        """How many bookings changed, joined or left the service day since that moment, or have a
        guest who changed. Two queries more than the version."""
        changed = self._changes(self._filed).filter(seen_at__gt=at).values_list("uuid", flat=True)
        new = [uuid for uuid, row in self._filed.items() if row.first_seen_at > at]
        left = [uuid for uuid, left_at in self._departed.items() if left_at > at]
        return len({*changed, *new, *left, *self._with_changed_guests(at)})

    def _with_changed_guests(self, at: datetime) -> list[UUID]:
        """The bookings whose guest reads differently since. One query."""
        guests = {row.customer_id for row in self._filed.values()}
        changes = Change.objects.filter(kind="customer", uuid__in=guests - {None})
        shown = changes.filter(field__in=RECORDED, seen_at__gt=at)
        changed = set(shown.values_list("uuid", flat=True))
        return [uuid for uuid, row in self._filed.items() if row.customer_id in changed]

    @cached_property
    def _filed(self) -> dict[UUID, Any]:
        """When each booking of the service day was first read, and its guest, also of those gone
        upstream. One query."""
        that_day = Reservation.objects.for_day(self.evening.day)
        here = that_day.for_restaurants(self.evening.restaurants)
        rows = here.order_by().values_list("uuid", "first_seen_at", "customer_id", named=True)
        return {row.uuid: row for row in rows}

    @cached_property
    def _departed(self) -> dict[UUID, datetime]:
        """When each moved booking left the service day last. One query."""
        left = MovedBooking.objects.filter(
            day=self.evening.day, restaurant__in=list(self.evening.restaurants)
        )
        return dict(left.order_by("at").values_list("uuid", "at"))

    @staticmethod
    def _changes(uuids: Iterable[UUID]) -> "QuerySet[Change]":
        return Change.objects.filter(kind="reservation", uuid__in=list(uuids))


def _group_of(line: BriefingLine, state: LineState) -> str:
    return "left" if line.booking.phase.key == "left" else state.key


def kitchen_line(
    reservation: Reservation, *, now: datetime
) -> tuple[BriefingLine, LineState] | None:
    """The line of one booking, and what the kitchen knows of it; None without allergy or diet.

    For people who may see health data. Five queries.
    """
    place, uuid = reservation.restaurant, reservation.pk
    if reservation.service_day is None:
        return None
    evening = ServiceDay([place], reservation.service_day, now=now, health=[place.pk])
    booking = evening.booking(uuid)
    own = evening.reservations.filter(uuid=uuid).with_internal_note()
    row = own.values_list(*NOTES, named=True).first()
    if booking is None or row is None:
        return None
    line = line_of(booking, row, place.kitchen_language)
    if not (line.tags or line.mentions):
        return None
    return line, states_of(evening.day, [line], evening.restaurants)[uuid]


def moment_of(text: str) -> datetime | None:
    """The instant of the address, or None for an invalid one."""
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo else None

"""One service day of some restaurants: its numbers, its bookings and who marks arrivals.

Two queries whatever the size: the day in aggregate rows (for tiles, histogram and pulse), and the
bookings one by one (for arrivals and list). A third, small one reads who marks arrivals: boards,
drawer, worklist and insights ask here, so that none of them says the opposite of another.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date, datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db.models.utils import create_namedtuple_class
from django.utils import timezone

from customers.allergies.version import reading_number
from lib.database.compiled_queries import prepared
from mirror.health.first_reading import Missing, is_past_unread, missing_on, named
from reservations.changes.day_marks import BookingKey, changes_of_day
from reservations.host_marks.of_day import UNTOUCHED, MarkedBooking, marks_of_day
from reservations.learnt_stays.source_words import source_words
from reservations.models import AGGREGATE_FIELDS, SIZE_CLASSES, Reservation
from reservations.phases import COMING_OR_CAME, MAY_COME, Phase, phase_of
from reservations.service_clock import (
    SLOT,
    Lengths,
    StayLength,
    length_of,
    minutes_on,
    service_of,
)
from reservations.service_day import sums
from reservations.service_day.bookings import (
    COLUMNS,
    BoardBooking,
    BoardPlace,
    TrackedRow,
    as_instant,
    as_uuid,
    completed,
    measured,
    tracked_rows,
)
from reservations.service_day.noted import NotedCounts, count_noted
from reservations.service_day.sums import QuarterHour, ServiceDaySums, Tiles
from reservations.words import ChangeMark
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import Shell

HEALTH = "customers.view_health"

# A row as the database driver returns it: on SQLite uuids are text and instants have no zone.
# Converting costs more than reading, and most rows are cached as HTML, so values are converted only
# when a row is rendered.
Row: Any = create_namedtuple_class(*COLUMNS)
DayAggregate: Any = create_namedtuple_class(*AGGREGATE_FIELDS, *SIZE_CLASSES)


class ServiceDay:
    """Every property is lazy and computed once."""

    def __init__(
        self,
        restaurants: list[Restaurant],
        day: date,
        *,
        now: datetime,
        health: Collection[int] = (),
    ) -> None:
        """`health`: the restaurants of which the person may see allergies and diets."""
        self.restaurants = {restaurant.pk: restaurant for restaurant in restaurants}
        self.day = day
        self.now = now
        self.health = frozenset(health)
        self._phases: dict[tuple[Any, ...], Phase] = {}
        self._lengths: dict[tuple[int, str, int], StayLength] = {}

    @property
    def reservations(self) -> Any:
        return _present(self.day, list(self.restaurants))

    @cached_property
    def marking(self) -> dict[int, bool]:
        """Which restaurants mark arrivals.

        One without past bookings does if it has a mark today. One query, two for a new one.
        """
        known = completed(measured(self._tracked), list(self.restaurants), now=self.now)
        if len(known) < len(self.restaurants):
            marked_today = {
                aggregate.restaurant_id for aggregate in self._aggregates if aggregate.meal_status
            }
            known = {pk: known.get(pk, pk in marked_today) for pk in self.restaurants}
        return known

    @cached_property
    def _tracked(self) -> list[TrackedRow]:
        """What the marks of past bookings tell of each restaurant. One query."""
        return tracked_rows(list(self.restaurants))

    @cached_property
    def learnt_stays(self) -> dict[int, Lengths]:
        """By restaurant. The query of `marking`."""
        return {row.restaurant: row.stays for row in self._tracked}

    @property
    def stays_from(self) -> str:
        """What assumed stays are taken from: “learnt from 412 parties”, “as configured”."""
        return source_words([self.learnt_stays.get(pk, {}) for pk in self.restaurants])

    @cached_property
    def _aggregates(self) -> list[Any]:
        """The day in aggregate rows. One query."""
        found = _aggregates_of(self.day, list(self.restaurants), reading_number(), as_stored=True)
        return list(map(DayAggregate._make, found))

    @cached_property
    def sums(self) -> dict[int, ServiceDaySums]:
        """By restaurant, from the day in aggregate rows. One query, unless `read` has set them."""
        made = self._empty_sums()
        for aggregate in self._aggregates:
            self._add_aggregate(aggregate, made[aggregate.restaurant_id])
        for marked in self.host_marks.values():
            made[marked.row.restaurant_id].late += self._late_by_marks(marked)
        return made

    def _late_by_marks(self, marked: MarkedBooking) -> int:
        """1 or -1 where a call makes or unmakes a late booking: the aggregates know no marks."""
        by_clock, by_call = self.phase_of(marked.row), self.phase_of(marked.row, marked.quiet_until)
        return (by_call.key == "late") - (by_clock.key == "late")

    def read(self) -> None:
        """Read the bookings now and count the sums from them, which then need no query."""
        self.sums, self._leaving = self._empty_sums(), defaultdict(int)
        for booking in self.bookings:
            self._add(booking, self.sums[booking.restaurant.pk])

    def _empty_sums(self) -> dict[int, ServiceDaySums]:
        return {pk: ServiceDaySums(now) for pk, now in self.local_times.items()}

    def _add(self, booking: BoardBooking, to: ServiceDaySums) -> None:
        minutes, covers = booking.minutes, booking.party_size or 0
        vips, allergies = booking.is_vip, booking.has_allergies
        phase = booking.phase.key
        if to.add(phase, minutes, covers, bookings=1, vips=vips, allergies=allergies):
            self._leaving[self._leaves_at(booking.restaurant.pk, minutes, covers)] += covers

    def _add_aggregate(self, aggregate: Any, to: ServiceDaySums) -> None:
        minutes, sizes = aggregate.local_minutes or 0, aggregate[-len(SIZE_CLASSES) :]
        allergies = aggregate.allergies if aggregate.restaurant_id in self.health else 0
        phase, number, vips = self.phase_of(aggregate).key, aggregate.bookings, aggregate.vips
        to.add(phase, minutes, sum(sizes), bookings=number, vips=vips, allergies=allergies)

    @cached_property
    def _leaving(self) -> dict[int, int]:
        """Covers by the slot at which they are assumed to have left.

        From the day in aggregate rows, unless `read` has set them.
        """
        found: dict[int, int] = defaultdict(int)
        for row in self._aggregates:
            if self.phase_of(row).key not in COMING_OR_CAME:
                continue
            sizes = zip(SIZE_CLASSES.values(), row[-len(SIZE_CLASSES) :], strict=True)
            for (low, _top), covers in sizes:
                found[self._leaves_at(row.restaurant_id, row.local_minutes or 0, low)] += covers
        return found

    def _leaves_at(self, restaurant_id: int, minutes: int, party_size: int) -> int:
        """The slot at which a party is assumed to have left."""
        leaves = minutes + self.stay_length(restaurant_id, minutes, party_size).minutes
        return -(-leaves // SLOT) * SLOT

    def stay_minutes(self, booking: BoardBooking) -> int:
        """How long the party is assumed to stay."""
        return self.stay_length(
            booking.restaurant.pk, booking.minutes, booking.party_size or 0
        ).minutes

    def stay_length(self, restaurant_id: int, minutes: int, party_size: int) -> StayLength:
        """As learnt, else as configured. Worked out once for each service and size."""
        key = restaurant_id, service_of(minutes // 60), party_size
        if key not in self._lengths:
            self._lengths[key] = self._length_of(*key)
        return self._lengths[key]

    def _length_of(self, restaurant_id: int, service: str, party_size: int) -> StayLength:
        return length_of(
            self.learnt_stays.get(restaurant_id, {}),
            self.restaurants[restaurant_id],
            service=service,
            weekday=self.day.weekday(),
            party_size=party_size,
        )

    def phase_of(self, row: Any, quiet_until: datetime | None = None) -> Phase:
        """Computed once for all bookings with the same time and state."""
        marks_arrivals = self.marking[row.restaurant_id]
        state = row.status, row.meal_status, row.meal_at, marks_arrivals, quiet_until
        known = self._phases.get(state)
        if known is None:
            known = self._phases[state] = phase_of(
                status=row.status,
                meal_status=row.meal_status,
                meal_at=as_instant(row.meal_at),
                now=self.now,
                marks_arrivals=marks_arrivals,
                quiet_until=quiet_until,
            )
        return known

    @cached_property
    def noted(self) -> NotedCounts:
        """Allergies in notes, where the person may see them. One query, if a note may tell any."""
        rows = [row for row in self._aggregates if row.telling and row.restaurant_id in self.health]
        counted = [row for row in rows if self.phase_of(row).key in MAY_COME]
        return count_noted(uuid for row in counted for uuid in row.telling.split())

    @cached_property
    def tiles(self) -> Tiles:
        return sums.tiles(self.sums.values())

    def is_soon(self, booking: BoardBooking) -> bool:
        """Expected within the next hour of its restaurant's local time."""
        return sums.is_soon(
            booking.phase.key, booking.minutes, self.local_times[booking.restaurant.pk]
        )

    @cached_property
    def slots(self) -> list[QuarterHour]:
        return sums.slots(self.sums.values(), self._leaving)

    @cached_property
    def peak(self) -> QuarterHour | None:
        return max(self.slots, key=lambda slot: slot.in_house, default=None)

    @cached_property
    def bookings(self) -> list[BoardBooking]:
        """One query. A page that shows them beside the sums calls `read` first."""
        return self._bookings(_rows_of(self.day, list(self.restaurants), as_stored=True))

    def booking(self, uuid: UUID) -> BoardBooking | None:
        """One booking, if it is on this service day. One query."""
        found = _row_of(uuid, self.day, list(self.restaurants), as_stored=True)
        return next(iter(self._bookings(found)), None)

    def _bookings(self, rows: Iterable[tuple[Any, ...]]) -> list[BoardBooking]:
        marked_by_uuid = self.host_marks
        return [
            self._booking(row, marked_by_uuid.get(row.uuid, UNTOUCHED))
            for row in map(Row._make, rows)
        ]

    def _booking(self, row: Any, marked: MarkedBooking) -> BoardBooking:
        if row.is_first and row.restaurant_id in self._unread_pasts:
            row = row._replace(is_first=False)
        place, phase = self.places[row.restaurant_id], self.phase_of(row, marked.quiet_until)
        sees_health = row.restaurant_id in self.health
        change = self._change_of(row) if self._changes else None
        return BoardBooking(row, place, self.day, phase, sees_health, marked.marks, change)

    @cached_property
    def _unread_pasts(self) -> set[int]:
        """Restaurants where a first visit is none that we know of."""
        return {pk for pk, one in self.restaurants.items() if is_past_unread(one.group.uuid)}

    def _change_of(self, row: Any) -> ChangeMark | None:
        group = self.restaurants[row.restaurant_id].group_id
        return self._changes.get((as_uuid(row.uuid), group))

    @cached_property
    def _changes(self) -> dict[BookingKey, ChangeMark]:
        """What became of the changes that were sent from here. One query."""
        return changes_of_day(self.day, self.restaurants)

    @cached_property
    def host_marks(self) -> dict[Any, MarkedBooking]:
        """What the team has marked, by the uuid as it is stored. One query on a running day."""
        return marks_of_day(self.day, self.restaurants) if self.is_running else {}

    @cached_property
    def places(self) -> dict[int, BoardPlace]:
        return {
            pk: BoardPlace(pk, one.name, one.label, one.colour, one.zone)
            for pk, one in self.restaurants.items()
        }

    @cached_property
    def local_times(self) -> dict[int, int | None]:
        """The local time of each restaurant, or None where another service day is running."""
        return {pk: self._now_on(one) for pk, one in self.restaurants.items()}

    @property
    def is_running(self) -> bool:
        """Whether it is the current service day of one of the restaurants."""
        return any(minutes is not None for minutes in self.local_times.values())

    def _now_on(self, restaurant: Restaurant) -> int | None:
        is_current = restaurant.service_day(self.now) == self.day
        return self.minutes_now(restaurant) if is_current else None

    def minutes_now(self, restaurant: Restaurant) -> int:
        """The present local minute as one of this day, whether or not it is running there."""
        return minutes_on(restaurant.local(self.now), self.day)

    def as_local_time(self, instant: datetime) -> datetime:
        """An instant in the local time of the first restaurant, without a zone."""
        first = next(iter(self.restaurants.values()), None)
        return first.local(instant).replace(tzinfo=None) if first else instant

    @property
    def names(self) -> str:
        """Of its restaurants, in one line."""
        return ", ".join(one.name for one in self.restaurants.values())

    @property
    def made_at(self) -> datetime:
        """The moment of these numbers, by the clock of the first restaurant."""
        return self.as_local_time(self.now)

    @cached_property
    def now_minutes(self) -> int | None:
        """The present local minute, if all restaurants share it."""
        local_times = set(self.local_times.values())
        return local_times.pop() if len(local_times) == 1 else None

    @property
    def is_over(self) -> bool:
        """Whether a later service day is running at each of the restaurants."""
        places = self.restaurants.values()
        return all(one.service_day(self.now) > self.day for one in places)

    @cached_property
    def spans_zones(self) -> bool:
        return len({restaurant.timezone for restaurant in self.restaurants.values()}) > 1

    @property
    def is_unread(self) -> bool:
        """Whether no booking of these restaurants was ever read. Used for an empty day."""
        return not Reservation.objects.for_restaurants(self.restaurants).exists()

    @cached_property
    def missing(self) -> Missing:
        """The restaurants whose bookings of this day have never all been read.

        A query while there is a restaurant that was never read whole.
        """
        return missing_on(self.day, self.restaurants.values())

    @cached_property
    def unmarked(self) -> list[Restaurant]:
        """Restaurants with bookings that never mark arrivals, and so show no late guests."""
        return [
            self.restaurants[pk]
            for pk, found in self.sums.items()
            if found.is_booked and not self.marking[pk]
        ]

    @property
    def unmarked_names(self) -> str:
        """The first of them, and how many more there are; "" where it is each of several."""
        is_each = len(self.unmarked) == len(self.restaurants) > 1
        return "" if is_each else named(self.unmarked)


def _present(day: date, restaurant_ids: list[int]) -> Any:
    return Reservation.objects.present().for_day(day).for_restaurants(restaurant_ids)


def evening_of(shell: Shell, restaurants: list[Restaurant] | None = None) -> ServiceDay:
    """The service day of the address; with fewer restaurants for an export."""
    restaurants = shell.scope_restaurants if restaurants is None else restaurants
    health = [one.pk for one in restaurants if can(shell.user, HEALTH, one)]
    return ServiceDay(restaurants, shell.day, now=timezone.now(), health=health)


@prepared
def _aggregates_of(day: date, restaurant_ids: list[int], reading_number: int) -> Any:
    return _present(day, restaurant_ids).aggregated(reading_number)


@prepared
def _rows_of(day: date, restaurant_ids: list[int]) -> Any:
    # The clock shows a minute twice when it goes back: the instant decides which is first.
    order = "local_minutes", "meal_at", "-party_size", "uuid"
    rows = _present(day, restaurant_ids).order_by(*order)
    return rows.for_board().values_list(*COLUMNS)


@prepared
def _row_of(uuid: UUID, day: date, restaurant_ids: list[int]) -> Any:
    return _present(day, restaurant_ids).filter(uuid=uuid).for_board().values_list(*COLUMNS)

"""One service day of some restaurants: the numbers above the board and the bookings on it.

Two queries whatever the size: the day in lumps (for tiles, histogram and pulse), and the bookings
one by one (for arrivals and list). A third, small one says who marks arrivals.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple
from uuid import UUID

from reservations import habits
from reservations.bookings import COLUMNS, Booking, Place
from reservations.models import SIZE_CLASSES, Reservation
from reservations.phases import COMING_OR_CAME, IN_HOUSE, STILL_TO_COME, Phase, phase_of
from reservations.wall import SLOT, clock, minutes_on, slot_of
from restaurants.models import Restaurant

NEXT_HOUR = 60  # minutes


class Lump(NamedTuple):
    """Bookings of one restaurant that share a moment and a state."""

    restaurant_id: int
    minutes: int
    phase: Phase
    bookings: int
    covers: int
    vips: int
    allergies: int
    leaving: list[tuple[int, int]]  # (minute at which they are assumed to leave, covers)
    counts: bool


@dataclass(frozen=True, slots=True)
class Slot:
    """A quarter of an hour: who arrives, and who is assumed to be in house."""

    minutes: int
    bookings: int
    covers: int
    in_house: int

    @property
    def label(self) -> str:
        return clock(self.minutes)


@dataclass(frozen=True, slots=True)
class Tiles:
    covers: int
    covers_in: int
    next_hour: int
    late: int
    requests: int
    allergies: int
    vips: int


class Evening:
    """Answers are worked out when asked, and once."""

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
        self._lengths: dict[tuple[int, int], int] = {}

    @cached_property
    def reservations(self) -> Any:
        rows = Reservation.objects.present().for_day(self.day)
        return rows.for_restaurants(self.restaurants)

    @cached_property
    def marking(self) -> dict[int, bool]:
        """Who marks arrivals. A restaurant that nothing is known of does if it has a mark today."""
        known = habits.marking(list(self.restaurants))
        if len(known) < len(self.restaurants):
            marked_today = {row.restaurant_id for row in self._lumped if row.meal_status}
            known = {pk: known.get(pk, pk in marked_today) for pk in self.restaurants}
        return known

    @cached_property
    def _lumped(self) -> list[Any]:
        return list(self.reservations.lumped())

    @cached_property
    def lumps(self) -> list[Lump]:
        """From the bookings where they were read anyway, else from the database's sums."""
        if "bookings" in vars(self):
            return [self._lump_of_one(booking) for booking in self.bookings]
        return [self._lump(row) for row in self._lumped]

    def _lump_of_one(self, booking: Booking) -> Lump:
        covers = booking.party_size or 0
        leaves = booking.minutes + self.stay_minutes(booking)
        return Lump(
            restaurant_id=booking.restaurant.pk,
            minutes=booking.minutes,
            phase=booking.phase,
            bookings=1,
            covers=covers,
            vips=int(booking.is_vip),
            allergies=int(booking.has_allergies),
            leaving=[(leaves, covers)],
            counts=booking.phase.key in COMING_OR_CAME,
        )

    def _lump(self, row: Any) -> Lump:
        minutes = row.local_minutes or 0
        phase = self.phase_of(row)
        sizes = (row.pairs, row.fours, row.sixes, row.groups)
        stays = zip(self._stays[row.restaurant_id], sizes, strict=True)
        return Lump(
            restaurant_id=row.restaurant_id,
            minutes=minutes,
            phase=phase,
            bookings=row.bookings,
            covers=row.covers,
            vips=row.vips,
            allergies=row.allergies if row.restaurant_id in self.health else 0,
            leaving=[(minutes + stay, covers) for stay, covers in stays if covers],
            counts=phase.key in COMING_OR_CAME,
        )

    def stay_minutes(self, booking: Booking) -> int:
        """How long the party is assumed to stay."""
        key = booking.restaurant.pk, booking.party_size or 0
        if key not in self._lengths:
            self._lengths[key] = _stay(self.restaurants[key[0]], key[1])
        return self._lengths[key]

    @cached_property
    def _stays(self) -> dict[int, list[int]]:
        """How many minutes a party of each class is assumed to stay, by restaurant."""
        return {
            pk: [_stay(restaurant, low) for low, _top in SIZE_CLASSES.values()]
            for pk, restaurant in self.restaurants.items()
        }

    def phase_of(self, row: Any) -> Phase:
        """Worked out once for all bookings that share a moment and a state."""
        state = row.status, row.meal_status, row.meal_at, self.marking[row.restaurant_id]
        if state not in self._phases:
            self._phases[state] = phase_of(
                status=row.status,
                meal_status=row.meal_status,
                meal_at=row.meal_at,
                now=self.now,
                marks_arrivals=state[-1],
            )
        return self._phases[state]

    @cached_property
    def tiles(self) -> Tiles:
        counted = [lump for lump in self.lumps if lump.counts]
        return Tiles(
            covers=sum(lump.covers for lump in counted),
            covers_in=sum(x.covers for x in counted if x.phase.key in IN_HOUSE | {"left"}),
            next_hour=sum(
                x.covers for x in counted if self.is_soon(x.restaurant_id, x.minutes, x.phase)
            ),
            late=self._bookings_in("late"),
            requests=self._bookings_in("requested"),
            allergies=sum(lump.allergies for lump in counted),
            vips=sum(lump.vips for lump in counted),
        )

    def _bookings_in(self, phase: str) -> int:
        return sum(lump.bookings for lump in self.lumps if lump.phase.key == phase)

    def is_soon(self, restaurant_id: int, minutes: int, phase: Phase) -> bool:
        """Expected within the next hour of that restaurant's wall."""
        now = self.walls[restaurant_id]
        if now is None or phase.key not in STILL_TO_COME:
            return False
        return 0 <= minutes - now <= NEXT_HOUR

    @cached_property
    def slots(self) -> list[Slot]:
        """Every quarter of an hour from the first arrival to the last, empty ones included."""
        lumps = [lump for lump in self.lumps if lump.counts]
        if not lumps:
            return []
        bookings, covers = Counter[int](), Counter[int]()
        for lump in lumps:
            bookings[slot_of(lump.minutes)] += lump.bookings
            covers[slot_of(lump.minutes)] += lump.covers
        slots = range(min(covers), max(covers) + SLOT, SLOT)
        in_house = _in_house(lumps, slots)
        return [
            Slot(minutes, bookings[minutes], covers[minutes], present)
            for minutes, present in zip(slots, in_house, strict=True)
        ]

    @cached_property
    def peak(self) -> Slot | None:
        return max(self.slots, key=lambda slot: slot.in_house, default=None)

    @cached_property
    def bookings(self) -> list[Booking]:
        return self._read(self.reservations.order_by("local_minutes", "-party_size", "uuid"))

    def read(self) -> None:
        """Read the bookings now, so that the numbers above them need no query of their own."""
        _read = self.bookings

    def booking(self, uuid: UUID) -> Booking | None:
        """One booking, if it is on this evening. One query."""
        return next(iter(self._read(self.reservations.filter(uuid=uuid))), None)

    def _read(self, rows: Any) -> list[Booking]:
        columns = rows.for_board().values_list(*COLUMNS, named=True)
        return [self._booking(row) for row in columns]

    def _booking(self, row: Any) -> Booking:
        return Booking(
            row,
            self.places[row.restaurant_id],
            self.phase_of(row),
            row.restaurant_id in self.health,
        )

    @cached_property
    def places(self) -> dict[int, Place]:
        return {
            pk: Place(pk, one.name, one.label, one.colour) for pk, one in self.restaurants.items()
        }

    @cached_property
    def walls(self) -> dict[int, int | None]:
        """Now on the wall of each restaurant, or None where another service day is running."""
        return {pk: self._now_on(one) for pk, one in self.restaurants.items()}

    def _now_on(self, restaurant: Restaurant) -> int | None:
        if restaurant.service_day(self.now) != self.day:
            return None
        return minutes_on(restaurant.local(self.now), self.day)

    def on_the_wall(self, instant: datetime) -> datetime:
        """An instant as the clock of the first restaurant shows it, without a zone."""
        first = next(iter(self.restaurants.values()), None)
        return first.local(instant).replace(tzinfo=None) if first else instant

    @cached_property
    def now_minutes(self) -> int | None:
        """Now, if all walls agree on it."""
        walls = set(self.walls.values())
        return walls.pop() if len(walls) == 1 else None

    @cached_property
    def spans_zones(self) -> bool:
        return len({restaurant.timezone for restaurant in self.restaurants.values()}) > 1

    @cached_property
    def unmarked(self) -> list[Restaurant]:
        """Restaurants with bookings that never mark arrivals: their late alerts are off."""
        booked = {lump.restaurant_id for lump in self.lumps}
        return [
            one for pk, one in self.restaurants.items() if pk in booked and not self.marking[pk]
        ]


def _stay(restaurant: Restaurant, party_size: int) -> int:
    return int(restaurant.stay(party_size).total_seconds() // 60)


def _in_house(lumps: list[Lump], slots: range) -> Iterator[int]:
    """Covers assumed to be in house at the beginning of each slot, from who comes and who goes."""
    change: dict[int, int] = defaultdict(int)
    for lump in lumps:
        for leaves, covers in lump.leaving:
            change[slot_of(lump.minutes)] += covers
            change[-(-leaves // SLOT) * SLOT] -= covers
    return accumulate(change[minutes] for minutes in slots)

"""The sums of a service day by restaurant. Pure.

One page counts thousands of bookings, so each is read once: tiles, histogram and pulse share these
sums.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reservations.phases import COMING_OR_CAME, IN_HOUSE, MAY_COME, STILL_TO_COME
from reservations.service_clock import SLOT, clock

NEXT_HOUR = 60  # minutes
HAVE_COME = IN_HOUSE | {"left"}


@dataclass(frozen=True, slots=True)
class QuarterHour:
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


class ServiceDaySums:
    """The sums of one restaurant.

    Bookings without a seat count as late or requested; their allergies and VIPs if they may come.
    """

    __slots__ = (
        "allergies",
        "arriving",
        "bookings",
        "covers",
        "covers_in",
        "in_house",
        "is_booked",
        "late",
        "next_hour",
        "now",
        "requests",
        "seated",
        "vips",
    )

    def __init__(self, now: int | None) -> None:
        """`now`: the local minute, or None where another service day is running."""
        self.now = now
        self.is_booked = False
        self.bookings = self.covers = self.covers_in = self.in_house = self.next_hour = 0
        self.late = self.requests = self.allergies = self.vips = 0
        self.arriving: dict[int, int] = defaultdict(int)  # slot → bookings
        self.seated: dict[int, int] = defaultdict(int)  # slot → covers

    def add(
        self, phase: str, minutes: int, covers: int, *, bookings: int, vips: int, allergies: int
    ) -> bool:
        """Count bookings with the same time and phase. Return whether they take seats."""
        self.is_booked = True
        if phase == "late":
            self.late += bookings
        elif phase == "requested":
            self.requests += bookings
        if phase in MAY_COME:
            self.vips += vips
            self.allergies += allergies
        if phase not in COMING_OR_CAME:
            return False
        self.bookings += bookings
        self.covers += covers
        slot = minutes - minutes % SLOT
        self.arriving[slot] += bookings
        self.seated[slot] += covers
        if phase in HAVE_COME:
            self.covers_in += covers
            self.in_house += covers if phase in IN_HOUSE else 0
        elif is_soon(phase, minutes, self.now):
            self.next_hour += covers
        return True


def is_soon(phase: str, minutes: int, now: int | None) -> bool:
    """Expected within the next hour of that restaurant's local time."""
    return now is not None and 0 <= minutes - now <= NEXT_HOUR and phase in STILL_TO_COME


def tiles(sums: Iterable[ServiceDaySums]) -> Tiles:
    every = list(sums)
    return Tiles(
        covers=sum(one.covers for one in every),
        covers_in=sum(one.covers_in for one in every),
        next_hour=sum(one.next_hour for one in every),
        late=sum(one.late for one in every),
        requests=sum(one.requests for one in every),
        allergies=sum(one.allergies for one in every),
        vips=sum(one.vips for one in every),
    )


def slots(sums: Iterable[ServiceDaySums], leaving: Mapping[int, int]) -> list[QuarterHour]:
    """Every quarter of an hour from the first arrival to the last, empty ones included.

    `leaving`: the covers that are assumed to have left when a slot begins.
    """
    bookings: dict[int, int] = defaultdict(int)
    covers: dict[int, int] = defaultdict(int)
    for one in sums:
        for into, found in ((bookings, one.arriving), (covers, one.seated)):
            for minutes, number in found.items():
                into[minutes] += number
    if not covers:
        return []
    made, in_house = [], 0
    for minutes in range(min(covers), max(covers) + SLOT, SLOT):
        in_house += covers.get(minutes, 0) - leaving.get(minutes, 0)
        made.append(
            QuarterHour(minutes, bookings.get(minutes, 0), covers.get(minutes, 0), in_house)
        )
    return made

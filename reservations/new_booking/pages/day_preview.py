"""A small histogram of the chosen day in a new booking, with the new party on top."""

from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import Protocol

from mirror.health.first_reading import Missing
from reservations.day_board.pages.histogram import BAR, HEIGHT, Histogram, nows_of
from reservations.service_clock import minutes_on, moment, slot_of
from reservations.service_day.day import ServiceDay
from restaurants.models import Restaurant

HEADROOM = 24  # units above the tallest bar, for the new party


class BookingChoice(Protocol):
    """The choices made so far."""

    restaurant: Restaurant
    day: date
    size: int | None
    now: datetime

    @property
    def meal_date(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Ghost:
    """The bar of the party that is not booked yet, on top of its quarter of an hour."""

    x: int
    y: int
    width: int
    height: int


class DayPreview:
    """Every property is lazy. Two queries in all."""

    def __init__(self, choice: BookingChoice) -> None:
        self.choice = choice

    @cached_property
    def at(self) -> datetime | None:
        """The chosen time as local time without a zone, so that no template shifts it."""
        at = moment(self.choice.meal_date)
        if at is None or at.tzinfo is None:
            return at
        return self.choice.restaurant.local(at).replace(tzinfo=None)

    @cached_property
    def day(self) -> date:
        place = self.choice.restaurant
        at = moment(self.choice.meal_date)
        return place.service_day(at) if at and at.tzinfo else self.choice.day

    @property
    def service_day(self) -> date:
        return self.day

    @property
    def date(self) -> date | None:
        return self.at.date() if self.at else None

    @property
    def is_after_midnight(self) -> bool:
        return self.date is not None and self.date > self.day

    @cached_property
    def evening(self) -> ServiceDay:
        return ServiceDay([self.choice.restaurant], self.day, now=self.choice.now)

    @cached_property
    def hist(self) -> Histogram:
        return Histogram(tuple(self.evening.slots), nows_of(self.evening), link="")

    @property
    def missing(self) -> Missing:
        return self.evening.missing

    @property
    def bookings(self) -> int:
        return sum(slot.bookings for slot in self.hist.slots)

    @property
    def covers(self) -> int:
        return sum(slot.covers for slot in self.hist.slots)

    @property
    def ghost(self) -> Ghost | None:
        """The bar of the new party, if its time is within the histogram."""
        if self.at is None or self.choice.size is None or self.hist.rush is None:
            return None
        minutes = slot_of(minutes_on(self.at, self.day))
        for bar in self.hist.bars:
            if bar.slot.minutes == minutes:
                height = max(2, round(self.choice.size * HEIGHT / self.hist.rush.covers))
                top = max(-HEADROOM, bar.y - height)
                return Ghost(bar.x, top, BAR - 1, bar.y - top)
        return None

    @property
    def others(self) -> int:
        """How many covers are expected in the same quarter of an hour."""
        if self.at is None:
            return 0
        minutes = slot_of(minutes_on(self.at, self.day))
        return sum(slot.covers for slot in self.hist.slots if slot.minutes == minutes)

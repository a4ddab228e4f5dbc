"""The services of a day, such as dinner: as set by an admin, or inferred from arrivals."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from lib.database.compiled_queries import prepared_models
from reservations.service_clock import NAMES as NAMES
from reservations.service_clock import SLOT, clock, minutes_on
from reservations.service_clock import service_of as service_of
from reservations.service_day.day import ServiceDay
from reservations.service_day.sums import QuarterHour
from restaurants.models import Restaurant, ServicePeriod

GAP = 90  # minutes without an arrival between two services


@dataclass(frozen=True, slots=True)
class DayService:
    """A service of the day, in local minutes."""

    name: str
    start: int
    end: int
    is_inferred: bool

    @property
    def label(self) -> str:
        """“Dinner 18:30–23:00 (inferred)”."""
        words = f"{self.name} {clock(self.start)}–{clock(self.end)}"
        return _("%(service)s (inferred)") % {"service": words} if self.is_inferred else words

    @property
    def span(self) -> str:
        """The query parameter of the service."""
        return f"{self.start}-{self.end}"


def services_of(evening: ServiceDay) -> tuple[DayService, ...]:
    """Those set for the only restaurant on the board, else inferred ones. May run one query."""
    places = list(evening.restaurants.values())
    known = list(_as_set(places[0], evening)) if len(places) == 1 else []
    return tuple(known or _as_it_looks(evening.slots))


def service_at(services: Iterable[DayService], minutes: int) -> str:
    """The service that has begun last by then; "" before the first."""
    begun = [service.label for service in services if service.start <= minutes]
    return begun[-1] if begun else ""


def _as_set(restaurant: Restaurant, evening: ServiceDay) -> Iterator[DayService]:
    for period in _periods_of(restaurant.pk, evening.day.weekday()):
        period.restaurant = restaurant
        start, end = (
            minutes_on(restaurant.local(instant), evening.day)
            for instant in period.bounds_on(evening.day)
        )
        yield DayService(period.name, start, end, is_inferred=False)


@prepared_models
def _periods_of(restaurant_id: int, weekday: int) -> Any:
    return ServicePeriod.objects.filter(restaurant=restaurant_id, weekday=weekday)


def _as_it_looks(slots: list[QuarterHour]) -> Iterator[DayService]:
    """Group arrivals with gaps smaller than GAP."""
    busy = [slot.minutes for slot in slots if slot.covers]
    if not busy:
        return
    start = before = busy[0]
    for minutes in busy[1:]:
        if minutes - before >= GAP:
            yield _inferred(start, before)
            start = minutes
        before = minutes
    yield _inferred(start, before)


def _inferred(start: int, last: int) -> DayService:
    name = str(NAMES[service_of(start // 60)])
    return DayService(name, start, last + SLOT, is_inferred=True)

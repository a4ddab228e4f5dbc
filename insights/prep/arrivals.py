"""When guests of a service arrive: learnt from like services, put together with what is booked."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from django.db.models import Sum
from django.db.models.functions import Coalesce

from reservations.models import Reservation
from reservations.service_clock import SLOT
from reservations.service_day.services import service_of
from restaurants.models import Restaurant

LIKE = 8  # same weekdays that are looked at
FEWEST = 4  # services; with fewer, all days of the last four weeks count
FALLBACK = 28
Quarters = dict[int, float]  # the first local minute of a quarter of an hour → covers


@dataclass
class ArrivalSpread:
    """Covers by quarter of an hour at like services, and how many services they were."""

    quarters: Quarters = field(default_factory=lambda: defaultdict(float))
    days: set[date] = field(default_factory=set)
    is_of_weekday: bool = True

    def add(self, day: date, minutes: int, covers: int) -> None:
        self.days.add(day)
        self.quarters[minutes - minutes % SLOT] += covers


def spreads_of(restaurant: Restaurant, day: date, *, today: date) -> dict[str, ArrivalSpread]:
    """Of each service. One query, and a second where the weekday was held too rarely."""
    weekday = _last_like(day, today=today)
    found = _counted(restaurant, [weekday - n * timedelta(weeks=1) for n in range(LIKE)])
    if found and all(len(one.days) >= FEWEST for one in found.values()):
        return found
    every = _counted(restaurant, [today - n * timedelta(days=1) for n in range(1, FALLBACK + 1)])
    for one in every.values():
        one.is_of_weekday = False
    return every | {name: one for name, one in found.items() if len(one.days) >= FEWEST}


def _last_like(day: date, *, today: date) -> date:
    """The latest same weekday whose services are over."""
    over = min(day, today)
    return over - timedelta(days=(over - day).days % 7 or 7)


def _counted(restaurant: Restaurant, days: list[date]) -> dict[str, ArrivalSpread]:
    held = Reservation.objects.present().filter(
        restaurant=restaurant, service_day__in=days, status="RECORDED", local_minutes__isnull=False
    )
    groups = held.order_by().values_list("service_day", "local_minutes")
    found: dict[str, ArrivalSpread] = defaultdict(ArrivalSpread)
    for day, minutes, covers in groups.annotate(covers=Coalesce(Sum("party_size"), 0)):
        found[service_of(minutes // 60)].add(day, minutes, covers)
    return dict(found)


def together(booked: Mapping[int, int], expected: int, spread: Quarters) -> dict[int, int]:
    """Expected covers by quarter of an hour, which add up to those of the service.

    What is still to come goes where like services have more than is booked. Where more is booked
    than will come, each quarter loses its share.
    """
    missing = expected - sum(booked.values())
    if missing <= 0:
        return in_whole_covers({at: float(covers) for at, covers in booked.items()}, expected)
    usual = in_proportion(spread, expected)
    gaps = {at: max(covers - booked.get(at, 0), 0.0) for at, covers in usual.items()}
    more = in_proportion(gaps if any(gaps.values()) else booked, missing)
    every = {at: booked.get(at, 0) + more.get(at, 0.0) for at in {*booked, *more}}
    return in_whole_covers(every, expected)


def in_proportion(parts: Mapping[int, float], total: float) -> Quarters:
    whole = sum(parts.values())
    return {at: part * total / whole for at, part in parts.items()} if whole else {}


def in_whole_covers(parts: Mapping[int, float], total: int) -> dict[int, int]:
    """Rounded so that the sum is kept: what is cut off most is rounded up."""
    shares = in_proportion(parts, total)
    found = {at: int(share) for at, share in shares.items()}
    by_rest = sorted(shares, key=lambda at: (found[at] - shares[at], at))
    for at in by_rest[: round(sum(shares.values())) - sum(found.values())]:
        found[at] += 1
    return found

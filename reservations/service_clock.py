"""Minutes by the local clock of a service day, where 00:30 after the evening is 1470. Pure."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, tzinfo
from functools import cache
from typing import NamedTuple

from django.utils.translation import gettext_lazy

from lib.moments import parse_moment
from restaurants.models import Restaurant

SLOT = 15  # minutes: the width of a column
UNIT = 5  # minutes: the width of the narrowest stay
# The local hour of the service day (00:30 is 24) at which each service begins by default,
# where no admin has set it.
STARTS = {"morning": 0, "midday": 11, "evening": 17}
NAMES = {
    "morning": gettext_lazy("Breakfast"),
    "midday": gettext_lazy("Lunch"),
    "evening": gettext_lazy("Dinner"),
}
# The parties of each class of stays, and how long they stay: median, 80th percentile, parties.
SIZE_CLASSES = {"pairs": (1, 2), "fours": (3, 4), "sixes": (5, 6), "groups": (7, 2**31 - 1)}
Lengths = Mapping[str, Sequence[int]]  # by cell


def minutes_on(local: datetime, service_day: date) -> int:
    """Minutes from the midnight that begins the service day, as the local clock counts."""
    return (local.date() - service_day).days * 1440 + local.hour * 60 + local.minute


def minutes_of(local_time: time, restaurant: Restaurant) -> int:
    """The same of a time by the clock: one before the day starts is of the night."""
    is_of_the_night = local_time < restaurant.day_start
    return local_time.hour * 60 + local_time.minute + (1440 if is_of_the_night else 0)


def instant_on(service_day: date, local_time: time, restaurant: Restaurant) -> datetime:
    """When the clock shows this time in that service day: 00:30 is after its midnight."""
    days = timedelta(days=minutes_of(local_time, restaurant) // 1440)
    return restaurant.at(service_day + days, local_time)


def clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}"


def zone_shown(minutes: int, at: datetime | None, zone: tzinfo) -> str:
    """“CET” for a booking at a time that the clock shows twice, as it goes back that night.

    It does so between 23:00 and 5:00: of no other booking the zone is looked up.
    """
    if at is None or 5 * 60 <= minutes < 23 * 60:
        return ""
    local = at.astimezone(zone)
    is_twice = local.replace(fold=0).utcoffset() != local.replace(fold=1).utcoffset()
    name = local.tzname() or "" if is_twice else ""
    return f"UTC{name}" if name.startswith(("+", "-")) else name  # “-03” is no name


def clock_shown(minutes: int, at: datetime | None, zone: tzinfo) -> str:
    """“20:30”; “02:30 CET” in the night in which that comes twice."""
    return f"{clock(minutes)} {zone_shown(minutes, at, zone)}".rstrip()


@cache
def service_of(hour: int) -> str:
    return next(name for name in reversed(STARTS) if hour >= STARTS[name])


def slot_of(minutes: int) -> int:
    return minutes - minutes % SLOT


def moment(meal_date: str) -> datetime | None:
    """The time in the service's text, with its offset if it names one; None for other texts."""
    return parse_moment(meal_date)


def place_in_time(meal_date: str, restaurant: Restaurant) -> datetime | None:
    """The instant of the service's text; without an offset it is the restaurant's local time."""
    at = moment(meal_date)
    if at is None or at.tzinfo is not None:
        return at
    return restaurant.at(at.date(), at.time())


class StayLength(NamedTuple):
    """Minutes until a party leaves."""

    minutes: int
    late: int | None = None  # four of five have left by then
    parties: int = 0  # that it was learnt from; none where it is as configured


def cells_of(service: str, weekday: int, size: str) -> list[str]:
    """From the finest to the coarsest."""
    return [f"{service}.{weekday}.{size}", f"{service}..{size}", f"..{size}"]


def class_of(party_size: int | None) -> str:
    """The class of a size; an unknown one counts as two."""
    size = party_size or 2
    return next(name for name, (low, top) in SIZE_CLASSES.items() if low <= size <= top)


def length_of(
    lengths: Lengths, restaurant: Restaurant, *, service: str, weekday: int, party_size: int | None
) -> StayLength:
    """As learnt from the finest cell that has enough parties."""
    cells = cells_of(service, weekday, class_of(party_size)) if lengths else []
    for cell in cells:
        if cell in lengths:
            return StayLength(*lengths[cell])
    return StayLength(int(restaurant.stay(party_size).total_seconds() // 60))

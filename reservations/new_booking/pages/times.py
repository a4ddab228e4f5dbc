"""Times of a day as they are chosen: by service, and close to a wanted one."""

from collections.abc import Iterable, Iterator
from datetime import datetime, time, timedelta
from itertools import groupby

from reservations.actions.openings import SlotOnSale
from reservations.service_clock import minutes_on
from reservations.service_day.services import NAMES, service_of
from restaurants.models import Restaurant

CLOSE = timedelta(minutes=90)


def by_service(
    slots: Iterable[SlotOnSale], restaurant: Restaurant
) -> Iterator[tuple[str, list[SlotOnSale]]]:
    """Under the service that an admin has set, else by the hour. One query."""
    periods = list(restaurant.service_periods.all())

    def service(slot: SlotOnSale) -> str:
        day = restaurant.service_day(slot.at)
        for period in periods:
            start, end = period.bounds_on(day)
            if period.weekday == day.weekday() and start <= slot.at <= end:
                return period.name
        return str(NAMES[service_of(minutes_on(restaurant.local(slot.at), day) // 60)])

    return ((name, list(group)) for name, group in groupby(slots, key=service))


def close_to(slots: Iterable[SlotOnSale], wanted: time) -> list[SlotOnSale]:
    """The times within 90 minutes of a local time."""

    def is_close(slot: SlotOnSale) -> bool:
        target = datetime.combine(slot.at.date(), wanted, tzinfo=slot.at.tzinfo)
        return abs(slot.at - target) <= CLOSE

    return list(filter(is_close, slots))

"""Times of a day as they are chosen: by service."""

from collections.abc import Iterable, Iterator
from itertools import groupby

from reservations.actions.openings import SlotOnSale
from reservations.service_day.services import NAMES, service_of
from restaurants.models import Restaurant


def by_service(
    slots: Iterable[SlotOnSale], restaurant: Restaurant
) -> Iterator[tuple[str, list[SlotOnSale]]]:
    """Under the service that an admin has set, else by the hour. One query.

    A time after midnight is under the service of the evening before.
    """
    periods = list(restaurant.service_periods.all())

    def service(slot: SlotOnSale) -> str:
        day = slot.service_day
        for period in periods:
            start, end = period.bounds_on(day)
            if period.weekday == day.weekday() and start <= slot.at <= end:
                return period.name
        return str(NAMES[service_of(slot.minutes // 60)])

    return ((name, list(group)) for name, group in groupby(slots, key=service))

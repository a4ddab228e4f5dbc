"""Times of a day as they are chosen: by service, and close to a wanted one."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, time, timedelta
from itertools import groupby

from lib.dates import date_format
from reservations.actions.openings import SlotOnSale
from reservations.service_clock import minutes_on
from reservations.service_day.services import NAMES, service_of
from restaurants.models import Restaurant

CLOSE = timedelta(minutes=90)


def by_service(
    slots: Iterable[SlotOnSale], restaurant: Restaurant, day: date
) -> Iterator[tuple[str, list[SlotOnSale]]]:
    """Under the service that an admin has set, else by the hour. One query.

    A time after midnight belongs to the evening before, whose date is named where it is not `day`.
    """
    periods = list(restaurant.service_periods.all())

    def service(slot: SlotOnSale) -> str:
        its_day = restaurant.service_day(slot.at)
        name = name_on(its_day, slot)
        return name if its_day == day else f"{name}, {date_format(its_day, 'D j M')}"

    def name_on(its_day: date, slot: SlotOnSale) -> str:
        for period in periods:
            start, end = period.bounds_on(its_day)
            if period.weekday == its_day.weekday() and start <= slot.at <= end:
                return period.name
        return str(NAMES[service_of(minutes_on(restaurant.local(slot.at), its_day) // 60)])

    return ((name, list(group)) for name, group in groupby(slots, key=service))


def close_to(slots: Iterable[SlotOnSale], wanted: time) -> list[SlotOnSale]:
    """The times within 90 minutes of a local time."""

    def is_close(slot: SlotOnSale) -> bool:
        target = datetime.combine(slot.at.date(), wanted, tzinfo=slot.at.tzinfo)
        return abs(slot.at - target) <= CLOSE

    return list(filter(is_close, slots))

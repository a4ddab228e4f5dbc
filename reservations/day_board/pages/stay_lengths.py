"""The table of how long parties of one restaurant are assumed to stay, below the stays."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext as _

from reservations.learnt_stays.source_words import words_of
from reservations.service_clock import NAMES, SIZE_CLASSES, StayLength, service_of
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay

LARGEST = 1000  # a class of sizes that goes on beyond has no upper end


class LengthLine(NamedTuple):
    """A service and a size."""

    service: str
    size: str
    length: StayLength

    @property
    def source(self) -> str:
        return words_of(self.length)


def lengths_of(evening: ServiceDay, bookings: Iterable[BoardBooking]) -> list[LengthLine]:
    """Of the services of the day, where the board is of one restaurant."""
    if len(evening.restaurants) != 1:
        return []
    [place] = evening.restaurants
    services = {service_of(one.minutes // 60): one.minutes for one in bookings}
    return [
        LengthLine(str(NAMES[name]), _size(low, top), evening.stay_length(place, minutes, low))
        for name, minutes in sorted(services.items(), key=lambda service: service[1])
        for low, top in SIZE_CLASSES.values()
    ]


def _size(low: int, top: int) -> str:
    """“3–4”, “7 or more”."""
    return f"{low}–{top}" if top < LARGEST else _("%(n)s or more") % {"n": low}

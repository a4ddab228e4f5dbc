"""What calls for somebody at each of a few restaurants, and who comes next: below the pulse."""

from collections.abc import Iterable
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from reservations.day_board.forms import filters_of
from reservations.day_board.pages import cards
from reservations.day_board.pages.cards import CardContext
from reservations.day_board.pages.urgency import urgency_of
from reservations.service_day.bookings import BoardBooking
from reservations.service_day.day import ServiceDay
from restaurants.models import Restaurant

FEW = 6  # restaurants whose bookings fit below the pulse; of more it reads no single booking
MOST = 5  # bookings of a section
WORTH_KNOWING = {"allergy", "noted", "maybe", "vip", "large"}
LABELS: dict[str, Promise] = {
    "late": _("Late"),
    "requests": _("Requests without an answer"),
    "next": _("Next arrivals"),
    "ahead": _("Later: allergies, VIP, 8 and more"),
}
# The filter of the list that shows a section whole.
FILTERS = {"late": "late", "requests": "requests"}


class NextUpSection(NamedTuple):
    key: str
    label: Promise
    number: int
    more: int  # how many are not shown
    url: str  # of the list with all of them
    html: SafeString


class NextUp(NamedTuple):
    """One restaurant."""

    name: str
    colour: str
    clock: str
    url: str
    sections: list[NextUpSection]

    @property
    def calm(self) -> tuple[bool, ...]:
        """Sorts those that need somebody first: late guests, requests, arrivals, nobody."""
        keys = {section.key for section in self.sections}
        return tuple(key not in keys for key in LABELS)


def next_up(evening: ServiceDay, restaurant: Restaurant, url: str, clock: str) -> NextUp:
    """`url` is the list of the restaurant. Runs the query for the bookings of the evening."""
    bookings = [one for one in evening.bookings if one.restaurant.pk == restaurant.pk]
    found = sections_of(bookings, evening.local_times[restaurant.pk])
    sections = [_section(key, those, url) for key, those in found.items() if those]
    return NextUp(restaurant.name, restaurant.colour, clock, url, sections)


def sections_of(bookings: Iterable[BoardBooking], now: int | None) -> dict[str, list[BoardBooking]]:
    """The bookings in each section, by time: none stands in two of them."""
    found: dict[str, list[BoardBooking]] = {key: [] for key in LABELS}
    for booking in bookings:
        if key := _place_of(booking, now):
            found[key].append(booking)
    later = found["next"][MOST:]
    found["next"] = found["next"][:MOST]
    found["ahead"] = [one for one in later if filters_of(one) & WORTH_KNOWING]
    return found


def _place_of(booking: BoardBooking, now: int | None) -> str:
    if booking.phase.key == "requested":
        return "requests"
    urgency = urgency_of(booking, now)
    return "next" if urgency in ("soon", "later") else "late" if urgency == "late" else ""


def _section(key: str, bookings: list[BoardBooking], url: str) -> NextUpSection:
    shown = bookings[:MOST]
    whole = f"{url}&show={FILTERS[key]}" if key in FILTERS else url
    html = cards.draw_all(shown, CardContext("next"))
    return NextUpSection(key, LABELS[key], len(bookings), len(bookings) - len(shown), whole, html)

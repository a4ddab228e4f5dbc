"""The bookings of a board as rows of a spreadsheet."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from customers.allergies.labels import name_of
from lib.money import exact
from reservations.day_board.pages.boards import Board
from reservations.models import Reservation
from reservations.service_day.bookings import BoardBooking
from reservations.words import offer_kind


def rows(board: Board) -> Iterator[list[Any]]:
    """The header, the bookings that match the filters, in their order, and what may be missing.

    Two queries, and one while a restaurant was never read whole.
    """
    yield _header()
    full = board.evening.reservations.with_guests().defer("raw").in_bulk()
    for booking in board.picked:
        row: Reservation | None = full.get(booking.uuid)
        if row is not None:
            yield [booking.restaurant.name, row.service_day, booking.time,
                   row.party_size, *_names(row), row.status_label, row.meal_status_label,
                   booking.phase.word, row.customer_note, row.restaurant_note,
                   *_does_not_eat(booking), row.channel_label, row.offer_label,
                   offer_kind(row.offer_type, row.offer_menu_type),
                   _bill(row), row.bill_currency, row.created_at, row.uuid]  # fmt: skip
    if words := board.evening.missing.words:
        yield [words]


def _header() -> list[str]:
    return [
        _("Restaurant"),
        _("Day"),
        _("Time"),
        _("Party"),
        _("First name"),
        _("Last name"),
        _("Status"),
        _("Arrival"),
        _("Phase"),
        _("Guest's note"),
        _("Team note"),
        _("Allergies"),
        _("Allergies in notes"),
        _("Perhaps an allergy"),
        _("Diet"),
        _("Diets in notes"),
        _("Channel"),
        _("Offer"),
        _("Kind of offer"),
        _("Bill"),
        _("Currency"),
        pgettext("a booking", "Booked"),
        _("uuid"),
    ]


def _does_not_eat(booking: BoardBooking) -> list[list[str]]:
    """The three certainties of allergies, then the diets: tagged and in notes."""
    noted = booking.note_codes
    stated, maybe, diets = ([name_of(one) for one in codes] for codes in noted)
    return [booking.allergies, stated, maybe, booking.diets, diets]


def _bill(row: Reservation) -> Decimal | None:
    return None if row.bill_amount is None else exact(row.bill_amount, row.bill_currency)


def _names(row: Reservation) -> tuple[str, str]:
    return (row.customer.first_name, row.customer.last_name) if row.customer else ("", "")

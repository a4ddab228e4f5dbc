"""How many bookings of a service day have an allergy in a note, for boards that read no single one.

One query for the bookings whose notes may tell something. In most of them nothing was found when
the row was stored, and these are passed over (`note_decisions.models.ReadNotes`); the others are
read. The same notes come back, and their readings are remembered.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date
from typing import Any, NamedTuple

from django.db.models.utils import create_namedtuple_class

from customers.allergies.version import reading_number
from lib.database.compiled_queries import prepared
from reservations.models import AGGREGATE_FIELDS, Reservation
from reservations.phases import COMING_OR_CAME, Phase
from reservations.service_day.bookings import NOTE_COLUMNS, note_codes_of

STATE = AGGREGATE_FIELDS[:5]  # what the phase of a booking follows from
NotedRow: Any = create_namedtuple_class(*STATE, *NOTE_COLUMNS)


class NotedCounts(NamedTuple):
    """Bookings by restaurant. One with both counts as both: the two are never added up."""

    stated: Counter[int]
    maybe: Counter[int]


def count_noted(day: date, restaurants: list[int], phase_of: Callable[[Any], Phase]) -> NotedCounts:
    """Those who come or came, as in the other sums. One query, none without restaurants."""
    counts = NotedCounts(Counter(), Counter())
    if not restaurants:
        return counts
    rows = _rows_of(day, restaurants, reading_number(), as_stored=True)
    for row in map(NotedRow._make, rows):
        codes = note_codes_of(row)
        if (codes.stated or codes.maybe) and phase_of(row).key in COMING_OR_CAME:
            counts.stated[row.restaurant_id] += bool(codes.stated)
            counts.maybe[row.restaurant_id] += bool(codes.maybe)
    return counts


@prepared
def _rows_of(day: date, restaurant_ids: list[int], reading_number: int) -> Any:
    rows = Reservation.objects.present().for_day(day).for_restaurants(restaurant_ids)
    # First what an index covers: the other rows of guests stay unread.
    telling = rows.that_may_tell(reading_number).with_words()
    return telling.order_by().values_list(*STATE, *NOTE_COLUMNS)

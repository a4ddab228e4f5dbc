"""How many bookings of a service day have an allergy in a note, for boards that read no booking.

The day's sums name the bookings whose notes may tell something. In most notes nothing was found
when the row was stored, and these are passed over (`note_decisions.models.ReadNotes`); the others
are read. The same notes come back, and their readings are remembered.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, NamedTuple

from django.db.models.utils import create_namedtuple_class

from reservations.models import Reservation
from reservations.service_day.bookings import NOTE_COLUMNS, note_codes_of

NotedRow: Any = create_namedtuple_class("restaurant_id", *NOTE_COLUMNS)
AT_ONCE = 5000  # uuids in a query


class NotedCounts(NamedTuple):
    """Bookings by restaurant. One with both counts as both: the two are never added up."""

    stated: Counter[int]
    maybe: Counter[int]


def count_noted(uuids: Iterable[str]) -> NotedCounts:
    """One query, or none without bookings."""
    counts = NotedCounts(Counter(), Counter())
    for row in _rows_of(iter(uuids)):
        codes = note_codes_of(row)
        counts.stated[row.restaurant_id] += bool(codes.stated)
        counts.maybe[row.restaurant_id] += bool(codes.maybe)
    return counts


def _rows_of(uuids: Iterator[str]) -> Iterator[Any]:
    while part := list(islice(uuids, AT_ONCE)):
        rows = Reservation.objects.filter(pk__in=part).with_words().order_by()
        yield from map(NotedRow._make, rows.values_list(*NotedRow._fields))

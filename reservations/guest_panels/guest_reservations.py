"""A guest's bookings as plain database rows, converted only when shown.

Four hundred of them are read for one page, and most are only counted.
"""

import json
from datetime import date, datetime
from decimal import Decimal
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models.utils import create_namedtuple_class

from lib.coerce import amount
from lib.database.compiled_queries import prepared
from reservations.models import Reservation
from reservations.service_day.bookings import as_instant, as_uuid

COLUMNS = (
    "uuid",
    "restaurant_id",
    "meal_at",
    "service_day",
    "local_minutes",
    "party_size",
    "status",
    "meal_status",
    "offer_type",
    "offer_name",
    "bill_amount",
    "bill_currency",
)
Stored: Any = create_namedtuple_class(*COLUMNS)


class GuestReservation(NamedTuple):
    """One booking of a guest: the columns that figures and picture need."""

    row: Any  # the columns above, as stored
    restaurant_id: int
    meal_at: datetime | None
    service_day: date | None
    party_size: int | None
    status: str

    @property
    def uuid(self) -> UUID:
        return as_uuid(self.row.uuid)

    @property
    def bill(self) -> Decimal | None:
        return amount(self.row.bill_amount)

    @property
    def offer_name(self) -> dict[str, str]:
        stored = self.row.offer_name
        found: dict[str, str] = json.loads(stored) if isinstance(stored, str) else stored
        return found


def reservations_of(guest: UUID, group_id: int) -> list[GuestReservation]:
    """Bookings without a date first, then the newest first. One query."""
    found = []
    for stored in _rows(guest, group_id, as_stored=True):
        row = Stored._make(stored)
        at = as_instant(row.meal_at)
        found.append(
            GuestReservation(
                row, row.restaurant_id, at, row.service_day, row.party_size, row.status
            )
        )
    # Databases differ in where NULL sorts: undated ones come first, for they need somebody.
    return sorted(found, key=lambda one: one.meal_at is not None)


@prepared
def _rows(guest: UUID, group_id: int) -> Any:
    rows = Reservation.objects.present().filter(customer=guest, restaurant__group=group_id)
    return rows.order_by("-meal_at").values_list(*COLUMNS)

"""Reads the notes of the coming days again where other word lists read them, or none has.

So that the table of restaurants may pass over those that say nothing. Whatever is stored later is
read as it is stored.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import models, transaction

from customers.allergies.mentions import RowReading, reading_of, sources_of_guest
from customers.allergies.version import reading_number
from customers.models import Customer
from customers.note_decisions.models import unread
from lib.database import bulk
from reservations.models import Reservation, ReservationQuerySet
from reservations.sync import sources_of_booking
from restaurants.models import Restaurant

AHEAD = timedelta(days=8)
ONE_DAY = timedelta(days=1)  # whatever the zone, a running service day has begun after it
AT_ONCE = 500
FIELDS = ("notes_read_by", "notes_tell")


def read_unread(*, now: datetime) -> int:
    """How many rows were read."""
    return _read(Reservation, _unread_bookings(now), _booking_reading) + _read(
        Customer, _unread_guests(now), _guest_reading
    )


def _coming(now: datetime) -> ReservationQuerySet:
    days = (now.date() - ONE_DAY, now.date() + AHEAD)
    restaurants = Restaurant.objects.values_list("pk", flat=True)  # selects the index
    return Reservation.objects.for_restaurants(restaurants).filter(service_day__range=days)


def _unread_bookings(now: datetime) -> list[UUID]:
    rows = _coming(now).filter(unread(reading_number()))
    return list(rows.order_by("pk").values_list("pk", flat=True))


def _unread_guests(now: datetime) -> list[UUID]:
    with_guest = _coming(now).filter(customer__presence__isnull=False)
    rows = with_guest.filter(unread(reading_number(), "customer__"))
    return list(rows.order_by("customer").values_list("customer", flat=True).distinct())


def _booking_reading(row: Reservation) -> RowReading:
    return reading_of(sources_of_booking(row))


def _guest_reading(row: Customer) -> RowReading:
    return reading_of(sources_of_guest(row))


def _read(
    model: type[models.Model], uuids: list[UUID], reading: Callable[[Any], RowReading]
) -> int:
    parts = (uuids[at : at + AT_ONCE] for at in range(0, len(uuids), AT_ONCE))
    return sum(_read_some(model, part, reading) for part in parts)


@transaction.atomic
def _read_some(
    model: type[models.Model], uuids: list[UUID], reading: Callable[[Any], RowReading]
) -> int:
    """Locked, so that a note which is stored meanwhile is not marked by what stood there
    before. A row that is locked already is being stored, and read with that."""
    locked = model._default_manager.select_for_update(skip_locked=True, no_key=True)
    rows: list[Any] = list(locked.filter(pk__in=uuids).defer("raw"))
    for row in rows:
        row.notes_read_by, row.notes_tell = reading(row)
    bulk.update(rows, FIELDS)
    return len(rows)

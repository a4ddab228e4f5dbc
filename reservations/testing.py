"""Reservations for tests: rows as the mirror would have written them."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

from django.utils import timezone

from accounts.models import User
from customers.models import Customer
from outbox.models import Intent
from reservations import actions
from reservations.host_marks.models import HostMarkKind
from reservations.models import HostMark, PrintedBriefing, Reservation
from restaurants.models import Restaurant

LONG_AGO = datetime(2026, 1, 1, 12, tzinfo=UTC)
# A quiet winter Saturday, 20:00 in Paris.
DINNER = datetime(2026, 1, 17, 19, tzinfo=UTC)


def new_reservation(restaurant: Restaurant, **fields: Any) -> Reservation:
    """An unsaved booking for dinner, with its service day."""
    known = {
        "uuid": uuid4(),
        "raw": "{}",
        "meal_at": DINNER,
        "party_size": 2,
        "status": "RECORDED",
        "reservation_channel": "Booking Module",
    }
    seen = dict.fromkeys(("read_at", "first_seen_at", "changed_at"), LONG_AGO)
    reservation = Reservation(restaurant=restaurant, **{**seen, **known, **fields})
    reservation.set_service_day()
    return reservation


def make_reservation(restaurant: Restaurant, **fields: Any) -> Reservation:
    reservation = new_reservation(restaurant, **fields)
    reservation.save(force_insert=True)
    return reservation


def make_visit(restaurant: Restaurant, guest: Customer, *, days: int, **fields: Any) -> Reservation:
    """A booking of the guest, so many days before `DINNER`."""
    return make_reservation(
        restaurant, customer=guest, meal_at=DINNER - timedelta(days=days), **fields
    )


def make_intent(restaurant: Restaurant, **fields: Any) -> Intent:
    """An intent to cancel some booking, unless the fields say otherwise."""
    known = {
        "action": actions.CANCEL,
        "kind": "reservation",
        "uuid": uuid4(),
        "payload": {},
        "created_at": LONG_AGO,
        "not_before": LONG_AGO,
    }
    return Intent.objects.create(restaurant=restaurant, **known | fields)


def make_host_mark(reservation: Reservation, **fields: Any) -> HostMark:
    """A guest who will be here in 20 minutes, unless the fields say otherwise."""
    known = {"kind": HostMarkKind.ON_THE_WAY, "minutes": 20, "made_at": timezone.now()}
    known |= {"restaurant": reservation.restaurant, "service_day": reservation.service_day}
    return reservation.host_marks.create(**known | fields)


def make_printed_briefing(restaurant: Restaurant, day: date, person: User) -> PrintedBriefing:
    """A paper without a line."""
    printed = PrintedBriefing.objects.create(
        service_day=day, printed_by=person, printed_at=timezone.now()
    )
    printed.restaurants.add(restaurant)
    return printed

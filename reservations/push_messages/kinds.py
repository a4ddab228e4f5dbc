"""The kinds of push messages about bookings: what they say, and whether it is still so."""

from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from live.push.kinds import PushKind
from live.push.models import PushEvent
from reservations.briefing.pages import kitchen_line
from reservations.models import STANDING, KitchenAcknowledgement, PrintedLine, Reservation
from reservations.push_messages.notices import CANCELLED, KITCHEN, LARGE, VIP, is_today
from reservations.service_day.bookings import LARGE_PARTY

VIEW = "reservations.view_reservation"


def _holds(**facts: Any) -> Callable[[PushEvent, datetime], bool]:
    """Whether the booking is still as it was noted, and still today's. One query."""

    def holds(event: PushEvent, now: datetime) -> bool:
        row = _booking_of(event, Q(**facts))
        return row is not None and is_today(row, now)

    return holds


def _booking_of(event: PushEvent, wanted: Q) -> Reservation | None:
    uuid = UUID(event.subject.split()[0])
    rows = Reservation.objects.present().filter(wanted, pk=uuid, restaurant=event.restaurant_id)
    return rows.select_related("restaurant").defer("raw").first()


def kitchen_list_changed(event: PushEvent, now: datetime) -> bool:
    """Whether the line differs from what was read last, or has left the list. Nine queries."""
    row = _booking_of(event, Q(status__in=STANDING))
    line = kitchen_line(row, now=now) if row else None
    if line is None:  # cancelled, moved, or without allergy and diet by now
        uuid = event.subject.split()[0]
        was_read = KitchenAcknowledgement.objects.filter(reservation_uuid=uuid).exists()
        return was_read or PrintedLine.objects.filter(reservation_uuid=uuid).exists()
    return line[1].key == "changed" and line[0].booking.phase.key != "left"


def _board(show: str) -> Callable[[PushEvent], str]:
    def url(event: PushEvent) -> str:
        return f"{reverse('reservations:index')}{_scope(event)}&show={show}"

    return url


def _scope(event: PushEvent) -> str:
    return f"?scope={event.restaurant.uuid}" if event.restaurant else "?scope="


PUSH_KINDS_OF_BOOKINGS = (
    PushKind(
        place=10,
        name=LARGE,
        label=_("A large party booked for today"),
        sentence=_("A large party is booked for today."),
        right=VIEW,
        url=_board("large"),
        holds=_holds(status="RECORDED", party_size__gte=LARGE_PARTY),
    ),
    PushKind(
        place=20,
        name=VIP,
        label=_("A VIP booked for today"),
        sentence=_("A VIP is booked for today."),
        right=VIEW,
        url=_board("vip"),
        holds=_holds(status="RECORDED", customer__is_vip=True),
    ),
    PushKind(
        place=30,
        name=CANCELLED,
        label=_("A cancellation within two hours of the meal"),
        sentence=_("A booking within the next two hours was cancelled."),
        right=VIEW,
        url=_board("out"),
        holds=_holds(status="CANCELED"),
        is_urgent=True,
    ),
    PushKind(
        place=40,
        name=KITCHEN,
        label=_("The kitchen’s list changed after it was seen or printed"),
        sentence=_("The kitchen’s list has changed."),
        right="customers.view_health",
        url=lambda event: f"{reverse('reservations:brief')}{_scope(event)}",
        holds=kitchen_list_changed,
        is_urgent=True,
    ),
)

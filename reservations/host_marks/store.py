"""Sets a mark, takes it back, and deletes the marks of past days."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from accounts import audit
from accounts.models import User
from reservations.host_marks.models import HostMark, HostMarkKind
from reservations.models import Reservation, well_before
from reservations.service_day.guest_changes import announce_bookings

ONE_TAP = timedelta(seconds=5)  # the same mark within them is one tap that came twice
# While guests are expected: a call reaches whoever is not here, a table is ready until they sit.
EXPECTED = ("",)
WAITING = ("", "PARTIALLY_ARRIVED", "ARRIVED")


def can_mark(reservation: Reservation, kind: HostMarkKind, *, now: datetime) -> bool:
    """Whether the mark means something: on the running day, until the guest sits."""
    row = reservation
    states = WAITING if kind == HostMarkKind.TABLE_READY else EXPECTED
    return (
        row.presence == Reservation.Presence.PRESENT
        and row.status == "RECORDED"
        and row.meal_status in states
        and row.service_day == row.restaurant.service_day(now)
    )


@transaction.atomic
def set_mark(
    uuid: UUID, kind: HostMarkKind, *, minutes: int | None, user: User, now: datetime
) -> None:
    """Store the mark and announce its booking, unless the guest has come.

    The booking is locked, so that of one tap sent twice one mark is stored.
    """
    row = Reservation.objects.select_for_update(of=("self",)).select_related("restaurant")
    booking = row.get(pk=uuid)
    same = booking.host_marks.filter(kind=kind, minutes=minutes, made_at__gt=now - ONE_TAP)
    if not can_mark(booking, kind, now=now) or same.exists():
        return
    mark = HostMark(reservation=booking, kind=kind, minutes=minutes, made_by=user, made_at=now)
    mark.restaurant, mark.service_day = booking.restaurant, booking.restaurant.service_day(now)
    mark.save()
    _record("marked a booking", mark, user=user)


@transaction.atomic
def withdraw_mark(reservation: Reservation, number: int, *, user: User) -> None:
    """Delete the mark, unless somebody has taken it back before."""
    found = reservation.host_marks.select_for_update().filter(pk=number).first()
    if found:
        _record("took a mark back", found, user=user)
        found.delete()


def _record(verb: str, mark: HostMark, *, user: User) -> None:
    details = {"mark": mark.kind, "minutes": mark.minutes}
    audit.record(user, verb, mark.reservation, details, within=[mark.restaurant])
    announce_bookings(Q(pk=mark.reservation_id))


def delete_past_marks(*, now: datetime) -> int:
    """Delete the marks of service days that are over everywhere. One query."""
    return HostMark.objects.filter(service_day__lt=well_before(now)).delete()[0]

"""What became of the changes that were sent from here, as the boards of a day mark it.

A booking is marked by the same rule by which its drawer shows a change first: see
`ReservationPermissions.news`.
"""

from collections.abc import Collection
from datetime import date
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Subquery

from lib.database.compiled_queries import prepared
from outbox.models import Intent
from reservations.actions import CANCEL, changing
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.models import ENDED, Reservation
from reservations.words import ChangeMark

State = Intent.State
URGENCY = list(ChangeMark)
SHOWN = ("meal_date_text", "party_size", "restaurant_note", "status")
# A booking with its group: the service of another account may have answered with any uuid.
BookingKey = tuple[UUID, int]


class ChangeRow(NamedTuple):
    pk: int
    uuid: UUID
    group: int
    state: str
    problem: str


def changes_of_day(day: date, restaurants: Collection[int]) -> dict[BookingKey, ChangeMark]:
    """The marks of the bookings of a day that have one. One query, which begins with the bookings,
    and two more while one was carried out that is not read yet.

    A refusal counts until another change of the booking, unless that was undone, or until somebody
    has answered it. A change that was carried out counts until its booking was read again. What was
    sent before the booking moved to another restaurant of its group counts, too.
    """
    rows = [ChangeRow(*row) for row in _changes_of(day, list(restaurants))]
    shown = _shown([row.pk for row in rows if row.state == State.DONE])
    found = [((row.uuid, row.group), _mark(row)) for row in rows if row.pk not in shown]
    return dict(sorted(found, key=lambda pair: URGENCY.index(pair[1])))  # the most urgent is last


@prepared
def _changes_of(day: date, restaurants: list[int]) -> Any:
    booked = Reservation.objects.present().for_day(day).filter(restaurant__in=restaurants)
    later = Intent.objects.about("reservation", OuterRef("uuid"))
    later = later.filter(created_at__gt=OuterRef("created_at")).exclude(state=State.WITHDRAWN)
    is_outdated = Q(state=State.REFUSED) & ~Q(problem=CHANGED_MEANWHILE) & Exists(later)
    read_at = Reservation.objects.filter(pk=OuterRef("uuid")).values("read_at")
    is_unread = Q(state=State.DONE, ended_at__gt=Subquery(read_at))
    rows = Intent.objects.filter(
        Q(state__in=Intent.UNSETTLED) | is_unread,
        kind="reservation",
        uuid__in=booked.order_by().values("pk"),
    )
    rows = rows.exclude(is_outdated).exclude(state=State.REFUSED, problem="").order_by()
    return rows.values_list("pk", "uuid", "restaurant__group", "state", "problem")


def _mark(row: ChangeRow) -> ChangeMark:
    if row.state == State.ASKS or row.problem == CHANGED_MEANWHILE:
        return ChangeMark.ASKS
    return ChangeMark.REFUSED if row.state == State.REFUSED else ChangeMark.UNDER_WAY


def _shown(done: list[int]) -> set[int]:
    """Those changes whose bookings show them already, although they were not read since."""
    if not done:
        return set()
    intents = Intent.objects.filter(pk__in=done).only("uuid", "action", "payload")
    copies = Reservation.objects.only(*SHOWN).in_bulk({one.uuid for one in intents})
    return {one.pk for one in intents if one.uuid in copies and _is_shown(one, copies[one.uuid])}


def _is_shown(intent: Intent, booking: Reservation) -> bool:
    if intent.action == CANCEL:
        return booking.status in ENDED
    copy = changing.State(booking.meal_date_text, booking.party_size, booking.restaurant_note)
    return copy.has(intent.payload.get("changes", {}))

"""What became of the changes that were sent from here, as the boards of a day mark it.

A booking is marked by the same rule by which its drawer shows a change first: see
`ReservationPermissions.news`.
"""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Subquery

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


def changes_of_day(day: date, restaurants: Collection[int]) -> dict[BookingKey, ChangeMark]:
    """The marks of the bookings of a day that have one. One query, which begins with the bookings,
    and rarely a second.

    A refusal counts until another change of the booking, unless that was undone, or until somebody
    has answered it. A change that was carried out counts until its booking was read again. What was
    sent before the booking moved to another restaurant counts, too.
    """
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
    facts = rows.select_related("restaurant")
    intents = list(facts.only("uuid", "state", "problem", "action", "payload", "restaurant__group"))
    done = {one.uuid for one in intents if one.state == State.DONE}
    shown = booked.only(*SHOWN).in_bulk(done) if done else {}
    found = [
        ((one.uuid, one.restaurant.group_id), _mark(one))
        for one in intents
        if one.uuid and not (one.uuid in shown and _is_shown(one, shown[one.uuid]))
    ]
    return dict(sorted(found, key=lambda pair: URGENCY.index(pair[1])))  # the most urgent is last


def _mark(intent: Intent) -> ChangeMark:
    if intent.state == State.ASKS or intent.problem == CHANGED_MEANWHILE:
        return ChangeMark.ASKS
    return ChangeMark.REFUSED if intent.state == State.REFUSED else ChangeMark.UNDER_WAY


def _is_shown(intent: Intent, booking: Reservation) -> bool:
    """Whether a change that was carried out is to be seen already."""
    if intent.state != State.DONE:
        return False
    if intent.action == CANCEL:
        return booking.status in ENDED
    copy = changing.State(booking.meal_date_text, booking.party_size, booking.restaurant_note)
    return copy.has(intent.payload.get("changes", {}))

"""What became of the changes that were sent from here, as the boards of a day mark it.

A booking is marked by the same rule by which its drawer shows a change first: see
`ReservationPermissions.news`.
"""

from collections.abc import Collection
from datetime import date
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from outbox.models import Intent
from reservations.actions.changing import CHANGED_MEANWHILE
from reservations.models import Reservation
from reservations.words import ChangeMark

State = Intent.State
URGENCY = list(ChangeMark)
# A booking with its group: the service of another account may have answered with any uuid.
BookingKey = tuple[UUID, int]


def changes_of_day(day: date, restaurants: Collection[int]) -> dict[BookingKey, ChangeMark]:
    """The marks of the bookings of a day that have one. One query, which begins with the bookings.

    A refusal counts until another change of the booking, unless that was undone, or until somebody
    has answered it. What was sent before the booking moved to another restaurant counts, too.
    """
    booked = Reservation.objects.present().for_day(day).filter(restaurant__in=restaurants)
    later = Intent.objects.about("reservation", OuterRef("uuid"))
    later = later.filter(created_at__gt=OuterRef("created_at")).exclude(state=State.WITHDRAWN)
    is_outdated = Q(state=State.REFUSED) & ~Q(problem=CHANGED_MEANWHILE) & Exists(later)
    unsettled = Intent.objects.filter(
        kind="reservation",
        uuid__in=booked.order_by().values("pk"),
        state__in=Intent.UNSETTLED,
    )
    rows = unsettled.exclude(is_outdated).exclude(state=State.REFUSED, problem="").order_by()
    facts = rows.select_related("restaurant")
    facts = facts.only("uuid", "state", "problem", "restaurant__group")
    found = [((one.uuid, one.restaurant.group_id), _mark(one)) for one in facts if one.uuid]
    return dict(sorted(found, key=lambda pair: URGENCY.index(pair[1])))  # the most urgent is last


def _mark(intent: Intent) -> ChangeMark:
    if intent.state == State.ASKS or intent.problem == CHANGED_MEANWHILE:
        return ChangeMark.ASKS
    return ChangeMark.REFUSED if intent.state == State.REFUSED else ChangeMark.UNDER_WAY

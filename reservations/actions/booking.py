"""Book a table, and find out whether a booking whose end is unknown exists.

The API knows no key against doubles, so the list is the only witness: of the meals around that day
those written since the wish, made through this API, for the same moment, size and e-mail address.
"""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from customers.models import Customer
from lib import columns
from lib.labels import readable
from mirror import short_lists
from mirror.kinds import Hint
from outbox.models import Intent
from outbox.registry import Found, Look, Rest, Settled
from partner.bodies import NewCustomer
from partner.entity_checks import missing_fields
from partner.errors import Foreign, NotFound, NotOurs
from reservations import sync
from reservations.models import Reservation
from reservations.wall import moment

CHANNEL = "Marketplace Manager API"
# The two clocks are not the same clock, and `createdAt` may be cut to whole seconds.
SKEW = timedelta(minutes=2)
A_DAY = timedelta(days=1)
ANSWERS = {
    "RECORDED": _("Confirmed."),
    "REQUESTED": _("Asked, not confirmed. Waiting for the restaurant."),
    "REFUSED": _("Refused: there is no table."),
    "CANCELED": _("Cancelled at once: there is no table."),
    "NO_SHOW": _("Recorded as a no-show: there is no table."),
}
OTHER_ANSWER = _("The service answered: %(status)s.")


def send(client: Any, intent: Intent) -> Any:
    wish = intent.payload
    offer = wish.get("offer_uuid")
    return client.create_reservation(
        intent.restaurant.uuid,
        meal_date=wish["meal_date"],
        party_size=wish["party_size"],
        customer=NewCustomer(**wish["customer"]),
        offer_uuid=UUID(offer) if offer else None,
        customer_note=wish.get("customer_note") or None,
        restaurant_note=wish.get("restaurant_note") or None,
    )


def forget(wish: dict[str, Any]) -> Rest:
    """What an evening is counted by may stay; for nobody no table is booked."""
    telling = ("customer", "customer_note", "restaurant_note")
    return Rest({k: v for k, v in wish.items() if k not in telling}, is_a_wish=False)


def settle(_intent: Intent, answer: Any) -> Settled:
    """A good answer is no promise: only RECORDED is confirmed."""
    booked = answer.entity
    status = booked.status or ""
    params = {"status": status if status in ANSWERS else readable(status)}
    return Settled(booked.reservation_uuid, ANSWERS.get(status, OTHER_ANSWER), params)


def look(client: Any, intent: Intent) -> Look:
    found = Look(Found.NOT_DONE)
    for uuid in candidates(client, intent):
        look_at = _judge(client, intent, uuid)
        if look_at.found is Found.DONE:
            return look_at
        if look_at.found is Found.UNSURE:
            found = look_at
    return found


def candidates(client: Any, intent: Intent) -> list[UUID]:
    """What may be this booking: written since the wish, for around that day, and not known before.

    Measured from the wish, not from the last sending: the first may show up after a second.
    """
    meal = moment(intent.payload["meal_date"])
    if meal is None:
        return []
    restaurant = intent.restaurant
    day = (meal if meal.tzinfo else restaurant.at(meal.date(), meal.time())).astimezone(UTC).date()
    since = intent.created_at - SKEW
    written = set(
        client.reservation_uuids(
            restaurant=restaurant.uuid,
            start=since.astimezone(UTC).date(),
            end=timezone.now().astimezone(UTC).date() + A_DAY,
            by="updatedDate",
        )
    )
    first, last = day - A_DAY, day + A_DAY
    around = list(
        client.reservation_uuids(restaurant=restaurant.uuid, start=first, end=last, by="mealDate")
    )
    here = Hint(restaurant.group.uuid, restaurant.uuid)
    held = sync.held(here, first, last, "mealDate").count()
    if short_lists.is_short(len(around), held=held):
        # A list that leaves out most of what is known would not name the new booking either.
        raise Foreign(method="GET", code="SHORT_LIST")
    new = [uuid for uuid in around if uuid in written]
    known = Reservation.objects.filter(uuid__in=new, first_seen_at__lt=since)
    others = Intent.objects.exclude(pk=intent.pk).filter(result_uuid__in=new)
    taken = {*known.values_list("uuid", flat=True), *others.values_list("result_uuid", flat=True)}
    return [uuid for uuid in new if uuid not in taken]


def _judge(client: Any, intent: Intent, uuid: UUID) -> Look:
    try:
        answer = client.reservation(uuid)
    except (NotFound, NotOurs):
        return Look(Found.NOT_DONE)
    if missing_fields(answer.drift):
        return Look(Found.UNSURE)
    booking = answer.entity
    wish = intent.payload
    fits = (
        booking.party_size == wish["party_size"]
        and booking.reservation_channel == CHANNEL
        and _same_moment(booking.meal_date, intent)
        and _is_since(booking.created_at, intent.created_at - SKEW)
    )
    if not fits:
        return Look(Found.NOT_DONE)
    email = _email_of(client, booking.customer_uuid)
    if email is None:
        return Look(Found.UNSURE)
    same = email.casefold() == wish["customer"]["email"].casefold()
    return Look(Found.DONE, uuid) if same else Look(Found.NOT_DONE)


def _same_moment(meal_date: datetime | None, intent: Intent) -> bool:
    wished = moment(intent.payload["meal_date"])
    if meal_date is None or wished is None:
        return False
    if meal_date.tzinfo is None or wished.tzinfo is None:
        # A value without an offset is the restaurant's local time: compare wall with wall.
        return meal_date.replace(tzinfo=None) == wished.replace(tzinfo=None)
    return meal_date == wished


def _is_since(created_at: datetime | None, since: datetime) -> bool:
    created = columns.instant(created_at)
    return created is None or created >= since


def _email_of(client: Any, uuid: UUID | None) -> str | None:
    """The guest's address, from our copy or else from the service; None if nobody knows."""
    if uuid is None:
        return None
    ours = Customer.objects.filter(uuid=uuid).exclude(email="").values_list("email", flat=True)
    if known := ours.first():
        return known
    try:
        email: str | None = client.customer(uuid).entity.email
    except (NotFound, NotOurs):
        return None
    return email

"""The action that books a table, and checks whether a booking with unknown outcome exists.

The API has no idempotency key, so the list is the only evidence: bookings near that day, created
since the intent through this API, for the same time, size and e-mail address. Another one of this
guest may have been changed since, or dated by another clock, so a person decides.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from customers.models import Customer
from lib import coerce
from lib.labels import readable
from lib.text import words_of
from mirror.jobs import short_lists
from mirror.kinds import EntityLocation
from outbox.models import Intent
from outbox.registry import Found, Look, Redacted, Settled, only
from outbox.transitions import renew_lease
from partner.errors import Foreign, Malformed, MissingScope, NotFound, NotOurs, Refused
from partner.payloads.answers import missing_fields
from partner.payloads.bodies import NewCustomer
from partner.payloads.emails import is_same_email
from partner.payloads.paging import PARTS
from reservations import sync
from reservations.actions import openings
from reservations.guarantees import CheckResult, check_choice
from reservations.models import ENDED, STANDING, Reservation
from reservations.service_clock import place_in_time
from reservations.words import notice_of

CHANNEL = "Marketplace Manager API"
# The service's clock differs from ours, and `createdAt` may be cut to whole seconds.
SKEW = timedelta(minutes=2)
# A clock may be wrong by more, and `createdAt` may come in the time of another zone.
MOST_SKEW = timedelta(days=1)
A_DAY = timedelta(days=1)
# A time that was read longer ago is read again before the booking leaves.
CHECKED_FOR = timedelta(seconds=30)
ANSWERS = {
    "RECORDED": _("Confirmed."),
    "REQUESTED": _("Asked, not confirmed. Waiting for the restaurant."),
    "REFUSED": _("Refused: there is no table."),
    "CANCELED": _("Cancelled at once: there is no table."),
    "NO_SHOW": _("Recorded as a no-show: there is no table."),
}
OTHER_ANSWER = _("The service answered: %(status)s.")
WITHOUT_STATUS = _("Booked. The service did not say yet whether it is confirmed.")
NOT_AS_SENT = _("The service answered with other values: %(time)s, party of %(size)s.")
OTHER_NOTE = _("The service did not take over the note as it was sent.")
TELL_THE_GUEST = _("Tell the guest, or change the booking.")
COMPARE = _("Open the booking and compare it.")
IS_OTHER = "is_other"


def send(client: Any, intent: Intent) -> Any:
    payload = intent.payload
    offer = payload.get("offer_uuid")
    if _has_waited(intent) and not payload.get("without_slot"):
        _check_time(client, intent)
        renew_lease(intent)
    return client.create_reservation(
        intent.restaurant.uuid,
        meal_date=payload["meal_date"],
        party_size=payload["party_size"],
        customer=NewCustomer(**payload["customer"]),
        offer_uuid=UUID(offer) if offer else None,
        customer_note=payload.get("customer_note") or None,
        restaurant_note=payload.get("restaurant_note") or None,
    )


def _has_waited(intent: Intent) -> bool:
    """Whether its time was not read just before it was submitted, or long ago."""
    age = timezone.now() - intent.created_at
    return bool(intent.payload.get("is_unchecked")) or age > CHECKED_FOR


def _check_time(client: Any, intent: Intent) -> None:
    """Refuse a booking whose time is gone: with some keys the service takes it all the same."""
    payload, place = intent.payload, intent.restaurant
    at = place_in_time(payload["meal_date"], place)
    if at is None or at <= timezone.now():
        return  # the request itself is refused
    size, offer = payload["party_size"], payload.get("offer_uuid")
    wanted = {"party_size": size, "offer": UUID(offer) if offer else None}
    try:
        for slots in openings.fresh_lists(client, place, at, **wanted):
            slot = next((slot for slot in slots if slot.instant == at.astimezone(UTC)), None)
            if slot is None:
                continue
            result = check_choice(slot.rules, **wanted).result
            if result is CheckResult.FREE:
                return
            if result is CheckResult.NEEDS_GUARANTEE:
                raise Refused(code="PAYMENT_GUARANTEE_NOT_SUPPORTED")
    except MissingScope:
        return  # this key reads no times
    raise Refused(code="NO_AVAILABILITY")


def redact(payload: dict[str, Any]) -> Redacted:
    """Keep what a service day is counted by. A redacted booking cannot be sent."""
    kept = ("meal_date", "party_size", "offer_uuid", "without_slot", "is_unchecked")
    return Redacted(only(payload, kept), can_be_sent=False)


def confirms(intent: Intent, answer: Any) -> bool:
    """Whether the answer names a booking that no other intent has made."""
    return not _results_of_others([answer.entity.reservation_uuid], intent)


def settle(intent: Intent, answer: Any) -> Settled:
    """A successful answer confirms nothing by itself: only RECORDED does, and what it names."""
    booked, params = answer.entity, {}
    if booked.status:
        params["status"] = booked.status if booked.status in ANSWERS else readable(booked.status)
    if booked.status not in ENDED and (other := _not_as_sent(intent, answer)):
        return other._replace(uuid=booked.reservation_uuid, params={**other.params, **params})
    sentence = ANSWERS.get(booked.status, OTHER_ANSWER) if params else WITHOUT_STATUS
    return Settled(booked.reservation_uuid, sentence, params)


def _not_as_sent(intent: Intent, answer: Any) -> Settled | None:
    """What the answer contradicts: a time or a size, else a note. One that it lacks is none."""
    sent, requested = intent.payload, _requested_time(intent)
    at = _answered_time(answer, intent) or requested
    size = answer.entity.party_size or sent["party_size"]
    if size != sent["party_size"] or at != requested:
        time = intent.restaurant.local(at) if at else "?"
        params = {"time": time, "size": size, IS_OTHER: True}
        return Settled(sentence=NOT_AS_SENT, params=params, next_step=TELL_THE_GUEST)
    for name, key in (("customer_note", "customerNote"), ("restaurant_note", "restaurantNote")):
        note, there = sent.get(name) or "", coerce.text(getattr(answer.entity, name))
        if key in answer.payload and " ".join(words_of(note)) not in " ".join(words_of(there)):
            return Settled(sentence=OTHER_NOTE, params={IS_OTHER: True}, next_step=COMPARE)
    return None


def is_other(intent: Intent) -> bool:
    """Whether the service booked something else than was sent."""
    return bool(intent.message.get("params", {}).get(IS_OTHER))


def answered_status(intent: Intent) -> str:
    """The status that the service answered a booking with, or "" while there is none."""
    known = intent.message.get("params", {}).get("status")
    is_done = intent.state == Intent.State.DONE
    return known if is_done and isinstance(known, str) else ""


def word(intent: Intent) -> str:
    """In place of “Booked”, for a booking that is requested only, or has no table."""
    status = answered_status(intent)
    if is_other(intent) and status in ("", "RECORDED"):
        return gettext("Booked, but not as sent")
    return "" if status in ("", "RECORDED") else str(notice_of(status).title)


def look(client: Any, intent: Intent) -> Look:
    client.before_page = partial(renew_lease, intent)  # long lists take longer than a lease
    uuids, is_whole = candidates(client, intent)
    found = Look(Found.NOT_DONE if is_whole else Found.UNSURE)
    for uuid in uuids:
        renew_lease(intent)  # after an outage there are more than can be read within one
        look_at = _compare(client, intent, uuid)
        if look_at.found is Found.DONE:
            look_at = _claim(intent, look_at)
        if look_at.found is Found.DONE:
            return look_at
        if look_at.found is Found.UNSURE:
            found = look_at
    return found


def _claim(intent: Intent, match: Look) -> Look:
    """Accept a matching booking, unless another intent for the same table made it, or may have."""
    if any(_is_twin(other.payload, intent.payload) for other in _may_have_made_it(intent)):
        return Look(Found.UNSURE)
    is_taken = match.uuid is not None and bool(_results_of_others([match.uuid], intent))
    return Look(Found.NOT_DONE) if is_taken else match


def _may_have_made_it(intent: Intent) -> QuerySet[Intent]:
    """Those that are being sent. For one that was refused, those that are looked for as well."""
    states = [Intent.State.SENDING]
    if intent.state == Intent.State.SENDING:
        states.append(Intent.State.CHECKING)
    rows = Intent.objects.filter(state__in=states, action=intent.action)
    return rows.filter(restaurant=intent.restaurant_id).exclude(pk=intent.pk)


def _is_twin(one: dict[str, Any], other: dict[str, Any]) -> bool:
    emails = {payload.get("customer", {}).get("email", "").casefold() for payload in (one, other)}
    same = all(one.get(name) == other.get(name) for name in ("meal_date", "party_size"))
    return same and len(emails) == 1


def _results_of_others(uuids: list[UUID], intent: Intent) -> set[UUID | None]:
    rows = Intent.objects.exclude(pk=intent.pk).filter(result_uuid__in=uuids)
    return set(rows.values_list("result_uuid", flat=True))


def candidates(client: Any, intent: Intent) -> tuple[list[UUID], bool]:
    """Bookings that may be this one: created since the intent, near that day, not known before.

    And whether the lists name all that they count. Created since the intent, not since the last
    attempt, because the first may show up after a second.
    """
    restaurant = intent.restaurant
    meal = _requested_time(intent)
    if meal is None:
        return [], True
    day = meal.astimezone(UTC).date()
    since = intent.created_at - SKEW
    written, is_whole = _listed(
        client.reservation_uuids(
            restaurant=restaurant.uuid,
            start=(since - MOST_SKEW).astimezone(UTC).date(),
            end=(timezone.now() + MOST_SKEW).astimezone(UTC).date(),
            by="updatedDate",
        )
    )
    first, last = day - A_DAY, day + A_DAY  # it may have been moved by a little since
    around, is_also_whole = _listed(
        client.reservation_uuids(restaurant=restaurant.uuid, start=first, end=last, by="mealDate")
    )
    here = EntityLocation(restaurant.group.uuid, restaurant.uuid)
    held = sync.held(here, first, last, "mealDate").count()
    if short_lists.is_short(len(around), held=held):
        # A list that leaves out most known bookings would not name the new one either.
        raise Foreign(method="GET", code="SHORT_LIST")
    new = [uuid for uuid in around if uuid in written]
    known = Reservation.objects.filter(uuid__in=new, first_seen_at__lt=since)
    taken = set(known.values_list("uuid", flat=True)) | _results_of_others(new, intent)
    return [uuid for uuid in new if uuid not in taken], is_whole and is_also_whole


def _listed(uuids: Iterator[UUID]) -> tuple[list[UUID], bool]:
    """What a list names, and whether that is all: it may be a part, or count too many."""
    named = []
    try:
        for uuid in uuids:
            named.append(uuid)
    except Malformed as error:
        if error.code not in PARTS:
            raise
        return named, False
    return named, True


def _compare(client: Any, intent: Intent, uuid: UUID) -> Look:
    try:
        answer = client.reservation(uuid)
    except (NotFound, NotOurs):
        return Look(Found.NOT_DONE)
    if missing_fields(answer.drift):
        return Look(Found.UNSURE)
    booking, payload = answer.entity, intent.payload
    at = _answered_time(answer, intent)
    is_same_time = at is not None and at == _requested_time(intent)
    is_same_size = booking.party_size == payload["party_size"]
    created, since = coerce.instant(booking.created_at), intent.created_at - SKEW
    if created and created < since - MOST_SKEW:
        return Look(Found.NOT_DONE)
    if not (is_same_time or is_same_size):
        return Look(Found.NOT_DONE)
    is_guest = _is_guest(client, booking.customer_uuid, payload["customer"])
    if is_guest is False:
        return Look(Found.NOT_DONE)
    is_alike = is_same_time and is_same_size and booking.reservation_channel == CHANNEL
    is_new = created is not None and created >= since and booking.status in STANDING
    is_it = is_guest and is_alike and is_new
    return Look(Found.DONE, uuid, settle(intent, answer)) if is_it else Look(Found.UNSURE)


def _answered_time(answer: Any, intent: Intent) -> datetime | None:
    """The instant, because a value without an offset is the restaurant's local time."""
    text = answer.payload.get("mealDate")
    return place_in_time(text, intent.restaurant) if isinstance(text, str) else None


def _requested_time(intent: Intent) -> datetime | None:
    return place_in_time(intent.payload["meal_date"], intent.restaurant)


def _is_guest(client: Any, uuid: UUID | None, requested: dict[str, Any]) -> bool | None:
    """Whether this guest has that address; None if it is unknown, or only the number matches.

    The copy is enough for a yes. A no is checked with the service, because the copy may be older.
    """
    if uuid is None:
        return None
    if Customer.objects.filter(uuid=uuid, email__iexact=requested["email"]).exists():
        return True
    try:
        guest = client.customer(uuid).entity
    except (NotFound, NotOurs, MissingScope):
        return None
    if not guest.email:
        return None
    has_number = bool(guest.phone) and guest.phone == requested.get("phone")
    is_same = is_same_email(guest.email, requested["email"])
    return is_same or (None if has_number else False)

"""Writing reservations: create, change, cancel."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from partner_sandbox.endpoints.paths import path_restaurant
from partner_sandbox.endpoints.reservations import SCOPES, find_own
from partner_sandbox.entities import availability, customers, reservations
from partner_sandbox.entities.availability import Bookable
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.http import fields
from partner_sandbox.http.errors import invalid, refuse
from partner_sandbox.http.fields import MISSING, Body
from partner_sandbox.life import future
from partner_sandbox.service import SandboxCall, SandboxEndpoint
from partner_sandbox.vocabulary import CIVILITIES

UNRESTRICTED = "svc-restaurant:unrestricted-reservations"
UTC_ZONE = ZoneInfo("UTC")
NOTE_AT_CREATION = (0, 1000)
NOTE_AT_CHANGE = (0, 3000)
GUEST_FIELDS = ("email", "firstName", "lastName", "locale", "civility", "phone", "optins")


@dataclass(frozen=True)
class Wanted:
    """A booking as it was requested."""

    place: SandboxRestaurant
    meal: int
    text: str  # mealDate as the client spelt it
    size: int
    offer: bytes | None
    guest: dict[str, Any]
    notes: dict[str, str | None]


def create(call: SandboxCall) -> dict[str, Any]:
    body = call.body(
        "mealDate", "partySize", "offerUuid", "customerNote", "restaurantNote", "customer"
    )
    wanted = _read_wanted(call, body)
    if wanted.meal < call.service.clock.now():
        raise invalid("mealDate")
    with call.service.store.writing() as db:
        return _book(call, db, wanted, _claim_table(call, db, wanted))


def _read_wanted(call: SandboxCall, body: Body) -> Wanted:
    text, size = body.text("mealDate"), body.positive("partySize")
    offer = body.uuid("offerUuid", required=False)
    notes = {
        name: body.text(name, required=False, nullable=True, length=NOTE_AT_CREATION) or None
        for name in ("customerNote", "restaurantNote")
    }
    guest = read_guest(body.nested("customer", GUEST_FIELDS))
    _must_be_instant(text)
    place = path_restaurant(call)
    meal = _meal_instant(text, place)
    return Wanted(place, meal, text, size, None if offer is MISSING else offer, guest, notes)


def read_guest(body: Body) -> dict[str, Any]:
    guest = {
        "email": body.text("email", fields.EMAIL, length=(3, 320)),
        "firstName": body.text("firstName"),
        "lastName": body.text("lastName"),
        "locale": body.text("locale", fields.LOCALE),
        "civility": body.choice("civility", CIVILITIES),
    }
    phone = body.text("phone", fields.PHONE, required=False)
    optins = body.nested("optins", ("restaurantNewsletter",), required=False)
    if phone is not MISSING:
        guest["phone"] = phone
    # True subscribes; false and silence change nothing (contract: Optins).
    if optins and optins.boolean("restaurantNewsletter", required=False, default=False):
        guest["optins"] = {"restaurantNewsletter": True}
    return guest


def _must_be_instant(text: str) -> None:
    """A malformed date is 400 even where the restaurant is unknown: the body is read first."""
    if fields.parse_instant(text, UTC_ZONE) is None:
        raise invalid("mealDate")


def _meal_instant(text: str, place: SandboxRestaurant) -> int:
    meal = fields.parse_instant(text, place.zone)
    if meal is None:
        raise invalid("mealDate")
    return meal


def _claim_table(call: SandboxCall, db: sqlite3.Connection, wanted: Wanted) -> bytes | None:
    """The offer that the booking is linked to, or the refusal of the booking."""
    item = find_slot(call, db, wanted.place, wanted.meal)
    _note_spelling(call, item, wanted.text)
    if UNRESTRICTED in call.scopes:
        return wanted.offer if wanted.place.offer(wanted.offer) else None
    check_table(wanted.place, item, wanted.size, wanted.offer)
    return wanted.offer


def find_slot(
    call: SandboxCall, db: sqlite3.Connection, place: SandboxRestaurant, meal: int, *, but: int = 0
) -> Bookable | None:
    """The slot that begins at this instant, with what is left of it."""
    day = datetime.fromtimestamp(meal / 1000, tz=place.zone).date()
    items = availability.bookable(db, place, day, call.service.clock.now(), but=but)
    return next((item for item in items if item.slot.instant == meal), None)


def _note_spelling(call: SandboxCall, item: Bookable | None, text: str) -> None:
    if item is not None and item.slot.text != text:
        call.breaches.append("meal_date_respelt")


def check_table(
    place: SandboxRestaurant, item: Bookable | None, size: int, wanted: bytes | None
) -> None:
    if item is None:
        raise refuse(400, "NO_AVAILABILITY")
    offer = place.offer(wanted)
    fitting = item.offers_for(place, size)
    free = item.normal_for(place, size) if wanted is None else offer in fitting
    if not free:
        raise refuse(400, "NO_AVAILABILITY")
    if availability.needs_guarantee(place, item, size, offer):
        raise refuse(400, "PAYMENT_GUARANTEE_NOT_SUPPORTED")


def _book(
    call: SandboxCall, db: sqlite3.Connection, wanted: Wanted, offer: bytes | None
) -> dict[str, Any]:
    place, now = wanted.place, call.service.clock.now()
    known = customers.find_by_email(db, place.group_id, wanted.guest["email"])
    if known is not None and reservations.overlaps(db, place, known["id"], wanted.meal):
        raise refuse(409, "DOUBLE_BOOKING")
    customer = _merge_guest(call, db, wanted, known)
    status = "REQUESTED" if wanted.size >= place.request_from else "RECORDED"
    row = reservations.insert(
        db,
        place,
        now,
        customer_id=customer["id"],
        meal=wanted.meal,
        party_size=wanted.size,
        status=status,
        offer=offer,
        body=wanted.notes,
    )
    if status == "REQUESTED":
        future.plan(call.service, db, "answer_request", row["id"])
    call.service.events.reservation("reservationCreated", row["uuid"], place)
    return reservations.written_payload(db, row, place)


def _merge_guest(call: SandboxCall, db: sqlite3.Connection, wanted: Wanted, known: Any) -> Any:
    """One profile per e-mail address and group; a later booking brings it up to date."""
    place, guest, now = wanted.place, wanted.guest, call.service.clock.now()
    if known is None:
        origin = {"originRestaurantUuid": place.uuid, "originRestaurantName": place.name}
        row = customers.insert(db, place.group_id, {**guest, **origin}, now)
        call.service.events.customer("customerCreated", row["uuid"], place.group_uuid)
        return row
    if customers.change(db, known, {**guest, "email": known["email"]}, now):
        call.service.events.customer("customerUpdated", known["uuid"], place.group_uuid)
    return customers.find(db, known["uuid"])


def update(call: SandboxCall) -> dict[str, Any]:
    body = call.body("mealDate", "partySize", "restaurantNote")
    text = body.text("mealDate", required=False, nullable=True)
    size = body.positive("partySize", required=False)
    note = body.text("restaurantNote", required=False, nullable=True, length=NOTE_AT_CHANGE)
    if text:
        _must_be_instant(text)
    with call.service.store.writing() as db:
        row, place = find_own(call, db)
        meal = row["meal"] if text in (MISSING, None) else _meal_instant(text, place)
        size = row["party_size"] if size is MISSING else size
        new: dict[str, Any] = {"meal": meal, "party_size": size}
        if (meal, size) != (row["meal"], row["party_size"]):
            _check_move(call, db, (row, place), new)
        if text and text != reservations.local_text(place, meal):
            _note_spelling(call, find_slot(call, db, place, meal), text)
        if note is not MISSING:
            new["body"] = {"restaurantNote": note}
        row = reservations.change(db, row, call.service.clock.now(), **new)
        call.service.events.reservation("reservationUpdated", row["uuid"], place)
        return reservations.written_payload(db, row, place)


def _check_move(
    call: SandboxCall,
    db: sqlite3.Connection,
    found: tuple[Any, SandboxRestaurant],
    new: dict[str, Any],
) -> None:
    row, place = found
    if row["status"] not in reservations.TAKES_A_TABLE:
        raise refuse(400, "")
    meal, size = new["meal"], new["party_size"]
    moved = meal != row["meal"]
    if moved and meal < call.service.clock.now():
        raise invalid("mealDate")
    item = find_slot(call, db, place, meal, but=row["id"])
    if moved or item is not None:
        check_table(place, item, size, row["offer"])
    guest = row["customer_id"]
    if guest and reservations.overlaps(db, place, guest, meal, but=row["id"]):
        raise refuse(409, "DOUBLE_BOOKING")


def cancel(call: SandboxCall) -> dict[str, Any]:
    if call.request.body.strip() not in (b"", b"{}"):
        raise invalid("body", breach="unknown_field")
    with call.service.store.writing() as db:
        row, place = find_own(call, db)
        if row["status"] == "CANCELED":
            raise refuse(409, "DOUBLE_CANCELLATION")
        if (
            row["status"] not in reservations.TAKES_A_TABLE
            or row["meal"] < call.service.clock.now()
        ):
            raise refuse(400, "CANCELLATION_ERROR")
        row = reservations.change(db, row, call.service.clock.now(), status="CANCELED")
        call.service.events.reservation("reservationUpdated", row["uuid"], place)
        return reservations.cancelled_payload(row, place)


ENDPOINTS = [
    SandboxEndpoint(
        "create_reservation", "POST", "/v1/restaurants/{id}/reservations", create, SCOPES
    ),
    SandboxEndpoint("update_reservation", "PATCH", "/v1/reservations/{id}", update, SCOPES),
    SandboxEndpoint("cancel_reservation", "PATCH", "/v1/reservations/{id}/cancel", cancel, SCOPES),
]

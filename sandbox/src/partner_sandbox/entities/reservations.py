"""Reservations: rows, answers, changes."""

import json
import sqlite3
import uuid
from datetime import datetime
from typing import Any

from partner_sandbox.clock import MINUTE, SECOND, utc_text
from partner_sandbox.entities import customers
from partner_sandbox.entities.directory import Offer, SandboxRestaurant

TAKES_A_TABLE = ("RECORDED", "REQUESTED")
API_CHANNEL = "Marketplace Manager API"
STAY = 120 * MINUTE  # two meals of one guest that are closer than this overlap

FIND = (
    "SELECT r.*, c.uuid AS customer_uuid FROM reservation r"
    " LEFT JOIN customer c ON c.id = r.customer_id WHERE "
)
FIND_BY_UUID = FIND + "r.uuid=?"
FIND_BY_ID = FIND + "r.id=?"


def find(db: sqlite3.Connection, raw: bytes) -> Any:
    return db.execute(FIND_BY_UUID, (raw,)).fetchone()


def local_text(place: SandboxRestaurant, instant: int) -> str:
    """Spell a meal time as the service does: local, whole seconds, with the offset of that day."""
    return datetime.fromtimestamp(instant // SECOND, tz=place.zone).isoformat(timespec="seconds")


def uuid_text(raw: bytes | None) -> str | None:
    return None if raw is None else str(uuid.UUID(bytes=raw))


def payload(row: Any, place: SandboxRestaurant) -> dict[str, Any]:
    """The answer of GET /v1/reservations/{id}."""
    body = json.loads(row["body"])
    offer = place.offer(row["offer"])
    usual = {
        "reservationUuid": uuid_text(row["uuid"]),
        "restaurantUuid": place.uuid,
        "mealDate": local_text(place, row["meal"]),
        "mealStatus": row["meal_status"],
        "partySize": row["party_size"],
        "status": row["status"],
        "offerUuid": uuid_text(row["offer"]),
        "customerNote": body.get("customerNote"),
        "restaurantNote": body.get("restaurantNote"),
        "customerUuid": uuid_text(row["customer_uuid"]),
        "customFields": body.get("customFields"),
        "offerDetails": offer_details(offer, place) if offer else None,
        "utmTrackingInformation": body.get("utmTrackingInformation"),
        "billAmount": body.get("billAmount"),
        "reservationChannel": row["channel"],
        "createdAt": utc_text(row["created"]),
        "updatedAt": utc_text(row["updated"]),
    }
    return {**usual, **body.get("answer", {})}


def offer_details(offer: Offer, place: SandboxRestaurant) -> dict[str, Any]:
    is_menu = offer.kind == "presetMenu"
    return {
        "offerType": offer.kind,
        "name": offer.names,
        "discountPercentage": offer.discount,
        "presetMenuType": offer.preset_type,
        "price": offer.price,
        "currency": place.currency if is_menu else None,
    }


def written_payload(db: sqlite3.Connection, row: Any, place: SandboxRestaurant) -> dict[str, Any]:
    """The answer of a booking and of a change: with the guest, without the bookkeeping."""
    full = payload(row, place)
    names = [
        "reservationUuid",
        "restaurantUuid",
        "mealDate",
        "mealStatus",
        "partySize",
        "status",
        "offerUuid",
        "customerNote",
        "restaurantNote",
    ]
    guest = None
    if row["customer_id"] is not None:
        guest = db.execute("SELECT * FROM customer WHERE id=?", (row["customer_id"],)).fetchone()
    return {**{name: full[name] for name in names}, "customer": customers.short_payload(guest)}


def cancelled_payload(row: Any, place: SandboxRestaurant) -> dict[str, Any]:
    full = payload(row, place)
    names = [
        "reservationUuid",
        "restaurantUuid",
        "mealDate",
        "partySize",
        "status",
        "offerUuid",
        "customerNote",
        "customerUuid",
    ]
    return {name: full[name] for name in names}


def insert(db: sqlite3.Connection, place: SandboxRestaurant, now: int, **columns: Any) -> Any:
    body = columns.pop("body", {})
    row = {
        "uuid": uuid.uuid4().bytes,
        "restaurant_id": place.id,
        "customer_id": None,
        "status": "RECORDED",
        "meal_status": None,
        "channel": API_CHANNEL,
        "offer": None,
        "created": now,
        "updated": now,
        **columns,
        "body": customers.compact(body),
    }
    db.execute(
        "INSERT INTO reservation (uuid, restaurant_id, customer_id, status, meal_status, channel,"
        " offer, created, updated, meal, party_size, body) VALUES (:uuid, :restaurant_id,"
        " :customer_id, :status, :meal_status, :channel, :offer, :created, :updated, :meal,"
        " :party_size, :body)",
        row,
    )
    return find(db, row["uuid"])


def change(db: sqlite3.Connection, row: Any, now: int, **columns: Any) -> Any:
    """Write new values; `body` holds the fields of the JSON column to replace."""
    body = {**json.loads(row["body"]), **columns.pop("body", {})}
    new = {**dict(row), **columns, "body": customers.compact(body), "updated": now}
    db.execute(
        "UPDATE reservation SET meal=:meal, party_size=:party_size, status=:status,"
        " meal_status=:meal_status, body=:body, updated=:updated WHERE id=:id",
        new,
    )
    return db.execute(FIND_BY_ID, (row["id"],)).fetchone()


def overlaps(
    db: sqlite3.Connection, place: SandboxRestaurant, customer_id: int, meal: int, *, but: int = 0
) -> bool:
    """Whether this guest already has a table here at that time."""
    row = db.execute(
        "SELECT 1 FROM reservation WHERE customer_id=? AND meal>? AND meal<? AND restaurant_id=?"
        " AND status IN ('RECORDED', 'REQUESTED') AND id<>?",
        (customer_id, meal - STAY, meal + STAY, place.id, but),
    ).fetchone()
    return row is not None

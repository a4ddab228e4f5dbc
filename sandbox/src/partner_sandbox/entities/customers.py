"""Customers: rows, answers, and the merging of guests by e-mail within a group."""

import json
import sqlite3
import uuid
from typing import Any

from partner_sandbox.clock import utc_text

NOTHING: dict[str, Any] = dict.fromkeys(
    [
        "firstName",
        "lastName",
        "secondaryPhone",
        "birthDate",
        "locale",
        "civility",
        "rank",
        "computedRank",
        "isVip",
        "isPromoter",
        "address",
        "country",
        "city",
        "zipcode",
        "allergiesAndIntolerances",
        "dietaryRestrictions",
        "spendingBehaviour",
        "customerRelationship",
        "riskLevel",
        "otherTags",
        "favFood",
        "favDrinks",
        "favSeating",
        "notes",
        "originRestaurantUuid",
        "originRestaurantName",
    ]
)
FIND = "SELECT * FROM customer WHERE uuid=?"


def find(db: sqlite3.Connection, raw: bytes) -> Any:
    return db.execute(FIND, (raw,)).fetchone()


def payload(row: Any) -> dict[str, Any]:
    """The answer of GET /v1/customers/{id}."""
    body = json.loads(row["body"])
    optins = body.pop("optins", {"restaurantNewsletter": False})
    custom_fields = body.pop("customFields", None)
    return {
        "customerUuid": str(uuid.UUID(bytes=row["uuid"])),
        "email": row["email"],
        "phone": row["phone"],
        **NOTHING,
        **body,
        "creationDate": utc_text(row["created"]),
        "lastUpdateDate": utc_text(row["updated"]),
        "optins": optins,
        "customFields": custom_fields,
    }


def short_payload(row: Any) -> dict[str, Any] | None:
    """The customer inside the answer of a booking or a change."""
    if row is None:
        return None
    full = payload(row)
    names = [
        "customerUuid",
        "email",
        "firstName",
        "lastName",
        "phone",
        "locale",
        "civility",
        "optins",
    ]
    return {name: full[name] for name in names}


def find_by_email(db: sqlite3.Connection, group_id: int, email: str) -> Any:
    return db.execute(
        "SELECT * FROM customer WHERE group_id=? AND email=? COLLATE NOCASE ORDER BY id LIMIT 1",
        (group_id, email),
    ).fetchone()


def insert(db: sqlite3.Connection, group_id: int, fields: dict[str, Any], now: int) -> Any:
    fields = dict(fields)
    email, phone = fields.pop("email", None), fields.pop("phone", None)
    raw = uuid.uuid4().bytes
    db.execute(
        "INSERT INTO customer (uuid, group_id, email, phone, created, updated, body)"
        " VALUES (?,?,?,?,?,?,?)",
        (raw, group_id, email, phone, now, now, compact(fields)),
    )
    return find(db, raw)


def change(db: sqlite3.Connection, row: Any, fields: dict[str, Any], now: int) -> bool:
    """Write what differs; False, and no new update time, when nothing does."""
    body = json.loads(row["body"])
    fields = dict(fields)
    email, phone = fields.pop("email", row["email"]), fields.pop("phone", row["phone"])
    changed = {**body, **fields}
    if changed == body and (email, phone) == (row["email"], row["phone"]):
        return False
    db.execute(
        "UPDATE customer SET email=?, phone=?, body=?, updated=? WHERE id=?",
        (email, phone, compact(with_caution(changed)), now, row["id"]),
    )
    return True


def with_caution(body: dict[str, Any]) -> dict[str, Any]:
    """Setting the rank `caution` adds the tag `caution` by itself (contract: Customer)."""
    tags = body.get("riskLevel") or []
    if body.get("rank") == "caution" and "caution" not in tags:
        return {**body, "riskLevel": [*tags, "caution"]}
    return body


def compact(body: dict[str, Any]) -> str:
    kept = {name: value for name, value in body.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))

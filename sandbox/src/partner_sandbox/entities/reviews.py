"""Reviews: rows, answers, comments, replies."""

import json
import sqlite3
from datetime import datetime
from typing import Any

from partner_sandbox.clock import SECOND, utc_text
from partner_sandbox.entities.customers import compact
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.entities.reservations import uuid_text

FIND = (
    "SELECT v.*, c.uuid AS customer_uuid, c.body AS customer_body, r.uuid AS reservation_uuid"
    " FROM review v JOIN customer c ON c.id = v.customer_id"
    " LEFT JOIN reservation r ON r.id = v.reservation_id WHERE "
)
FIND_BY_UUID = FIND + "v.uuid=?"
FIND_BY_ID = FIND + "v.id=?"
OFFSET_ONE_IN = 5  # the contract allows UTC or an offset: one restaurant-spelt review in five


def find(db: sqlite3.Connection, raw: bytes) -> Any:
    return db.execute(FIND_BY_UUID, (raw,)).fetchone()


def find_by_id(db: sqlite3.Connection, number: int) -> Any:
    return db.execute(FIND_BY_ID, (number,)).fetchone()


def payload(row: Any, place: SandboxRestaurant) -> dict[str, Any]:
    """The answer of GET /v1/reviews/{id}."""
    body = json.loads(row["body"])
    guest = json.loads(row["customer_body"])
    return {
        "reviewUuid": uuid_text(row["uuid"]),
        "restaurantUuid": place.uuid,
        "isValid": bool(row["is_valid"]),
        "createdTs": _spell(row, place, row["created"]),
        "updatedTs": _spell(row, place, row["updated"]),
        "reservation": {
            "reservationUuid": uuid_text(row["reservation_uuid"]),
            "mealDate": utc_text(row["meal"]) if row["reservation_uuid"] else None,
        },
        "customer": {
            "customerUuid": uuid_text(row["customer_uuid"]),
            "firstName": guest.get("firstName"),
            "lastName": guest.get("lastName"),
        },
        "dinerRating": body["rating"],
        "comment": _text(body.get("comment"), row["comment_status"]),
        "experienceDetail": body.get("experience"),
        "restaurantReply": reply_payload(row),
    }


def _spell(row: Any, place: SandboxRestaurant, instant: int) -> str | None:
    if row["id"] % OFFSET_ONE_IN:
        return utc_text(instant)
    moment = datetime.fromtimestamp(instant / SECOND, tz=place.zone)
    return moment.isoformat(timespec="milliseconds")


def reply_payload(row: Any) -> dict[str, Any] | None:
    return _text(json.loads(row["body"]).get("reply"), row["reply_status"])


def stored(row: Any, part: str) -> dict[str, Any]:
    """The comment or the reply as it lies in the row; empty when there is none."""
    return json.loads(row["body"]).get(part) or {}


def _text(stored: dict[str, Any] | None, status: str | None) -> dict[str, Any] | None:
    """A comment or a reply: both have the same seven fields."""
    if stored is None:
        return None
    return {
        "content": stored["content"],
        "language": stored.get("language"),
        "publicationStatus": status,
        "createdTs": utc_text(stored["created"]),
        "updatedTs": utc_text(stored["updated"]),
        "publishedTs": utc_text(stored.get("published")),
        "moderationReason": stored.get("reason"),
    }


def change(db: sqlite3.Connection, row: Any, now: int, **columns: Any) -> Any:
    body = {**json.loads(row["body"]), **columns.pop("body", {})}
    new = {**dict(row), **columns, "body": compact(body), "updated": now}
    db.execute(
        "UPDATE review SET is_valid=:is_valid, comment_status=:comment_status,"
        " reply_status=:reply_status, body=:body, updated=:updated WHERE id=:id",
        new,
    )
    return find_by_id(db, row["id"])


def moderate(db: sqlite3.Connection, row: Any, part: str, now: int, **fate: str | None) -> Any:
    """Give a comment or a reply its place in moderation: `status`, and `reason` if it has one."""
    text = {**stored(row, part), "updated": now, "reason": fate.get("reason")}
    if fate["status"] == "PUBLISHED":
        text["published"] = now
    return change(db, row, now, body={part: text}, **{f"{part}_status": fate["status"]})

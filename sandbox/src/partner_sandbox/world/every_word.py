"""Every enum word and every odd form that the contract allows, in the small world.

What chance gives rarely or never is put on rows that chance has made, the oldest first, so that
the evenings to come stay as they are.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator
from typing import Any

from partner_sandbox import vocabulary
from partner_sandbox.dice import dice, random_uuid
from partner_sandbox.entities.customers import compact
from partner_sandbox.world.opinions import text_of
from partner_sandbox.world.texts.names import fits

GROUP = 1  # the one that clients may see
ODD_LOCALES = ("pt_BR", "en_US", "zh_CN", "fr_CA", "fr", "ca_ES", "nb_NO", "he_IL")
# An answer's own spelling of fields that are always there, and may be null or empty.
ODD_BOOKINGS: tuple[dict[str, Any], ...] = (
    {"mealDate": None},
    {"createdAt": None, "updatedAt": None},
    {"customFields": [], "utmTrackingInformation": []},
    {"billAmount": {"totalPrice": 87.455, "currency": "TND"}},
    {"offerDetails": {"offerType": "presetMenu", "name": None, "presetMenuType": None}},
    {"offerDetails": {"offerType": "promotion", "name": {}, "discountPercentage": 12.5}},
)
# How a text stands in moderation, by what the prefix of a reason says.
COMMENT_FATES = (
    ("PUBLISHED", vocabulary.PUBLISHED_REASONS),
    ("WAITING_REFORMULATE", vocabulary.REFORMULATE_REASONS),
    ("REJECTED", vocabulary.REJECT_REASONS),
)
REPLY_FATES = (
    ("WAITING_REFORMULATE", vocabulary.REFORMULATE_REPLY_REASONS),
    ("REJECTED", vocabulary.REJECT_REPLY_REASONS),
)
SPELLINGS: tuple[Callable[[dict[str, Any]], str], ...] = (
    compact,
    lambda body: compact(
        {**body, "firstName": body["lastName"], "lastName": body["firstName"], "civility": None}
    ),
    lambda body: compact(body | {"firstName": body["firstName"].upper()}),
)
WITHDRAWN = ("ARCHIVED", "DELETED")


def add_every_word(db: sqlite3.Connection) -> None:
    _add_twins(db)
    _change_guests(db)
    _change_bookings(db)
    _change_reviews(db)


def _change_guests(db: sqlite3.Connection) -> None:
    rows = _rows(db, "SELECT id, body FROM customer WHERE group_id=? ORDER BY id")
    for word in vocabulary.CIVILITIES:
        bearer = next(row for row in rows if fits(word, json.loads(row["body"])["firstName"]))
        _write(db, "customer", bearer, {"civility": word})
    changes: list[dict[str, Any]] = [_rank(word) for word in vocabulary.RANKS]
    changes += [{"locale": locale} for locale in ODD_LOCALES]
    changes += [{"secondaryPhone": "ask at the bar", "isVip": None, "isPromoter": None}]
    for change, row in zip(changes, rows, strict=False):
        _write(db, "customer", row, change)


def _rank(word: str) -> dict[str, Any]:
    """Setting `caution` adds the tag by itself (contract: Customer)."""
    return {"rank": word, "riskLevel": ["caution"] if word == "caution" else None}


def _add_twins(db: sqlite3.Connection) -> None:
    """Three guests who have a second profile, as a second address or a typing mistake makes it."""
    # Each condition is one pass over its table, which has no index yet.
    guests = db.execute(
        "SELECT * FROM customer WHERE group_id=?1 AND phone LIKE '+%' AND email IS NOT NULL"
        " AND phone IN (SELECT phone FROM customer WHERE group_id=?1"
        "  GROUP BY phone HAVING COUNT(*)=1)"
        " AND id IN (SELECT customer_id FROM reservation GROUP BY customer_id HAVING COUNT(*)>1)"
        " ORDER BY id DESC LIMIT ?2",
        (GROUP, len(SPELLINGS)),
    ).fetchall()
    for row, spell in zip(guests, SPELLINGS, strict=True):
        body = spell(json.loads(row["body"]))
        uuid = random_uuid(dice("twin", row["uuid"].hex()))
        twin = db.execute(
            "INSERT INTO customer (uuid, group_id, email, phone, created, updated, body)"
            " VALUES (?,?,?,?,?,?,?)",
            (uuid, GROUP, f"2.{row['email']}", row["phone"], row["created"], row["updated"], body),
        ).lastrowid
        db.execute(
            "UPDATE reservation SET customer_id=? WHERE id=(SELECT MAX(r.id) FROM reservation r"
            " LEFT JOIN review v ON v.reservation_id=r.id WHERE r.customer_id=? AND v.id IS NULL)",
            (twin, row["id"]),
        )


def _change_bookings(db: sqlite3.Connection) -> None:
    """Arrivals that nobody brought to an end, and odd forms of visits that are over."""
    forgotten = _of_visits(db, "status='RECORDED' AND meal_status IS NULL")
    for word, row in zip(vocabulary.MEAL_STATUSES, forgotten, strict=False):
        db.execute("UPDATE reservation SET meal_status=? WHERE id=?", (word, row["id"]))
    over = _of_visits(db, "meal_status='LEFT' AND offer IS NULL")
    for answer, row in zip(ODD_BOOKINGS, over, strict=False):
        _write(db, "reservation", row, {"answer": answer})


def _of_visits(db: sqlite3.Connection, condition: str) -> Iterator[Any]:
    """Past visits: the world begins a fortnight back, so the oldest are over."""
    return _rows(
        db,
        "SELECT r.id, r.body FROM reservation r JOIN restaurant p ON p.id = r.restaurant_id"  # noqa: S608  a condition of ours
        f" WHERE p.group_id=? AND {condition} ORDER BY r.meal, r.id LIMIT 50",
    )


def _change_reviews(db: sqlite3.Connection) -> None:
    rows = _commented(db)
    for status, reasons in COMMENT_FATES:
        for reason in reasons:
            _moderate(db, next(rows), "comment", status, reason)
    for status in WITHDRAWN:
        _moderate(db, next(rows), "comment", status, None)
    answered = (row for row in rows if row["reply_status"])
    for status, reasons in REPLY_FATES:
        for reason in reasons:
            _moderate(db, next(answered), "reply", status, reason)
    for status in (*WITHDRAWN, "NOT_REVIEWED"):
        _moderate(db, next(answered), "reply", status, None)
    _rate_all(db, answered)


def _commented(db: sqlite3.Connection) -> Iterator[Any]:
    """Published comments, those without a reply first: they are of no use to a reply's fate."""
    return _rows(
        db,
        "SELECT v.id, v.body, v.reply_status FROM review v JOIN restaurant p"
        " ON p.id = v.restaurant_id WHERE p.group_id=? AND v.comment_status='PUBLISHED'"
        " ORDER BY v.reply_status IS NOT NULL, v.created, v.id",
    )


def _moderate(db: sqlite3.Connection, row: Any, part: str, status: str, reason: str | None) -> None:
    text = {**json.loads(row["body"])[part], "reason": reason}
    if status not in ("PUBLISHED", "ARCHIVED"):
        text.pop("published", None)
    _write(db, "review", row, {part: text})
    db.execute(f"UPDATE review SET {part}_status=? WHERE id=?", (status, row["id"]))  # noqa: S608  one of two words above


def _rate_all(db: sqlite3.Connection, rows: Iterator[Any]) -> None:
    """Every word of the three scales, and every occasion."""
    for number, occasion in enumerate(vocabulary.OCCASIONS):
        row = next(rows)
        words = {
            "priceEvaluation": vocabulary.PRICES[number],
            "waitingTimeEvaluation": vocabulary.WAITING_TIMES[number],
            "noiseLevelEvaluation": vocabulary.NOISE_LEVELS[number],
        }
        body = json.loads(row["body"])
        rating, language = body["rating"] | words, body["comment"].get("language") or "en"
        content = text_of(dice("every word", number), language, rating)
        comment = body["comment"] | {"content": content}
        experience = {"occasion": occasion}
        _write(db, "review", row, {"rating": rating, "comment": comment, "experience": experience})


def _rows(db: sqlite3.Connection, query: str) -> Iterator[Any]:
    return iter(db.execute(query, (GROUP,)).fetchall())


def _write(db: sqlite3.Connection, kind: str, row: Any, change: dict[str, Any]) -> None:
    body = compact({**json.loads(row["body"]), **change})
    db.execute(f"UPDATE {kind} SET body=? WHERE id=?", (body, row["id"]))  # noqa: S608  one of three words above

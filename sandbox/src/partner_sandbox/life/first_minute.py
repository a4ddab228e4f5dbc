"""What a newcomer to the demo finds where dinner is on: something of everything.

Chance brings most of it. What it did not bring is added at each start, without events, as all
that is caught up: a late party, a VIP who is expected, an allergy in words, an open request, and
last night's bad review.
"""

import json
import sqlite3
import uuid
from datetime import datetime, timedelta
from random import Random
from typing import Any

from partner_sandbox.clock import DAY, HOUR, MINUTE, SECOND
from partner_sandbox.dice import dice
from partner_sandbox.entities import availability, customers, reservations
from partner_sandbox.entities.customers import compact
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.service import SandboxService
from partner_sandbox.webhooks.events import OWNER
from partner_sandbox.world import opinions, people
from partner_sandbox.world.texts.notes import ALLERGY_NOTES

MIDDLE_FROM = 45  # minutes after the first table of a dinner
MIDDLE_UNTIL = 60  # minutes before the last one
FULLEST = 105  # minutes after the first table
OPEN_REQUESTS = 6  # of all restaurants, beside those of tonight
LAST_ANSWER = 20 * MINUTE  # before the meal
EXPECTED = (10 * MINUTE, 2 * HOUR)
LATE = (-46 * MINUTE, -16 * MINUTE)
STILL_LATE = 12  # minutes from now
LAST_NIGHT = (-44 * HOUR, -12 * HOUR)
LOW = 3.4  # of ten
LOW_UNTIL = 5
ANSWERABLE = (45 * MINUTE, 6 * HOUR)
LEAST_EXPECTED = 7
QUARTER = 15 * MINUTE
FREE_GUESTS = """
    SELECT DISTINCT customer_id FROM reservation WHERE restaurant_id=? AND meal<?
    AND customer_id NOT IN (
        SELECT customer_id FROM reservation
        WHERE restaurant_id=? AND meal>=? AND customer_id IS NOT NULL
    )
    ORDER BY meal DESC LIMIT 20
"""
GUEST = (
    "SELECT r.*, c.body AS guest FROM reservation r JOIN customer c ON c.id = r.customer_id"
    " WHERE r.restaurant_id=? AND r.meal>=? AND r.meal<? AND r.status='RECORDED'"
)


def dinner_minutes(place: SandboxRestaurant, now: int) -> tuple[int, int] | None:
    """Minutes since the first and until the last table of the dinner that is under way."""
    local = datetime.fromtimestamp(now / SECOND, tz=place.zone)
    for back in (0, 1):
        day = local.date() - timedelta(days=back)
        minute = local.hour * 60 + local.minute + back * 24 * 60
        for service in place.services:
            fits = service.name == "dinner" and day.weekday() in service.weekdays
            if fits and service.start <= minute <= service.end:
                return minute - service.start, service.end - minute
    return None


def is_at_dinner(place: SandboxRestaurant, now: int) -> bool:
    """Whether dinner is in its middle: guests sit, and an hour of arrivals is to come."""
    minutes = dinner_minutes(place, now)
    return minutes is not None and minutes[0] >= MIDDLE_FROM and minutes[1] >= MIDDLE_UNTIL


def at_dinner(service: SandboxService, now: int) -> list[SandboxRestaurant]:
    """The restaurants in the middle of dinner, the one that is nearest to its fullest first."""
    found = [
        (abs((dinner_minutes(place, now) or (0, 0))[0] - FULLEST), place.id)
        for place in service.directory.restaurants.values()
        if service.directory.groups[place.group_id].owner == OWNER and is_at_dinner(place, now)
    ]
    return [service.directory.restaurants[number] for _away, number in sorted(found)]


def delay_parties(service: SandboxService) -> None:
    """Before the evening is played: let one party of each dinner be late."""
    now = service.clock.now()
    for place in at_dinner(service, now):
        with service.store.writing() as db:
            if not _coming(db, place, now, LATE):
                _book(db, place, [(now + LATE[1]) // QUARTER * QUARTER], now)
            due = _coming(db, place, now, LATE)
            if due:
                minutes = (now - due[-1]["meal"]) // MINUTE + STILL_LATE
                _note(db, due[-1], {"late": minutes})


def set_the_scene(service: SandboxService) -> None:
    """After the evening has been played: add what is lacking."""
    now = service.clock.now()
    for place in at_dinner(service, now):
        luck = dice("first minute", place.uuid, now // DAY)
        with service.store.writing() as db:
            lacking = LEAST_EXPECTED - len(_coming(db, place, now, EXPECTED))
            slots = _slots(db, place, now, EXPECTED)
            _book(db, place, [luck.choice(slots) for _ in range(lacking)], now)
            coming = _coming(db, place, now, EXPECTED)
            _expect_a_vip(db, coming, now)
            _note_an_allergy(db, place, coming)
            _request_a_table(db, place, now)
            _complain(db, luck, place, now)


def _slots(
    db: sqlite3.Connection, place: SandboxRestaurant, now: int, window: tuple[int, int]
) -> list[int]:
    local = datetime.fromtimestamp(now / SECOND, tz=place.zone).date()
    return [
        slot.instant
        for day in (local, local + timedelta(days=1))
        for slot in availability.open_slots(db, place, day)
        if now + window[0] <= slot.instant < now + window[1]
    ]


def _book(
    db: sqlite3.Connection, place: SandboxRestaurant, meals: list[int], now: int, **columns: Any
) -> None:
    """Bookings of guests who were here before and have none tonight."""
    guests = db.execute(FREE_GUESTS, (place.id, now - 2 * DAY, place.id, now - 8 * HOUR))
    for meal, guest in zip(meals, guests.fetchall(), strict=False):
        usual = {"party_size": 2 + meal // QUARTER % 3, "channel": "Booking Module"}
        created = now - 26 * HOUR
        row = {"customer_id": guest["customer_id"], "created": created, "updated": created}
        reservations.insert(db, place, now, meal=meal, **{**usual, **row, **columns})


def _coming(
    db: sqlite3.Connection, place: SandboxRestaurant, now: int, window: tuple[int, int]
) -> list[Any]:
    """Parties with a profile that have not arrived, by the hour of their tables."""
    query = f"{GUEST} AND r.meal_status IS NULL ORDER BY r.meal, r.id"
    return db.execute(query, (place.id, now + window[0], now + window[1])).fetchall()


def _note(db: sqlite3.Connection, row: Any, fields: dict[str, Any]) -> None:
    """Change what the booking carries, and leave its times as they are."""
    body = compact({**json.loads(row["body"]), **fields})
    db.execute("UPDATE reservation SET body=? WHERE id=?", (body, row["id"]))


def _expect_a_vip(db: sqlite3.Connection, coming: list[Any], now: int) -> None:
    if coming and not any(json.loads(row["guest"]).get("isVip") for row in coming):
        query = "SELECT * FROM customer WHERE id=?"
        guest = db.execute(query, (coming[0]["customer_id"],)).fetchone()
        customers.change(db, guest, {"isVip": True}, now - HOUR)


def _note_an_allergy(db: sqlite3.Connection, place: SandboxRestaurant, coming: list[Any]) -> None:
    written = {json.loads(row["body"]).get("customerNote") for row in coming}
    tables = [row for row in coming[1:] if row["party_size"] > 2] or coming[1:]
    if tables and not written & set(ALLERGY_NOTES.values()):
        text = ALLERGY_NOTES.get(place.locale[:2], ALLERGY_NOTES["en"])
        _note(db, tables[0], {"customerNote": text})


def _request_a_table(db: sqlite3.Connection, place: SandboxRestaurant, now: int) -> None:
    """A table for tonight that nobody has answered yet; this one waits for a person."""
    query = "SELECT 1 FROM reservation WHERE restaurant_id=? AND meal>=? AND meal<? AND status=?"
    if db.execute(query, (place.id, now, now + 6 * HOUR, "REQUESTED")).fetchone():
        return
    slots = _slots(db, place, now, ANSWERABLE)
    asking = {"party_size": place.request_from, "status": "REQUESTED", "channel": "Marketplace"}
    written = now - 25 * MINUTE
    _book(db, place, slots[:1], now, created=written, updated=written, **asking)


def _complain(db: sqlite3.Connection, luck: Random, place: SandboxRestaurant, now: int) -> None:
    """A bad review of last night, published and not answered."""
    waiting = db.execute(
        "SELECT 1 FROM review WHERE restaurant_id=? AND created>=? AND comment_status='PUBLISHED'"
        " AND reply_status IS NULL AND json_extract(body, '$.rating.globalRating')<?",
        (place.id, now - 3 * DAY, LOW_UNTIL),
    ).fetchone()
    visit = db.execute(
        f"{GUEST} AND r.meal_status='LEFT' AND NOT EXISTS"  # noqa: S608  ours
        " (SELECT 1 FROM review v WHERE v.reservation_id=r.id) ORDER BY r.meal DESC LIMIT 1",
        (place.id, now + LAST_NIGHT[0], now + LAST_NIGHT[1]),
    ).fetchone()
    if not waiting and visit:
        _write_review(db, luck, place, visit, now)


def _write_review(
    db: sqlite3.Connection, luck: Random, place: SandboxRestaurant, visit: Any, now: int
) -> None:
    rated = opinions.rating(luck, LOW)
    language = people.language_of(json.loads(visit["guest"]))
    seen = opinions.Visit(place, visit["party_size"], language)
    written = now - 5 * HOUR
    comment = opinions.comment(luck, seen, rated, written)
    comment |= {"updated": now - 3 * HOUR, "published": now - 3 * HOUR}
    db.execute(
        "INSERT INTO review (uuid, restaurant_id, reservation_id, customer_id, meal, is_valid,"
        " comment_status, created, updated, body) VALUES (?,?,?,?,?,1,'PUBLISHED',?,?,?)",
        (
            uuid.uuid4().bytes,
            place.id,
            visit["id"],
            visit["customer_id"],
            visit["meal"],
            written,
            comment["updated"],
            compact({"rating": rated, "comment": comment}),
        ),
    )


def answer_old_requests(service: SandboxService, *, keep: int = OPEN_REQUESTS) -> None:
    """A group of this size answers within hours: only the newest requests are still open."""
    now, query = service.clock.now(), f"{reservations.FIND} r.status='REQUESTED'"
    with service.store.writing() as db:
        rows = db.execute(f"{query} ORDER BY r.created DESC, r.id").fetchall()
        ours = [row for row in rows if _is_ours(service, row)]
        waiting = [row["id"] for row in ours if row["meal"] > now + LAST_ANSWER][:keep]
        for row in ours:
            if row["id"] not in waiting:
                answered = min(row["created"] + 2 * HOUR, now)
                reservations.change(db, row, answered, status="RECORDED")


def _is_ours(service: SandboxService, row: Any) -> bool:
    place = service.directory.restaurants[row["restaurant_id"]]
    return service.directory.groups[place.group_id].owner == OWNER

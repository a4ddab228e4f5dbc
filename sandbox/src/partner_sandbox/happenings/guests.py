"""What guests do before they come, and what is known about them."""

import json
from datetime import date, datetime, timedelta
from random import Random
from typing import Any

from partner_sandbox.clock import DAY, HOUR, MINUTE
from partner_sandbox.entities import availability, customers, reservations, reviews
from partner_sandbox.entities.availability import Bookable
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.happenings.happening import Happening, NotPossible, describe
from partner_sandbox.life import future
from partner_sandbox.vocabulary import RANKS
from partner_sandbox.world import people
from partner_sandbox.world.bookings import CHANNELS, PARTY_SIZES
from partner_sandbox.world.texts import notes

Done = dict[str, Any] | None
COMING = (MINUTE, 21 * DAY)
TRIES = 6
LARGE_PARTY = 8
LATE = 20 * MINUTE
ARRIVES_AFTER = 40  # minutes after its time


def new_booking(happening: Happening) -> Done:
    """A guest books a table, on any channel."""
    luck = happening.service.luck
    for _ in range(TRIES):
        place = happening.place()
        size = int(happening.options.get("party_size") or luck.choice(PARTY_SIZES))
        item = _free_slot(happening, place, size)
        if item is not None:
            return _book(happening, place, item, size)
    return None


def _free_slot(happening: Happening, place: SandboxRestaurant, size: int) -> Bookable | None:
    luck = happening.service.luck
    today = datetime.fromtimestamp(happening.now / 1000, tz=place.zone).date()
    day = today + timedelta(days=0 if luck.random() < 0.5 else luck.randint(1, 14))
    if "date" in happening.options:
        day = date.fromisoformat(str(happening.options["date"]))
    items = availability.bookable(happening.db, place, day, happening.now)
    free = [item for item in items if item.normal_for(place, size)]
    return luck.choice(free) if free else None


def _book(happening: Happening, place: SandboxRestaurant, item: Bookable, size: int) -> Done:
    luck = happening.service.luck
    guest = _some_guest(happening, place)
    if reservations.overlaps(happening.db, place, guest["id"], item.slot.instant):
        return None
    asks = size >= place.request_from or luck.random() < 0.08
    status = happening.option(
        "status", ("RECORDED", "REQUESTED"), "REQUESTED" if asks else "RECORDED"
    )
    row = reservations.insert(
        happening.db,
        place,
        happening.now,
        customer_id=guest["id"],
        meal=item.slot.instant,
        party_size=size,
        status=status,
        channel=luck.choice(CHANNELS),
        body={"customerNote": _note(luck, guest, size) if luck.random() < 0.3 else None},
    )
    if status == "REQUESTED":
        future.plan(happening.service, happening.db, "answer_request", row["id"])
    happening.service.events.reservation("reservationCreated", row["uuid"], place)
    return describe(row, place)


def _note(luck: Random, guest: Any, size: int) -> str:
    return notes.guest_note(luck, people.language_of(json.loads(guest["body"])), size)


def _some_guest(happening: Happening, place: SandboxRestaurant) -> Any:
    known = happening.any_customer(place) if happening.service.luck.random() < 0.45 else None
    return known or _new_guest(happening, place)


def _new_guest(happening: Happening, place: SandboxRestaurant) -> Any:
    luck: Random = happening.service.luck
    number = happening.db.execute("SELECT MAX(id) FROM customer").fetchone()[0] or 0
    new = people.guest(luck, happening.service.seed, number + 1, place)
    fields = {**new.body, "email": new.email, "phone": new.phone}
    row = customers.insert(happening.db, place.group_id, fields, happening.now)
    happening.service.events.customer("customerCreated", row["uuid"], place.group_uuid)
    return row


def walk_in(happening: Happening) -> Done:
    """A party is seated without a booking and without a profile."""
    place = _open_place(happening)
    row = reservations.insert(
        happening.db,
        place,
        happening.now,
        meal=happening.now // MINUTE * MINUTE,
        party_size=happening.service.luck.choice((1, 2, 2, 2, 3, 4)),
        meal_status="SEATED",
        channel="Walk-in",
    )
    happening.service.events.reservation("reservationCreated", row["uuid"], place)
    return describe(row, place)


def late_party(happening: Happening) -> Done:
    """A party that booked yesterday has not come, twenty minutes after its time."""
    place, size = happening.place(), int(happening.options.get("party_size") or LARGE_PARTY)
    row = reservations.insert(
        happening.db,
        place,
        happening.now - DAY,
        customer_id=_new_guest(happening, place)["id"],
        meal=(happening.now - LATE) // (5 * MINUTE) * (5 * MINUTE),
        party_size=size,
        channel="Booking Module",
        body={"late": ARRIVES_AFTER},
    )
    happening.service.events.reservation("reservationCreated", row["uuid"], place)
    return describe(row, place)


def _open_place(happening: Happening) -> SandboxRestaurant:
    """A restaurant that gives tables out at this hour, if one does."""
    places = happening.places()
    return next((place for place in places if _is_open(place, happening.now)), places[0])


def _is_open(place: SandboxRestaurant, now: int) -> bool:
    day = datetime.fromtimestamp(now / 1000, tz=place.zone).date()
    slots = availability.regular_slots(place, day)
    return any(abs(slot.instant - now) <= place.spacing * MINUTE for slot in slots)


def change(happening: Happening) -> Done:
    """A booking to come gets another party size, another hour or another note."""
    row = happening.reservation("r.status='RECORDED' AND r.meal_status IS NULL", COMING)
    if row is None:
        return None
    place, luck = happening.place_of(row), happening.service.luck
    if luck.random() < 0.4:
        note = _other_note(luck, row, place.locale[:2])
        return happening.change_reservation(row, body={"customerNote": note})
    size = luck.choice([size for size in place.sizes[:6] if size != row["party_size"]])
    return happening.change_reservation(row, party_size=size)


def _other_note(luck: Random, row: Any, language: str) -> str:
    before = json.loads(row["body"]).get("customerNote")
    found = (notes.guest_note(luck, language, row["party_size"]) for _ in range(TRIES))
    return next((note for note in found if note != before), f"{before} !")


def cancel(happening: Happening) -> Done:
    """A guest cancels."""
    window = (2 * HOUR, COMING[1])
    row = happening.reservation("r.status IN ('RECORDED','REQUESTED')", window)
    if row is None:
        return None
    if row["status"] not in reservations.TAKES_A_TABLE:
        raise NotPossible(f"A reservation that is {row['status']} cannot be cancelled.")
    return happening.change_reservation(row, status="CANCELED")


def answer_request(happening: Happening) -> Done:
    """The restaurant accepts or refuses a requested booking."""
    row = happening.reservation("r.status='REQUESTED'", COMING)
    if row is None:
        return None
    if row["status"] != "REQUESTED":
        raise NotPossible(f"This reservation is {row['status']}, it is no request.")
    usual = "refuse" if happening.service.luck.random() < 0.2 else "accept"
    decision = happening.option("decision", ("accept", "refuse"), usual)
    return happening.change_reservation(
        row, status="RECORDED" if decision == "accept" else "REFUSED"
    )


def change_customer(happening: Happening) -> Done:
    """Staff change a guest's profile: a tag, a rank, a note, the VIP mark."""
    row = happening.customer()
    if row is None:
        return None
    luck = happening.service.luck
    given = happening.options.get("fields")
    fields = given if isinstance(given, dict) else _new_facts(luck, json.loads(row["body"]))
    customers.change(happening.db, row, fields, happening.now)
    return _announce_customer(happening, row)


def _new_facts(luck: Random, body: dict[str, Any]) -> dict[str, Any]:
    facts: list[dict[str, Any]] = [
        {"isVip": not body.get("isVip")},
        {"rank": luck.choice([rank for rank in RANKS if rank != body.get("rank")])},
        {"notes": _other_note_of_guest(luck, body)},
        {"allergiesAndIntolerances": luck.sample(people.ALLERGIES, 2)},
    ]
    return luck.choice(facts)


def _other_note_of_guest(luck: Random, body: dict[str, Any]) -> str:
    known = people.NOTES.get(people.language_of(body), people.NOTES["en"])
    return luck.choice([note for note in known if note != body.get("notes")])


def forget_customer(happening: Happening) -> Done:
    """A guest asks for deletion: the profile is emptied and the guest's reviews become invalid."""
    row = happening.customer()
    if row is None:
        return None
    happening.db.execute(
        "UPDATE customer SET email=NULL, phone=NULL, body='{}', updated=? WHERE id=?",
        (happening.now, row["id"]),
    )
    written = happening.db.execute(
        f"{reviews.FIND} v.customer_id=?",
        (row["id"],),
    ).fetchall()
    for review in written:
        happening.change_review(review, "reviewValidityChanged", is_valid=0)
    return {**_announce_customer(happening, row), "reviews": len(written)}


def _announce_customer(happening: Happening, row: Any) -> dict[str, Any]:
    group = happening.service.directory.groups[row["group_id"]]
    happening.service.events.customer("customerUpdated", row["uuid"], group.uuid)
    return {"customer": reservations.uuid_text(row["uuid"]), "group": group.name}

"""The course of each booking's evening: derived from its uuid, carried out as time passes."""

import json
from typing import Any
from uuid import UUID

from partner_sandbox.clock import HOUR, MINUTE
from partner_sandbox.dice import dice
from partner_sandbox.entities import reservations
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.happenings import happen
from partner_sandbox.happenings.happening import NotPossible
from partner_sandbox.service import SandboxService
from partner_sandbox.webhooks.events import OWNER
from partner_sandbox.world.bookings import bill

LONGEST_EVENING = 6 * HOUR
EARLIEST_ARRIVAL = 40 * MINUTE
Step = tuple[int, str]  # instant, what happens

# How far each step brings a party; a step never leads back.
PROGRESS = {
    None: 0,
    "PARTIALLY_ARRIVED": 1,
    "ARRIVED": 2,
    "SEATED": 3,
    "BILL": 4,
    "LEFT": 5,
}
LEADS_TO = {
    "partly_arrive": "PARTIALLY_ARRIVED",
    "arrive": "ARRIVED",
    "seat": "SEATED",
    "bill": "BILL",
    "leave": "LEFT",
}


def fate(row: Any) -> list[Step]:
    """The steps of this booking's evening in order of time, always the same ones."""
    luck = dice("fate", row["uuid"].hex())
    meal = row["meal"]
    if luck.random() < 0.035 and not _delay(row):
        return [(meal + luck.randint(35, 60) * MINUTE, "no_show")]
    arrival = meal + round(luck.gauss(2, 9)) * MINUTE
    if delay := _delay(row):
        arrival = meal + delay * MINUTE
    seated = arrival + luck.randint(1, 8) * MINUTE
    stay = luck.randint(55, 80) + 9 * min(row["party_size"], 8)
    bill_at = seated + stay * MINUTE
    steps = [(arrival, "arrive"), (seated, "seat"), (bill_at, "bill")]
    if luck.random() < 0.1:
        steps.pop()  # paid at the bar
    if row["party_size"] > 2 and luck.random() < 0.15 and not _delay(row):
        steps.insert(0, (arrival - luck.randint(3, 15) * MINUTE, "partly_arrive"))
    return [*steps, (bill_at + luck.randint(4, 18) * MINUTE, "leave")]


def _delay(row: Any) -> int:
    """How late a party is that was made to be late (`first_minute.py`)."""
    return int(json.loads(row["body"]).get("late", 0)) if "body" in row.keys() else 0  # noqa: SIM118  an sqlite3.Row


def due_step(row: Any, now: int) -> Step | None:
    """The latest step whose time has come and that the party has not gone beyond."""
    passed = PROGRESS[row["meal_status"]]
    for step in reversed(fate(row)):
        if step[0] <= now:
            is_new = not passed if step[1] == "no_show" else PROGRESS[LEADS_TO[step[1]]] > passed
            return step if is_new else None
    return None


def play(service: SandboxService) -> int:
    """Let tonight's parties arrive, sit, pay and leave, each with its event."""
    now, moved = service.clock.now(), 0
    for place in _houses(service):
        for row in _underway(service, place, now - LONGEST_EVENING, now):
            step = due_step(row, now)
            if step is not None:
                moved += _play_step(service, row, step)
    return moved


def _play_step(service: SandboxService, row: Any, step: Step) -> int:
    try:
        return len(happen(service, step[1], {"reservation": str(UUID(bytes=row["uuid"]))}))
    except NotPossible:
        return 0  # somebody cancelled it in the meantime


def catch_up(service: SandboxService, since: int) -> int:
    """Bring bookings to where they would be by now, each at its own time and without events."""
    now, moved = service.clock.now(), 0
    for place in _houses(service):
        rows = _underway(service, place, since - LONGEST_EVENING, now)
        with service.store.writing() as db:
            for row in rows:
                step = due_step(row, now)
                if step is not None:
                    moved += 1
                    _settle(service, db, place, row, step)
    return moved


def _settle(
    service: SandboxService, db: Any, place: SandboxRestaurant, row: Any, step: Step
) -> None:
    full = reservations.find(db, row["uuid"])
    if step[1] == "no_show":
        reservations.change(db, full, step[0], status="NO_SHOW")
        return
    body = {}
    if step[1] == "leave":
        luck = dice("bill", row["uuid"].hex())
        body["billAmount"] = bill(luck, place, row["party_size"], place.offer(full["offer"]))
    reservations.change(db, full, step[0], meal_status=LEADS_TO[step[1]], body=body)


def _houses(service: SandboxService) -> list[SandboxRestaurant]:
    directory = service.directory
    return [
        place
        for place in directory.restaurants.values()
        if directory.groups[place.group_id].owner == OWNER and not place.closed_down
    ]


def _underway(service: SandboxService, place: SandboxRestaurant, since: int, now: int) -> list[Any]:
    with service.store.reading() as db:
        return db.execute(
            "SELECT uuid, meal, party_size, meal_status, body FROM reservation"
            " WHERE restaurant_id=? AND meal>=? AND meal<? AND status='RECORDED'"
            " AND meal_status IS NOT 'LEFT'",
            (place.id, since, now + EARLIEST_ARRIVAL),
        ).fetchall()

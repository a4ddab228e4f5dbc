"""Intents while the service fails in every way and workers are killed: each ends once.

Done exactly once, refused with a sentence, or a question to a person. The long run is
`pytest -m long tests/faults/test_outbox_chaos.py`; CHAOS_SEED chooses another sequence.
"""

import os
import random
import time
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import OperationalError
from django.db.models import F
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner import factory
from partner.calls import STOOD_STILL
from partner.limits.priorities import CallPriority
from reservations import actions
from reservations.actions.booking import CHANNEL
from restaurants.testing import make_user
from tests.contract.places import make_places
from tests.faults.steps import hits_of_faults
from tests.faults.workers import Workers

pytestmark = [pytest.mark.faults, pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SEED = int(os.environ.get("CHAOS_SEED", "1"))
FEW = 24
WORKERS = 2
LIVES = (0.15, 0.9)  # seconds that a set of workers lives
# Where nothing moved in a life, the next is longer: a look of many reads fits into none so short.
STRETCH = 1.5
# Longer than a write is still sent after its lease was renewed: the patience of a person, and 2 s.
STANDSTILL = CallPriority.PERSON.patience + STOOD_STILL + 1
STANDSTILLS = 0.02  # of the lives, and the first one
PATIENCE = 120, 2.0  # seconds in all, and more for each intent
BREATH = timedelta(seconds=0.4)  # the service counts a repetition within 200 ms as a breach
WRITES = "create_reservation|update_reservation|cancel_reservation"
LONGEST_READ = 16_000  # ms: longer than a worker waits for an answer
FAULTS = [
    ({"status": 500, "after_effect": True}, 0.10),
    ({"status": 500}, 0.06),
    ({"drop": True, "after_effect": True}, 0.06),
    ({"drop": True}, 0.04),
    ({"latency_ms": LONGEST_READ, "after_effect": True}, 0.02),
    ({"status": 429, "retry_after": 1}, 0.03),
    ({"status": 503}, 0.03),
    ({"latency_ms": 40}, 1.0),  # so that a death meets calls that are under way
]
State = Intent.State


@pytest.fixture
def dice():
    return random.Random(SEED)  # noqa: S311  # no secret


@pytest.fixture
def places(transactional_db, connect, sandbox):
    connect("full")
    return make_places(sandbox.world)


@pytest.fixture
def workers() -> Iterator[Workers]:
    running = Workers()
    yield running
    running.stop()


class IntentMaker:
    """Intents for bookings of as many guests, and for changes of bookings that are there."""

    def __init__(self, places, sandbox, dice):
        self.api = factory.client(priority=CallPriority.BACKFILL)
        self.actor = make_user("chaos@example.org")
        self.places = places
        self.dice = dice
        self.today = date.fromisoformat(sandbox.world["anchor"])
        self.slots: dict = {}
        self.standing: dict = {}

    def make(self, number: int) -> list[Intent]:
        kinds = (self.book, self.book, self.note, self.cancel)
        return [kinds[n % len(kinds)](n) for n in range(number)]

    def book(self, n: int) -> Intent:
        place, day = self._somewhere()
        customer = {
            "email": f"chaos{n}@example.com",
            "first_name": "Chaos",
            "last_name": f"Number {n}",
            "locale": "fr_FR",
            "civility": "mx",
        }
        slot = self.dice.choice(self._slots(place, day))
        payload = {"meal_date": slot, "party_size": 2, "customer": customer}
        return self._submit(actions.CREATE, place, uuid=None, payload=payload)

    def note(self, n: int) -> Intent:
        place, uuid = self._standing_booking()
        base = {"restaurant_note": self.api.reservation(uuid).entity.restaurant_note or ""}
        payload = {"changes": {"restaurant_note": f"chaos {n}"}, "base": base}
        return self._submit(actions.UPDATE, place, uuid=uuid, payload=payload)

    def cancel(self, _n: int) -> Intent:
        place, uuid = self._standing_booking()
        return self._submit(actions.CANCEL, place, uuid=uuid, payload={})

    def _submit(self, action, place, *, uuid, payload) -> Intent:
        about = {"key": uuid4(), "kind": "reservation", "uuid": uuid, "restaurant": place}
        return engine.submit(action, payload=payload, actor=self.actor, **about)

    def _somewhere(self):
        return self.dice.choice(self.places), self.today + timedelta(days=self.dice.randint(2, 12))

    def _slots(self, place, day):
        if (place.pk, day) not in self.slots:
            read = self.api.timeslots(place.uuid, day=day, party_size=2).entity
            free = [one for one in read if one.has_normal_stock and not one.guarantee_for(2)]
            self.slots[place.pk, day] = [slot.datetime for slot in free]
        return self.slots[place.pk, day]

    def _standing_booking(self):
        """Each has one intent, so that its end tells what became of it."""
        while True:
            place, day = self._somewhere()
            if (place.pk, day) not in self.standing:
                span = {"start": day, "end": day, "by": "mealDate"}
                listed = self.api.reservation_uuids(restaurant=place.uuid, **span)
                self.standing[place.pk, day] = list(listed)
            rest = self.standing[place.pk, day]
            while rest:
                uuid = rest.pop(self.dice.randrange(len(rest)))
                if self.api.reservation(uuid).entity.status == "RECORDED":
                    return place, uuid


def work_until_all_end(workers: Workers, dice, *, number: int) -> Counter[str]:
    """Start workers, kill them wherever they are, start others. Returns how many intents died."""
    deadline = time.monotonic() + PATIENCE[0] + PATIENCE[1] * number
    seen: Counter[str] = Counter()
    stretch, before = 1.0, steps_of_all()
    while Intent.objects.open().exists():
        assert time.monotonic() < deadline, Counter(Intent.objects.values_list("state", flat=True))
        workers.start(WORKERS)
        # Now and then they live long enough to wait for an answer that does not come.
        is_long = dice.random() >= 0.98
        life = LONGEST_READ / 1000 if is_long else dice.uniform(*LIVES) * stretch
        time.sleep(min(life, LONGEST_READ / 1000))
        if not seen or dice.random() < STANDSTILLS:
            seen["stood still in a call"] += overtake(workers)
        workers.kill_all()
        seen["deaths"] += WORKERS
        seen["killed in a call"] += leave_alone()
        steps = steps_of_all()
        stretch = stretch * STRETCH if steps == before else 1.0
        before = steps
    return seen


def steps_of_all() -> list[tuple[object, ...]]:
    """Where each intent is, to see whether any of them moved."""
    steps = Intent.objects.values_list("pk", "state", "looks", "attempts", "unconfirmed_count")
    return list(steps.order_by("pk"))


def overtake(workers: Workers) -> int:
    """Stop all workers, have others do what they held, and let the first go on with it."""
    workers.stand_still()
    try:
        held = leave_alone()
    except OperationalError:  # on SQLite one of them has the write lock
        workers.go_on()
        return 0
    workers.start(WORKERS)
    time.sleep(STANDSTILL)
    workers.go_on()
    time.sleep(max(LIVES))
    return held


def leave_alone() -> int:
    """What the dead held is nobody's at once, and pauses are cut short: minutes become moments."""
    now = timezone.now()
    Intent.objects.open().exclude(state=State.SENDING).update(not_before=now + BREATH)
    held = Intent.objects.filter(state=State.SENDING)
    return held.update(lease_until=now + BREATH, version=F("version") + 1)


def booked_by_us(places, *, since) -> Counter[str]:
    """How many bookings each guest of ours has, as the service says."""
    api = factory.client(priority=CallPriority.BACKFILL)
    start = since.astimezone(UTC).date()
    span = {"start": start, "end": start + timedelta(days=1), "by": "updatedDate"}
    count: Counter[str] = Counter()
    for place in places:
        for uuid in api.reservation_uuids(restaurant=place.uuid, **span):
            row = api.reservation(uuid).entity
            if row.reservation_channel == CHANNEL and row.created_at >= since and row.customer_uuid:
                count[api.customer(row.customer_uuid).entity.email or ""] += 1
    return count


def check_end(intent: Intent, *, booked: Counter[str], api) -> None:
    assert intent.state in (State.DONE, State.REFUSED, State.ASKS)
    assert intent.sentence or intent.state == State.DONE
    if intent.action == actions.CREATE:
        found = booked[intent.payload["customer"]["email"]]
        assert found <= 1, "a double booking"
        assert found == 1 or intent.state != State.DONE, "a lost booking"
        assert found == 0 or intent.state != State.REFUSED, "a booking that is called refused"
        return
    now = api.reservation(intent.uuid).entity
    if intent.action == actions.UPDATE:
        is_so = now.restaurant_note == intent.payload["changes"]["restaurant_note"]
    else:
        is_so = now.status == "CANCELED"
    assert is_so or intent.state != State.DONE
    assert not is_so or intent.state != State.REFUSED


@pytest.mark.parametrize("number", [FEW, pytest.param(1_000, marks=pytest.mark.long)])
def test_every_intent_ends_once_or_as_a_question(sandbox, places, workers, dice, number):
    since = datetime.now(UTC) - timedelta(seconds=120)
    intents = IntentMaker(places, sandbox, dice).make(number)
    for effect, rate in FAULTS:
        sandbox.post("faults", match={"endpoint": WRITES}, effect=effect, rate=rate)
    if number > FEW:  # in a few looks a failure is luck; in thousands it is certain
        sandbox.post("faults", match={"method": "GET"}, effect={"status": 500}, rate=0.03)
    seen = work_until_all_end(workers, dice, number=number)
    hits = hits_of_faults(sandbox)
    sandbox.delete("faults")
    # Of thousands of calls each fault meets some, of a few at least the delay meets all.
    assert all(hits) if number > FEW else hits[len(FAULTS) - 1] and any(hits[:-1]), hits

    booked, api = booked_by_us(places, since=since), factory.client(priority=CallPriority.BACKFILL)
    for intent in intents:
        intent.refresh_from_db()
        check_end(intent, booked=booked, api=api)
    ends = Counter((intent.action, str(intent.state)) for intent in intents)
    print(dict(seen), dict(ends))  # noqa: T201  # shown with -s: what the run came to
    # Of a few intents, none may be under way at the moment of a death.
    assert number == FEW or seen["killed in a call"] > 0
    assert all(ends[action, "done"] for action in (actions.CREATE, actions.UPDATE, actions.CANCEL))

"""Nothing overwrites the copy but the entity itself, read through the real client."""

import json
from datetime import timedelta
from typing import Any

import pytest

from customers.models import Customer
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Drift, Priority, SyncRequest
from mirror.queue import parked, retry_schedule, store, sync_requests
from mirror.queue.store import ReadResult
from partner import testing
from partner.errors import PartnerError
from partner.limits.priorities import CallPriority
from partner.testing import FakeTransport
from partner.tests.test_refuse_foreign_answers import FOREIGN, KEYS, OWN, good, own
from reservations.models import Reservation
from reviews.models import Review
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db

MODELS: dict[str, Any] = {"reservation": Reservation, "customer": Customer, "review": Review}
PLACE = {"reservation": "restaurantUuid", "customer": "originRestaurantUuid"}
# A required field of each kind, and the column that shows it.
FIELDS = {
    "reservation": ("partySize", "party_size"),
    "customer": ("lastName", "last_name"),
    "review": ("dinerRating", "global_rating"),
}
State = SyncRequest.State


class Copy:
    """One entity of a kind: what the service answers about it, and what is stored."""

    def __init__(self, kind, place):
        self.kind, self.place = kind, place
        self.now = NOW
        self.transport = FakeTransport()
        self.client = testing.client(self.transport, priority=CallPriority.SWEEP)

    def truth(self, **changes):
        return own(self.kind, **{PLACE.get(self.kind, "restaurantUuid"): str(self.place.uuid)}) | (
            changes
        )

    def read(self, payload, *, ask=True):
        """Request it and read it once. Returns the row of the queue."""
        self.transport.reply(f"get_{self.kind}", good(payload))
        if ask:
            ref = EntityRef(self.kind, OWN, EntityLocation(self.place.group.uuid, self.place.uuid))
            sync_requests.request([ref], priority=Priority.PERSON, now=self.now)
        for claim in sync_requests.claim(limit=9, now=self.now):
            store.settle([self._result(claim)], now=self.now)
        return self.request

    def _result(self, claim):
        if claim.kind != self.kind or claim.uuid != OWN:  # a guest that a booking names
            return ReadResult(claim, error=PartnerError())
        try:
            return ReadResult(claim, answer=kinds.get(self.kind).fetch(self.client, claim.uuid))
        except PartnerError as error:
            return ReadResult(claim, error=error)

    @property
    def request(self):
        return SyncRequest.objects.get(kind=self.kind, uuid=OWN)

    @property
    def row(self):
        return MODELS[self.kind].objects.get(pk=OWN)

    def facts(self):
        """Every stored value but the time of the last read."""
        row = MODELS[self.kind].objects.filter(pk=OWN).values().get()
        return {name: value for name, value in row.items() if name not in ("read_at", "fetch_no")}


@pytest.fixture(params=KEYS)
def copy(request, quay):
    return Copy(request.param, quay)


class TestForeignAnswers:
    @pytest.mark.parametrize("what", FOREIGN)
    def test_the_copy_stays_as_it_is(self, copy, what):
        copy.read(copy.truth())
        before = copy.facts()
        row = copy.read(FOREIGN[what](copy.kind))

        assert copy.facts() == before
        assert (row.state, row.problem, row.attempts) == (State.WAITING, "foreign", 1)
        assert "something else" in row.sentence
        assert row.served < row.request_count

    @pytest.mark.parametrize("what", FOREIGN)
    def test_nothing_is_made_up_where_there_was_no_copy(self, copy, what):
        copy.read(FOREIGN[what](copy.kind))

        assert not MODELS[copy.kind].objects.exists()

    def test_they_are_counted(self, copy):
        copy.read({})
        copy.read({})

        assert Drift.objects.get(finding=store.FOREIGN_ANSWER).count == 2

    def test_it_is_read_again_until_it_is_the_entity(self, copy):
        """Through parking, after hours of foreign answers, and without anybody's help."""
        copy.read({})
        for _attempt in range(12):
            copy.now = max(copy.now, copy.request.not_before) + timedelta(seconds=1)
            parked.retry_passing(now=copy.now)
            copy.read({}, ask=False)
        assert copy.request.state == State.PARKED
        assert "something else" in copy.request.sentence

        copy.now += sync_requests.PARKED_AGAIN + timedelta(seconds=1)
        parked.retry_passing(now=copy.now)
        row = copy.read(copy.truth(), ask=False)

        assert (row.state, row.problem, row.served) == (State.SETTLED, "", row.request_count)
        assert json.loads(copy.row.raw) == copy.truth()

    def test_what_only_a_person_can_change_stays_parked(self, copy):
        copy.read(copy.truth())
        SyncRequest.objects.update(state=State.PARKED, problem="refused", not_before=NOW)

        assert parked.retry_passing(now=NOW + timedelta(days=9)) == 0


class TestVanishedFields:
    @pytest.fixture
    def gone(self, copy):
        """An answer without a required field of the entity."""
        field, _column = FIELDS[copy.kind]
        return {key: value for key, value in copy.truth().items() if key != field}

    def value(self, copy):
        return getattr(copy.row, FIELDS[copy.kind][1])

    def test_one_answer_erases_nothing(self, copy, gone):
        copy.read(copy.truth())
        before = copy.facts()
        row = copy.read(gone)

        assert copy.facts() == before
        assert (row.state, row.problem) == (State.WAITING, "incomplete")
        assert FIELDS[copy.kind][0] in row.sentence

    def test_it_is_counted_as_drift(self, copy, gone):
        copy.read(copy.truth())
        copy.read(gone)

        assert Drift.objects.filter(finding__contains=FIELDS[copy.kind][0]).exists()

    def test_a_later_read_that_agrees_is_believed(self, copy, gone):
        copy.read(copy.truth())
        copy.read(gone)
        copy.now += retry_schedule.MISSING_AGAIN
        row = copy.read(gone)

        assert row.state == State.SETTLED
        assert json.loads(copy.row.raw) == gone
        assert not self.value(copy)

    def test_a_second_read_at_once_is_not_later(self, copy, gone):
        copy.read(copy.truth())
        for _read in range(4):
            copy.read(gone)
            copy.now += timedelta(seconds=11)

        assert self.value(copy)
        assert copy.request.not_before <= NOW + retry_schedule.MISSING_AGAIN

    def test_a_whole_answer_in_between_ends_the_doubt(self, copy, gone):
        copy.read(copy.truth())
        copy.read(gone)
        copy.now += retry_schedule.MISSING_AGAIN
        copy.read(copy.truth())
        row = copy.read(gone)

        assert self.value(copy)
        assert row.problem == "incomplete"

    def test_another_field_that_vanishes_later_is_no_agreement(self, copy, gone):
        copy.read(copy.truth())
        copy.read(copy.truth(restaurantUuid=None, creationDate={"odd": 1}, createdAt=5))
        copy.now += retry_schedule.MISSING_AGAIN
        copy.read(gone)

        assert self.value(copy)

    def test_a_value_that_cannot_be_read_is_treated_alike(self, copy):
        copy.read(copy.truth())
        copy.read(copy.truth(**{FIELDS[copy.kind][0]: True}))

        assert self.value(copy)

    @pytest.mark.parametrize("value", [{"odd": 1}, ["odd"]])
    def test_one_that_never_could_be_read_keeps_no_change_waiting(self, copy, value):
        field, _column = FIELDS[copy.kind]
        copy.read(copy.truth(**{field: value}))
        changed = copy.truth(**{field: value, "news": True})
        row = copy.read(changed)

        assert row.state == State.SETTLED
        assert json.loads(copy.row.raw) == changed

    def test_the_first_read_of_an_entity_stores_what_there_is(self, copy, gone):
        row = copy.read(gone)

        assert row.state == State.SETTLED
        assert json.loads(copy.row.raw) == gone

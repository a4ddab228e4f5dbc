"""What moves to a restaurant that is not set up here leaves the boards, and may come back."""

import json
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest

from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import parked, store, sync_requests
from mirror.queue.retry_schedule import CONFIRM_AFTER
from mirror.queue.store import ReadResult
from partner import schemas, testing
from partner.payloads.reading import read
from partner.testing import recorded
from reservations.testing import make_reservation
from restaurants import directory
from restaurants.models import Group
from restaurants.testing import make_restaurant
from tests.mirror.conftest import NOW
from webhooks.models import Delivery, HourlyCount
from webhooks.routing import route_new
from webhooks.testing import delivery, payload

pytestmark = pytest.mark.django_db
MODELS: dict[str, Any] = {
    "reservation": schemas.ReservationPayload,
    "review": schemas.ReviewPayload,
}
KINDS = pytest.mark.parametrize("kind", MODELS)


@pytest.fixture(autouse=True)
def _directory_of_now():
    directory.clear()
    yield
    directory.clear()


def store_answer(kind, uuid, restaurant, *, account=None):
    """One read of an entity whose answer names this restaurant."""
    sent = recorded(f"get_{kind}") | {f"{kind}Uuid": str(uuid), "restaurantUuid": restaurant}
    ref = EntityRef(kind, uuid, EntityLocation())
    sync_requests.request(
        [ref], priority=Priority.PERSON, now=NOW, connection=account and account.pk
    )
    return store_next(kind, uuid, sent, now=NOW)


def store_again(kind, uuid, restaurant):
    """The read by which a service that names another restaurant is heard a second time."""
    sent = recorded(f"get_{kind}") | {f"{kind}Uuid": str(uuid), "restaurantUuid": restaurant}
    return store_next(kind, uuid, sent, now=NOW + CONFIRM_AFTER[0])


def store_next(kind, uuid, sent, *, now):
    [claim] = [held for held in sync_requests.claim(limit=9, now=now) if held.uuid == uuid]
    entity, drift = read(MODELS[kind], sent)
    facts = {"raw": json.dumps(sent), "payload": sent, "entity": entity, "drift": drift}
    answer = SimpleNamespace(**facts, started_at=now)
    store.settle([ReadResult(claim, answer=answer)], now=now)
    return SyncRequest.objects.get(pk=claim.pk)


def presence_of(kind, uuid):
    return kinds.get(kind).model._default_manager.get(uuid=uuid).presence


@KINDS
def test_it_works(kind, quay):
    uuid, elsewhere = uuid4(), uuid4()
    store_answer(kind, uuid, str(quay.uuid))
    store_answer(kind, uuid, str(elsewhere))
    row = store_again(kind, uuid, str(elsewhere))

    assert (row.state, row.problem) == (SyncRequest.State.PARKED, "unplaced")
    assert presence_of(kind, uuid) == "gone"


@KINDS
def test_one_answer_alone_is_not_believed(kind, quay):
    uuid = uuid4()
    store_answer(kind, uuid, str(quay.uuid))
    row = store_answer(kind, uuid, str(uuid4()))

    assert presence_of(kind, uuid) == "present"
    assert (row.state, row.problem) == (SyncRequest.State.WAITING, "")

    row = store_again(kind, uuid, str(quay.uuid))

    assert presence_of(kind, uuid) == "present"
    assert row.problem == ""


@KINDS
def test_it_is_back_once_its_restaurant_is_set_up(kind, quay):
    uuid, elsewhere = uuid4(), uuid4()
    store_answer(kind, uuid, str(quay.uuid))
    store_answer(kind, uuid, str(elsewhere))
    store_again(kind, uuid, str(elsewhere))
    make_restaurant(quay.group, "Annexe", uuid=elsewhere)
    directory.clear()
    row = store_answer(kind, uuid, str(elsewhere))

    assert row.problem == ""
    assert presence_of(kind, uuid) == "present"


@KINDS
def test_what_waits_for_its_restaurant_is_read_once_that_is_set_up(kind, quay):
    elsewhere = uuid4()
    row = store_answer(kind, uuid4(), str(elsewhere))
    assert parked.retry_passing(now=NOW) == 0
    make_restaurant(quay.group, "Annexe", uuid=elsewhere)

    assert parked.retry_passing(now=NOW) == 1
    row.refresh_from_db()
    assert row.state == SyncRequest.State.WAITING


def test_years_of_them_are_queued_in_turns(quay, monkeypatch):
    """One restaurant has more than fit into a statement of SQLite, or into its patience."""
    elsewhere = uuid4()
    for _ in range(3):
        store_answer("reservation", uuid4(), str(elsewhere))
    make_restaurant(quay.group, "Annexe", uuid=elsewhere)
    monkeypatch.setattr(parked, "MOST", 2)

    assert [parked.retry_passing(now=NOW) for _ in range(3)] == [2, 1, 0]


@KINDS
@pytest.mark.parametrize("odd", [None, "", 7])
def test_an_answer_that_names_no_restaurant_moves_nothing(kind, odd, quay):
    uuid = uuid4()
    store_answer(kind, uuid, str(quay.uuid))
    store_answer(kind, uuid, odd)

    assert presence_of(kind, uuid) == "present"


@pytest.fixture
def accounts(cast):
    """The first has the Harbour Group, the second the Hill Group."""
    first = testing.connection()
    second = testing.connection(name="Second", client_id="client-two")
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first)
    Group.objects.filter(pk=cast.hill.pk).update(connection=second)
    return first, second


@KINDS
def test_what_moves_to_another_account_is_gone_from_its_own(kind, accounts, quay, cast):
    first, _second = accounts
    uuid = uuid4()
    store_answer(kind, uuid, str(quay.uuid), account=first)
    store_answer(kind, uuid, str(cast.cellar.uuid), account=first)
    store_again(kind, uuid, str(cast.cellar.uuid))

    assert presence_of(kind, uuid) == "gone"
    assert parked.retry_passing(now=NOW) == 0


@KINDS
def test_it_is_read_once_its_own_account_has_the_restaurant(kind, accounts, quay):
    first, _second = accounts
    elsewhere = uuid4()
    store_answer(kind, uuid4(), str(elsewhere), account=first)
    quay.group.refresh_from_db()
    make_restaurant(quay.group, "Annexe", uuid=elsewhere)

    assert parked.retry_passing(now=NOW) == 1


class TestEvents:
    def routed(self, raw, account=None):
        row = delivery(raw, connection=account)
        route_new(now=NOW)
        row.refresh_from_db()
        return row.state

    @pytest.fixture
    def moved(self, quay):
        """An event of a booking of ours, which names an unknown restaurant."""
        raw = payload(restaurantUuid=str(uuid4()), groupUuid=None)
        make_reservation(quay, uuid=UUID(json.loads(raw)["uuid"]))
        return raw

    def test_a_booking_that_moved_to_an_unknown_restaurant_is_read(self, moved):
        assert self.routed(moved) == Delivery.State.ROUTED
        assert str(SyncRequest.objects.get().uuid) == json.loads(moved)["uuid"]

    def test_it_is_read_for_its_own_account_alone(self, accounts, moved):
        first, second = accounts

        assert self.routed(moved, second) == Delivery.State.ODD
        assert not SyncRequest.objects.exists()
        assert self.routed(moved, first) == Delivery.State.ROUTED

    def test_it_is_nothing_of_the_place_that_it_names(self, accounts, quay, cast):
        """Which may be another account's, whose people neither read nor count it."""
        first, _second = accounts
        raw = payload(restaurantUuid=str(cast.cellar.uuid), groupUuid=None)
        make_reservation(quay, uuid=UUID(json.loads(raw)["uuid"]))
        cast.charlie.memberships.update(role="admin")

        assert self.routed(raw, first) == Delivery.State.ROUTED
        assert not Delivery.objects.visible_to(cast.charlie).exists()
        assert HourlyCount.objects.get().restaurant == ""

    def test_one_that_was_never_here_is_not_read(self, quay):
        assert self.routed(payload(restaurantUuid=str(uuid4()))) == Delivery.State.ODD
        assert not SyncRequest.objects.exists()

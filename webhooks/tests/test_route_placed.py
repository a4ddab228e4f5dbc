"""What came before its restaurant or group was set up is routed once that is."""

import json
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from mirror.models import SyncRequest
from partner import testing as partner
from restaurants import directory
from restaurants.models import Group
from restaurants.testing import make_restaurant
from webhooks import routing
from webhooks.models import Delivery
from webhooks.routing import route_new, route_placed
from webhooks.testing import FIXTURES, delivery, payload

NOW = datetime(2026, 6, 12, 18, 4, 30, tzinfo=UTC)
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _directory_of_now():
    directory.clear()
    yield
    directory.clear()


def came(raw, **fields):
    row = delivery(raw, **fields)
    route_new(now=NOW)
    row.refresh_from_db()
    assert (row.state, row.reason) == ("odd", "not_ours")
    return row


def routed(row):
    route_placed(now=NOW)
    row.refresh_from_db()
    return bool(row.state == Delivery.State.ROUTED)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("r*.json")), ids=lambda path: path.stem)
def test_it_works(path, harbour, quay):
    annexe = uuid4()
    event = json.loads(path.read_text()) | {"restaurantUuid": str(annexe)}
    row = came(json.dumps(event).encode())
    assert not routed(row)

    make_restaurant(harbour, "Annexe", uuid=annexe)

    assert routed(row)
    assert str(SyncRequest.objects.get().uuid) == event["uuid"]


def test_a_guest_of_a_group_that_was_set_up_later(quay):
    group = uuid4()
    row = came(payload("customerUpdated", groupUuid=str(group)))

    Group.objects.create(name="New", uuid=group)

    assert routed(row)


def test_it_is_routed_for_its_own_account_alone(cast):
    first, second = partner.connection(), partner.connection(name="Second", client_id="two")
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first)
    annexe = uuid4()
    raw = payload(restaurantUuid=str(annexe), groupUuid=None)
    own, others = came(raw, connection=first), came(raw, connection=second)
    cast.harbour.refresh_from_db()
    make_restaurant(cast.harbour, "Annexe", uuid=annexe)

    assert routed(own)
    others.refresh_from_db()
    assert others.state == "odd"


@pytest.mark.parametrize("name", ["reservationUpdated", "customerUpdated"])
def test_events_by_the_address_of_another_account_hold_up_none(cast, quay, monkeypatch, name):
    monkeypatch.setattr(routing, "MOST_PLACED", 3)
    first, second = partner.connection(), partner.connection(name="Second", client_id="two")
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first)
    Group.objects.filter(pk=cast.hill.pk).update(connection=second)
    is_of_guest = name == "customerUpdated"
    place = {} if is_of_guest else {"restaurantUuid": str(uuid4()), "groupUuid": None}
    new = uuid4()
    changes = {"groupUuid": str(new)} if is_of_guest else {"restaurantUuid": str(new)}
    own = came(payload(name, **place | changes), connection=first)
    here = {"groupUuid": str(cast.harbour.uuid)}
    about = here if is_of_guest else here | {"restaurantUuid": str(quay.uuid)}
    for _event in range(5):
        came(payload(name, uuid=str(uuid4()), **about), connection=second)
    if is_of_guest:
        Group.objects.create(name="New", uuid=new, connection=first)
    else:
        cast.harbour.refresh_from_db()
        make_restaurant(cast.harbour, "Annexe", uuid=new)

    assert routed(own)


def test_what_turns_out_to_name_two_groups_holds_up_none(harbour, hill, monkeypatch):
    """It was looked at again for ever, and as many as are looked at in one go let nothing pass."""
    monkeypatch.setattr(routing, "MOST_PLACED", 3)
    first, second = sorted((uuid4(), uuid4()))
    own = came(payload(restaurantUuid=str(second), groupUuid=None))
    both = {"restaurantUuid": str(first), "groupUuid": str(hill.uuid)}
    misplaced = [came(payload(uuid=str(uuid4()), **both)) for _event in range(3)]
    make_restaurant(harbour, "Annexe", uuid=first)
    make_restaurant(harbour, "Terrace", uuid=second)

    routed(own)
    assert routed(own)
    for row in misplaced:
        row.refresh_from_db()
        assert (row.state, row.reason) == ("odd", "two_groups")


@pytest.mark.parametrize("why", ["its group is another", "the record is another account's"])
def test_what_stays_out_of_place_is_not_routed_for_ever(cast, why):
    first, second = partner.connection(), partner.connection(name="Second", client_id="two")
    Group.objects.filter(pk=cast.harbour.pk).update(connection=first)
    cast.harbour.refresh_from_db()
    annexe = uuid4()
    is_of_group = why == "the record is another account's"
    group = None if is_of_group else str(uuid4())
    raw = payload(restaurantUuid=str(annexe), groupUuid=group)
    row = came(raw, connection=first)
    make_restaurant(cast.harbour, "Annexe", uuid=annexe)
    if is_of_group:
        uuid = UUID(json.loads(raw)["uuid"])
        SyncRequest.objects.create(
            kind="reservation", uuid=uuid, connection=second, requested_at=NOW, not_before=NOW
        )

    assert [route_placed(now=NOW) for _turn in range(2)] == [0, 0]
    row.refresh_from_db()
    assert row.state == "odd"

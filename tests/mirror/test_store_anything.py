"""Whatever the service answers is stored, or set aside for a person: it never stops the reading."""

import json
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from partner import schemas
from partner.payloads.reading import read
from partner.testing import recorded
from reservations.models import Reservation
from reviews.models import Review
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db
KINDS: dict[str, tuple[Any, Any]] = {
    "reservation": (schemas.ReservationPayload, Reservation),
    "customer": (schemas.CustomerPayload, Customer),
    "review": (schemas.ReviewPayload, Review),
}
ODDITIES: list[Any] = [
    *(None, True, 0, -1, 10**30, 1.5, float("nan"), float("inf"), "", " ", "\0", "\ud800"),
    *("x" * 100_000, "9999-12-31T23:59:59-12:00", "0001-01-01T00:00:00+14:00", "24:00"),
    *("2026-12-04T19:15:00", "2026-12-04", 1_800_000_000, [], {}, [None], [[]], {"a": None}),
    *([{"labelUuid": "no", "value": {}}], {"name": 5, "totalPrice": "1e400", "currency": []}),
]
PLACE = ("restaurantUuid", "originRestaurantUuid")


def store_one(kind, payload, group):
    model, _rows = KINDS[kind]
    ref = EntityRef(kind, uuid4(), EntityLocation(group.uuid, group.restaurants.first().uuid))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    [claimed] = [held for held in sync_requests.claim(limit=50, now=NOW) if held.uuid == ref.uuid]
    entity, drift = read(model, payload)
    answer = SimpleNamespace(raw="{}", payload=payload, entity=entity, drift=drift, started_at=NOW)
    store.settle([ReadResult(claimed, answer=answer)], now=NOW)
    return SyncRequest.objects.get(pk=claimed.pk)


@pytest.fixture
def payload_of(quay):
    def payload(kind, **changes):
        place = dict.fromkeys(PLACE, str(quay.uuid))
        known = {name: place[name] for name in PLACE if name in recorded(f"get_{kind}")}
        return recorded(f"get_{kind}") | known | changes

    return payload


@pytest.mark.parametrize("kind", KINDS)
def test_it_works(kind, payload_of, harbour):
    row = store_one(kind, payload_of(kind, unheardOf={"deep": [1]}), harbour)

    assert row.problem == ""
    assert KINDS[kind][1].objects.filter(pk=row.uuid).exists()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("odd", ODDITIES, ids=lambda odd: repr(odd)[:20])
def test_every_field_may_be_odd(kind, odd, payload_of, harbour):
    usual = payload_of(kind)
    where = {name: usual[name] for name in PLACE if name in usual}

    payload = json.loads(json.dumps(dict.fromkeys(usual, odd) | where))  # nothing shared
    row = store_one(kind, payload, harbour)

    assert row.problem == ""
    assert KINDS[kind][1].objects.filter(pk=row.uuid).exists()

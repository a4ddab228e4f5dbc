"""A guest who was erased here stays erased, whatever makes us read them again."""

from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from customers.models import Customer
from customers.privacy import erasure
from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from mirror.queue.worker_loop import process_queue
from tests.mirror.conftest import NOW
from webhooks.routing import route_new
from webhooks.testing import delivery, payload

pytestmark = pytest.mark.django_db
# What has just been read is read again a moment later, and this clock stands still.
LATER = NOW + timedelta(minutes=1)


@pytest.fixture
def zoe(service, harbour) -> UUID:
    """Read from the service, then erased; the service knows her still."""
    uuid = uuid4()
    service.guests = {uuid: "Zoë", uuid4(): "Paul"}
    sync_requests.request(
        [EntityRef("customer", one, EntityLocation(harbour.uuid)) for one in service.guests],
        priority=Priority.BACKFILL,
        now=NOW,
    )
    process_queue(now=lambda: NOW)
    assert Customer.objects.get(pk=uuid).first_name == "Zoë"
    erasure.erase(Customer.objects.get(pk=uuid), actor=None, now=NOW)
    return uuid


def read_a_backfill():
    since = NOW.date() - timedelta(days=3)
    lifecycle.backfill(since=since, until=NOW.date(), now=NOW, kind_names=["customer"])
    for _ in range(5):
        lifecycle.advance(now=NOW)
        process_queue(now=lambda: NOW)


def hear_an_event(uuid: UUID):
    delivery(payload("customerUpdated", uuid=str(uuid)))
    route_new(now=LATER)
    process_queue(now=lambda: LATER)


def test_it_works(service, zoe):
    read_a_backfill()
    hear_an_event(zoe)
    row = Customer.objects.get(pk=zoe)

    assert service.reads.count(zoe) >= 2  # it was read again, and not stored
    assert row.presence == Customer.Presence.ERASED
    assert row.raw == row.first_name == row.search_text == ""


def test_the_export_of_another_holds_nothing_of_them(service, zoe):
    (paul,) = set(service.guests) - {zoe}
    read_a_backfill()

    held = erasure.collect(Customer.objects.get(pk=paul))
    assert "Zo" not in str(held)
    assert str(zoe) not in str(held)

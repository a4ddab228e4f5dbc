"""A guest who was erased here stays erased, whatever makes us read them again."""

from datetime import timedelta
from types import SimpleNamespace
from uuid import UUID, uuid4

import pytest

from customers.models import Customer
from customers.privacy import erasure
from customers.testing import make_customer
from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from mirror.queue.worker_loop import process_queue
from partner import errors
from reservations.testing import make_reservation
from reviews.testing import make_review
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


class TestOddAnswers:
    """An answer that cannot be read is put aside for a person, but none about an erased guest."""

    def fail(self, kind, uuid, error):
        """Read until the answer is put aside, or the record is settled."""
        now = LATER
        wanted = EntityRef(kind, uuid, EntityLocation())
        sync_requests.request([wanted], priority=Priority.EVENT, now=now)
        for _ in range(10):
            for claim in sync_requests.claim(limit=5, now=now):
                store.settle([ReadResult(claim, error=error, fetched_at=now)], now=now)
            now += timedelta(minutes=30)
        return SyncRequest.objects.get(kind=kind, uuid=uuid)

    def unreadable(self):
        error = errors.Malformed(status=200)
        error.body = '{"firstName": "Zoë"'
        return error

    @pytest.fixture
    def paul(self, harbour) -> UUID:
        guest = make_customer(harbour)
        erasure.erase(guest, actor=None, now=NOW)
        return guest.pk

    @pytest.fixture
    def booked(self, quay, paul):
        return make_reservation(quay, customer_id=paul)

    @pytest.fixture
    def reviewed(self, quay, paul):
        return make_review(quay, customer_id=paul)

    def test_about_the_guest(self, paul):
        assert self.fail("customer", paul, self.unreadable()).evidence == ""

    @pytest.mark.parametrize(("kind", "row"), [("reservation", "booked"), ("review", "reviewed")])
    def test_about_what_they_booked_and_wrote(self, request, kind, row):
        request_row = self.fail(kind, request.getfixturevalue(row).pk, self.unreadable())

        assert (request_row.state, request_row.evidence) == (SyncRequest.State.PARKED, "")

    def test_one_that_cannot_be_stored(self, booked, monkeypatch):
        def build(*_args):
            raise ValueError

        monkeypatch.setattr("mirror.queue.store._build", build)
        answer = SimpleNamespace(raw="Zoë", payload={}, drift=[], started_at=LATER)
        sync_requests.request(
            [EntityRef("reservation", booked.pk, EntityLocation())],
            priority=Priority.EVENT,
            now=LATER,
        )
        (claim,) = sync_requests.claim(limit=1, now=LATER)
        store.settle([ReadResult(claim, answer, None, LATER)], now=LATER)

        assert SyncRequest.objects.get(uuid=booked.pk).evidence == ""

    def test_about_a_booking_that_was_never_stored(self, paul):
        error = self.unreadable()
        error.body = f'{{"customerUuid": "{paul}", "customerNote": "Zoë has moved in'
        request_row = self.fail("reservation", uuid4(), error)

        assert (request_row.state, request_row.evidence) == (SyncRequest.State.PARKED, "")

    def test_about_others_they_are_kept(self, quay):
        booking = make_reservation(quay)

        assert "Zoë" in self.fail("reservation", booking.pk, self.unreadable()).evidence


def test_the_export_of_another_holds_nothing_of_them(service, zoe):
    (paul,) = set(service.guests) - {zoe}
    read_a_backfill()

    held = erasure.collect(Customer.objects.get(pk=paul))
    assert "Zo" not in str(held)
    assert str(zoe) not in str(held)

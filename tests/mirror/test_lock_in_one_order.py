"""Two writers of the queue at once on PostgreSQL: one waits for the other, never both.

Each test stops one of them in the middle, starts the other, and goes on once PostgreSQL shows that
the other one waits.
"""

import json
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import SimpleNamespace
from uuid import UUID

import pytest
from django.db import connection, transaction

from customers.models import Customer
from customers.privacy import erasure
from customers.testing import make_customer
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import store, sync_requests
from outbox.models import Intent
from reservations.actions import UPDATE
from reservations.testing import make_intent, make_reservation
from reviews.testing import make_comment, make_reply_intent
from tests.mirror.conftest import NOW

FIRST, SECOND, THIRD = (UUID(int=number, version=4) for number in (1, 2, 3))
LOOKS = 10_000  # some seconds
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time"),
]


def ref(uuid: UUID) -> EntityRef:
    return EntityRef("customer", uuid, EntityLocation())


def request(*uuids: UUID) -> None:
    sync_requests.request(map(ref, uuids), priority=Priority.BACKFILL, now=NOW)


def counts() -> dict[UUID, int]:
    return dict(SyncRequest.objects.values_list("uuid", "request_count"))


class Other:
    """A second writer with a connection of its own, which may not be done at once."""

    def __init__(self, do: Callable[[], object]) -> None:
        self._pid: Future[int] = Future()
        self._pool = ThreadPoolExecutor(1)
        self._done = self._pool.submit(self._run, do)

    def _run(self, do: Callable[[], object]) -> None:
        try:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_backend_pid()")
                self._pid.set_result(cursor.fetchone()[0])
            do()
        finally:
            connection.close()

    def wait_until_blocked(self) -> None:
        with connection.cursor() as cursor:
            for _ in range(LOOKS):
                cursor.execute("SELECT pg_blocking_pids(%s)", [self._pid.result()])
                if cursor.fetchone()[0]:
                    return
        raise AssertionError("The other writer waits for nobody.")

    def end(self) -> None:
        self._done.result()
        self._pool.shutdown()


def test_a_listing_beside_reads_that_name_what_it_lists(monkeypatch, harbour):
    """The reads hold the row of one guest and insert the other; the listing names both."""
    others: list[Other] = []

    def build(answer, _location, _existing):
        customer = Customer(group=harbour, first_name="Maria")
        customer.derive()
        return customer

    def related(_row):
        others.append(Other(lambda: request(FIRST, SECOND)))
        others[0].wait_until_blocked()
        return [ref(FIRST)]

    kind = kinds.Kind(
        name="customer",
        model=Customer,
        fetch=lambda _client, _uuid: None,
        build=build,
        is_of_group=True,
        list=lambda *_args: iter(()),
        related=related,
    )
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    request(SECOND)
    [claim] = sync_requests.claim(limit=1, now=NOW)
    payload = {"firstName": "Maria"}
    answer = SimpleNamespace(raw=json.dumps(payload), payload=payload, drift=(), started_at=NOW)

    stored = store.settle([store.ReadResult(claim, answer=answer)], now=NOW)
    others[0].end()

    assert stored["created"] == 1
    assert counts() == {FIRST: 2, SECOND: 2}


def test_what_another_made_meanwhile_is_counted():
    with transaction.atomic():
        request(SECOND)
        other = Other(lambda: request(FIRST, SECOND, THIRD))
        other.wait_until_blocked()
    other.end()

    assert counts() == {FIRST: 1, SECOND: 2, THIRD: 1}


def test_two_listings_of_the_same_in_different_orders():
    with transaction.atomic():
        request(FIRST)
        other = Other(lambda: request(THIRD, SECOND, FIRST))
        other.wait_until_blocked()
        sync_requests.request_unseen({Priority.SWEEP: [ref(THIRD), ref(SECOND)]}, now=NOW)
    other.end()

    assert counts() == {FIRST: 2, SECOND: 2, THIRD: 2}


def booking_with_an_unsent_change(guest, quay):
    booking = make_reservation(quay, customer=guest)
    note = {"restaurant_note": "Zoë is ill"}  # of which nothing can be sent without the guest
    payload = {"changes": note, "base": note}
    make_intent(quay, uuid=booking.pk, state=Intent.State.HELD, payload=payload, action=UPDATE)
    return booking


def review_with_an_unsent_reply(guest, quay):
    review = make_comment(quay, customer=guest)
    payload = {"content": "Dear Zo", "language": "en", "before": "", "comment": ""}
    make_reply_intent(quay, uuid=review.pk, state=Intent.State.HELD, payload=payload)
    return review


@pytest.mark.parametrize("make", [booking_with_an_unsent_change, review_with_an_unsent_reply])
def test_a_guest_is_erased_while_what_was_read_of_theirs_is_stored(harbour, quay, make):
    """The reads hold the request, and then the entity; its unsent change is withdrawn."""
    with transaction.atomic():
        guest = make_customer(harbour)
        held = make(guest, quay)
    kind = held._meta.model_name
    sync_requests.request(
        [EntityRef(kind, held.pk, EntityLocation())], priority=Priority.EVENT, now=NOW
    )
    SyncRequest.objects.update(evidence="<html>Zo")
    with transaction.atomic():
        sync_requests.locked(SyncRequest.objects.all())
        other = Other(lambda: erasure.erase(guest, actor=None, now=NOW))
        other.wait_until_blocked()
        type(held).objects.select_for_update().get(pk=held.pk)
    other.end()

    assert Intent.objects.get().state == Intent.State.WITHDRAWN
    assert SyncRequest.objects.get().evidence == ""


def test_a_guest_is_erased_while_what_was_read_of_both_is_stored(harbour, quay):
    """A batch with a booking and its guest, who was requested after it."""
    with transaction.atomic():
        guest = make_customer(harbour)
        booking = make_reservation(quay, customer=guest)
    for kind, row in (("reservation", booking), ("customer", guest)):
        ref = EntityRef(kind, row.pk, EntityLocation())
        sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    with transaction.atomic():
        sync_requests.locked(SyncRequest.objects.filter(kind="reservation"))
        other = Other(lambda: erasure.erase(guest, actor=None, now=NOW))
        other.wait_until_blocked()
        sync_requests.locked(SyncRequest.objects.all())
    other.end()

    assert Customer.objects.get().presence == Customer.Presence.ERASED

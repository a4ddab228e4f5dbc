"""Two clicks on “Book” at the same moment: one booking, and both see the same page of it."""

import threading
from datetime import timedelta
from uuid import uuid4

import pytest
from django.db import connections
from django.utils import timezone

from outbox.models import Intent
from partner.testing import FakeTransport, speak_through
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db(transaction=True)
LONGEST = 10  # seconds, and only where the product is broken
GUEST = {
    "email": "jo@example.com",
    "first_name": "Jo",
    "last_name": "Martin",
    "locale": "fr_FR",
    "civility": "mx",
}


@pytest.fixture
def slot() -> str:
    return f"{timezone.now().date() + timedelta(days=3)}T20:00:00+01:00"


class SlowService(FakeTransport):
    """The times that a later request of the same moment reads are the last ones."""

    def __init__(self, slot: str) -> None:
        super().__init__(list_timeslots=self.times, list_party_sizes=(200, [4]))
        self.reply("list_availabilities", (200, [{"date": slot[:10], "hasNormalStock": True}]))
        self.slot = slot
        self.first = threading.Semaphore(1)
        self.first_is_answered = threading.Event()
        self.last_table_is_gone = False

    def times(self, _request):
        if not self.first.acquire(blocking=False):
            self.first_is_answered.wait(LONGEST)
        rules = {"hasPaymentGuaranteeRequirement": False, "guaranteeRequirementList": []}
        free = {"datetime": self.slot, "offers": None, "hasNormalStock": True} | rules
        gone = self.last_table_is_gone and self.first_is_answered.is_set()
        return (200, [] if gone else [free])


@pytest.fixture
def service(slot, db):
    service = SlowService(slot)
    speak_through(service)
    return service


def click_twice(user, quay, service, **more):
    """Send one form from two threads; return where each was led, the answer of each."""
    key, answers = uuid4(), []
    address = {"scope": quay.uuid, "day": service.slot[:10], "size": 4, "slot": service.slot}
    together = threading.Barrier(2)

    def click(client):
        together.wait()
        form = GUEST | {"step": "confirm", "key": key} | more
        answers.append(client.post("/reservations/new/", form, query_params=address))
        service.first_is_answered.set()
        connections.close_all()

    threads = [threading.Thread(target=click, args=[sign_in(user)]) for _click in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return answers


@pytest.mark.parametrize("is_last_table", [False, True])
def test_both_lead_to_the_same_intent(service, bob, quay, is_last_table):
    service.last_table_is_gone = is_last_table
    first, second = click_twice(bob, quay, service)

    assert [first.status_code, second.status_code] == [302, 302]
    assert first.url == second.url
    assert Intent.objects.count() == 1


def test_what_stops_the_first_stops_the_second(service, bob, quay):
    answers = click_twice(bob, quay, service, email="not an address")

    assert [answer.status_code for answer in answers] == [422, 422]
    assert not Intent.objects.exists()

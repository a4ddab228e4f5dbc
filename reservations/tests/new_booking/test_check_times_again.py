"""A booking that waited reads its time again before it leaves; one that was just pressed does not.

With some keys the service takes a booking for any time, so nobody else would notice.
"""

from datetime import timedelta

import pytest
import time_machine
from django.utils import timezone

from outbox import engine
from outbox.models import Intent
from partner.http.transport import NotConnected
from partner.testing import recorded
from reservations.tests.new_booking.steps import MENU, TIME, send, slot

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("before_dinner")]
State = Intent.State
GUARANTEE = {"guaranteeType": "imprint", "amount": 20, "minimumPartySize": 0}
GUARDED = {
    "hasPaymentGuaranteeRequirement": True,
    "guaranteeRequirementList": [GUARANTEE | {"minimumCancellationHours": 24}],
}
GONE = [
    ([], "NO_AVAILABILITY"),
    ([slot("2026-01-17T19:45:00+01:00")], "NO_AVAILABILITY"),
    ([slot(TIME, hasNormalStock=False)], "NO_AVAILABILITY"),
    ([slot(TIME, hasNormalStock=False, offers=[str(MENU)])], "NO_AVAILABILITY"),
    ([slot(TIME, **GUARDED)], "PAYMENT_GUARANTEE_NOT_SUPPORTED"),
]


@pytest.fixture
def booked(api, quay):
    answer = recorded("create_reservation") | {"restaurantUuid": str(quay.uuid)}
    api.reply("create_reservation", (200, answer))
    return answer


@pytest.fixture
def waiting(api, booked, bob, quay):
    """Pressed while the service did not answer, with a time of before."""
    api.reply("list_timeslots", NotConnected())
    send(bob, quay)
    api.reply("list_timeslots", (200, [slot(TIME)]))
    api.requests.clear()
    return Intent.objects.get()


def work(*, after):
    with time_machine.travel(timezone.now() + after, tick=False):
        engine.work(now=timezone.now())


def end_of(intent):
    intent.refresh_from_db()
    return intent.state, intent.problem


@pytest.mark.parametrize("after", [timedelta(seconds=1), timedelta(hours=1)])
def test_it_works(api, waiting, after):
    work(after=after)

    assert end_of(waiting) == (State.DONE, "")
    assert [one.operation for one in api.requests] == ["list_timeslots", "create_reservation"]


@pytest.mark.parametrize(("slots", "code"), GONE, ids=str)
def test_a_time_that_is_gone_is_refused_and_not_sent(api, waiting, slots, code):
    api.reply("list_timeslots", (200, slots))
    work(after=timedelta(hours=1))

    assert end_of(waiting) == (State.REFUSED, code)
    assert api.sent("create_reservation") == []
    assert "Nothing was changed." in waiting.sentence
    assert waiting.next_step


def test_a_time_in_another_spelling_is_the_same(api, waiting):
    api.reply("list_timeslots", (200, [slot("2026-01-17T19:00:00Z")]))
    work(after=timedelta(hours=1))

    assert end_of(waiting) == (State.DONE, "")


def test_times_that_cannot_be_read_keep_it_waiting(api, waiting):
    api.reply("list_timeslots", NotConnected())
    work(after=timedelta(seconds=40))

    assert end_of(waiting)[0] == State.WAITING
    assert api.sent("create_reservation") == []


def test_a_key_without_the_right_to_read_times_books_as_before(api, waiting):
    api.reply("list_timeslots", (403, {"message": "Forbidden"}))
    work(after=timedelta(hours=1))

    assert end_of(waiting) == (State.DONE, "")


def test_what_was_just_pressed_costs_no_second_read(api, booked, bob, quay):
    send(bob, quay)
    api.requests.clear()
    work(after=timedelta(seconds=1))

    assert end_of(Intent.objects.get()) == (State.DONE, "")
    assert api.sent("list_timeslots") == []


def test_what_was_pressed_long_ago_is_read_again(api, booked, bob, quay):
    send(bob, quay)
    api.reply("list_timeslots", (200, []))
    work(after=timedelta(minutes=1))

    assert end_of(Intent.objects.get()) == (State.REFUSED, "NO_AVAILABILITY")


def test_a_booking_without_a_published_time_reads_none(api, waiting):
    waiting.payload |= {"without_slot": True}
    waiting.save()
    api.reply("list_timeslots", (200, []))
    work(after=timedelta(hours=1))

    assert end_of(waiting) == (State.DONE, "")

"""Events become push messages for whom they concern, once, and while they are true."""

import json
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.management import call_command

from accounts.push.models import PushDevice
from accounts.push.testing import HANG, running_push_service
from live.models import PushEvent, PushMessage
from live.push import events, sending
from live.push.kinds import PUSH_KINDS, PushKind
from live.push.testing import make_push_device, make_push_event
from restaurants.models import Membership

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)  # 19:00 in Paris
LATER = NOW + timedelta(hours=1)
KIND = "test-vip"


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


@pytest.fixture(autouse=True)
def truth(monkeypatch):
    """A kind of these tests; what it reports is true until a test clears the set."""
    truth = {KIND}
    kind = PushKind(
        place=0,
        name=KIND,
        label="VIP",
        sentence="A VIP is booked for today.",
        right="reservations.view_reservation",
        url=lambda event: "/?show=vip",
        holds=lambda event, now: KIND in truth,
    )
    monkeypatch.setattr(PUSH_KINDS, "entries", [kind, *PUSH_KINDS.entries])
    return truth


@pytest.fixture
def bob_phone(bob, service):
    return make_push_device(bob, service.subscribe(), now=NOW, kinds=[KIND])


def send(now=NOW):
    return sending.send_due(now=now)


def test_it_works(bob_phone, quay, service):
    event = make_push_event(KIND, quay, now=NOW)

    assert send() == 1

    [got] = service.received
    assert got.payload == {
        "title": "Quay",
        "body": "A VIP is booked for today.",
        "url": "/?show=vip",
        "tag": got.headers["topic"],
        "event": str(event.pk),
    }
    assert 3 * 3600 - 60 < int(got.headers["ttl"]) <= 3 * 3600
    assert not PushMessage.objects.exists()
    bob_phone.refresh_from_db()
    assert bob_phone.accepted_at is not None


def test_every_device_of_a_person_gets_it(bob, bob_phone, quay, service):
    make_push_device(bob, service.subscribe(), now=NOW, kinds=[KIND])
    make_push_event(KIND, quay, now=NOW)

    assert send() == 2


def test_it_goes_to_nobody_who_may_not_see_the_place(charlie, bob_phone, loft, service):
    make_push_device(charlie, service.subscribe(), now=NOW, kinds=[KIND])
    make_push_event(KIND, loft, now=NOW)

    assert send() == 0


def test_a_role_that_is_lost_meanwhile_counts(bob, bob_phone, quay, service):
    make_push_event(KIND, quay, now=NOW)
    sending.expand(now=NOW)
    Membership.objects.filter(user=bob).delete()

    assert send() == 0
    assert not PushMessage.objects.exists()


def test_it_goes_to_nobody_who_does_not_want_the_kind(bob, service, quay):
    make_push_device(bob, service.subscribe(), now=NOW, kinds=[])
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0


def test_a_deactivated_person_has_no_devices(bob, bob_phone, quay):
    bob.deactivate()

    assert not PushDevice.objects.exists()


def test_a_new_password_ends_the_device(bob, bob_phone, quay, service):
    make_push_event(KIND, quay, now=NOW)
    bob.set_password("another battery staple")
    bob.save()

    assert send() == 0
    assert not PushDevice.objects.exists()


def test_an_event_happens_once(bob_phone, quay, service):
    event = PushEvent(kind=KIND, subject="x", restaurant=quay, at=NOW, expires_at=LATER)
    again = PushEvent(kind=KIND, subject="x", restaurant=quay, at=NOW, expires_at=LATER)
    events.note([event])
    send()
    events.note([again])

    assert send() == 0
    assert len(service.received) == 1


def test_where_nobody_has_a_device_nothing_is_stored(quay):
    events.note([PushEvent(kind=KIND, subject="x", restaurant=quay, at=NOW, expires_at=LATER)])

    assert not PushEvent.objects.exists()


def test_what_is_not_true_any_more_is_not_sent(bob_phone, quay, truth):
    make_push_event(KIND, quay, now=NOW)
    sending.expand(now=NOW)
    truth.clear()

    assert send() == 0
    assert not PushMessage.objects.exists()


def test_what_is_out_of_date_is_not_sent(bob_phone, quay):
    make_push_event(KIND, quay, now=NOW, lasts=timedelta(minutes=5))
    sending.expand(now=NOW)

    assert send(LATER) == 0
    assert not PushMessage.objects.exists()


def test_quiet_hours_of_the_restaurants_clock_hold_it_back(bob, service, quay):
    quiet = {"quiet_from": time(18), "quiet_until": time(20, 30)}
    make_push_device(bob, service.subscribe(), now=NOW, kinds=[KIND], **quiet)
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    assert send(NOW + timedelta(minutes=89)) == 0
    assert send(NOW + timedelta(minutes=90)) == 1


def test_what_ends_within_the_quiet_hours_is_not_sent_after_them(bob, service, quay):
    quiet = {"quiet_from": time(18), "quiet_until": time(8)}
    make_push_device(bob, service.subscribe(), now=NOW, kinds=[KIND], **quiet)
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("status", [404, 410])
def test_a_subscription_that_has_ended_is_removed(bob_phone, quay, service, status):
    service.answers = [status]
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    assert not PushDevice.objects.exists()
    assert not PushMessage.objects.exists()


@pytest.mark.parametrize("status", [429, 500, 403, HANG])
def test_what_the_push_service_did_not_take_is_tried_again(bob_phone, quay, service, status):
    service.answers = [status]
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    waiting = PushMessage.objects.get()
    assert NOW + timedelta(seconds=15) <= waiting.not_before < NOW + timedelta(seconds=40)
    bob_phone.refresh_from_db()
    assert bob_phone.problem == (str(status) if status else "no answer")

    assert send(waiting.not_before) == 1
    bob_phone.refresh_from_db()
    assert bob_phone.problem == ""


def test_the_pauses_grow_to_a_quarter_of_an_hour():
    pauses = [int(sending.pause_after(n).total_seconds()) for n in (1, 2, 3, 20)]

    assert pauses == [15, 30, 60, 900]


def test_a_message_that_is_too_large_is_not_tried_again(bob_phone, quay, service):
    service.answers = [413]
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    assert not PushMessage.objects.exists()


def test_a_silent_push_service_holds_up_a_run_once(bob, bob_phone, quay, service):
    make_push_device(bob, service.subscribe(), now=NOW, kinds=[KIND])
    service.answers = [HANG, HANG]
    make_push_event(KIND, quay, now=NOW)

    assert send() == 0
    assert service.requests == 1


def test_what_a_dead_worker_held_is_sent_again_with_the_same_tag(bob_phone, quay, service):
    make_push_event(KIND, quay, now=NOW)
    sending.expand(now=NOW)
    message = PushMessage.objects.get()
    sending.send_one(message, sending.PushRun(NOW), now=NOW)
    PushMessage.objects.create(event=message.event, device=bob_phone, not_before=NOW)

    assert send() == 1
    first, second = service.received
    assert first.payload == second.payload
    assert first.headers["topic"] == second.headers["topic"]


def test_another_worker_does_not_send_what_is_being_sent(bob_phone, quay, service):
    make_push_event(KIND, quay, now=NOW)
    sending.expand(now=NOW)
    PushMessage.objects.all().claim(now=NOW)

    assert send() == 0
    assert send(NOW + timedelta(minutes=3)) == 1


def test_without_the_encryption_key_messages_wait(bob_phone, quay, service, settings):
    make_push_event(KIND, quay, now=NOW)
    settings.ENCRYPTION_KEYS = ["8rY0J1mCqkqk0o3eZf9XHk0l1k9tq0o3rM3mYw7xq1s="]

    assert send() == 0
    assert PushMessage.objects.exists()


def test_secrets_are_encrypted_and_leave_no_trace(bob_phone, quay, service, caplog, capsys):
    service.answers = [500]
    make_push_event(KIND, quay, now=NOW)
    send()
    call_command("dumpdata", "accounts.pushdevice", "accounts.vapidkey")

    whole = sending.subscription_of(bob_phone)
    dump = capsys.readouterr().out
    for secret in whole:
        assert secret not in caplog.text + json.dumps(
            [vars(r) for r in caplog.records], default=str
        )
        assert secret not in dump
    stored = PushDevice.objects.extra(select={"raw": "endpoint"}).values_list("raw", flat=True)
    assert service.address not in stored.get()


def failing(*_anything):
    raise ValueError("a note that nobody thought of")


@pytest.mark.parametrize(
    "odd",
    [
        pytest.param(lambda kind: replace(kind, holds=failing), id="turned into messages"),
        pytest.param(lambda kind: replace(kind, url=failing), id="a message is written"),
    ],
)
def test_an_event_that_fails_holds_up_no_other(bob, service, quay, monkeypatch, odd):
    odd = odd(replace(PUSH_KINDS.entries[0], name="test-odd"))
    monkeypatch.setattr(PUSH_KINDS, "entries", [odd, *PUSH_KINDS.entries])
    make_push_device(bob, service.subscribe(), now=NOW, kinds=["test-odd", KIND])
    make_push_event("test-odd", quay, now=NOW)
    make_push_event(KIND, quay, now=NOW)

    assert send() == 1


def test_old_events_are_forgotten(quay):
    make_push_event(KIND, quay, now=NOW)
    PushEvent.objects.all().delete_old(now=NOW + timedelta(days=1))
    assert PushEvent.objects.exists()

    PushEvent.objects.all().delete_old(now=NOW + timedelta(days=3))
    assert not PushEvent.objects.exists()

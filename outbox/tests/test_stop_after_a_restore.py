"""A database from a backup: nothing that waited in it leaves a second time."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.utils import timezone

from mirror.models import Heartbeat
from mirror.processes import watch
from outbox import engine
from outbox.models import Intent
from outbox.registry import Found, Look
from outbox.tests.steps import CREATED, state_of, work
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db
State = Intent.State
A_NIGHT = timedelta(hours=8)


def start_without_worker():
    """A web process: the worker whom it knows of has been silent since the backup."""
    Heartbeat.objects.update_or_create(name="worker", defaults={"at": timezone.now() - A_NIGHT})
    watch.Watch(is_worker=False).look(now=timezone.now())


@pytest.mark.parametrize(
    ("action", "found"),
    [("create", Found.NOT_DONE), ("note", Found.NOT_DONE), ("note", Found.UNPROVEN)],
)
@pytest.mark.parametrize(
    ("backed_up", "ends"),
    [
        ({"state": State.HELD}, State.WITHDRAWN),
        ({"state": State.WAITING}, State.WITHDRAWN),
        ({"state": State.WAITING, "sent_at": "then", "unconfirmed_count": 1}, State.ASKS),
        ({"state": State.SENDING, "sent_at": "then", "lease_until": "then"}, State.ASKS),
        ({"state": State.CHECKING, "sent_at": "then", "unconfirmed_count": 1}, State.ASKS),
    ],
    ids=["held", "waiting", "sent again", "sending", "checking"],
)
def test_nothing_leaves_by_itself(service, submit, action, found, *, backed_up, ends):
    service.found, then = Look(found, CREATED), timezone.now() - A_NIGHT
    intent = submit(action)
    fields = {name: then if value == "then" else value for name, value in backed_up.items()}
    Intent.objects.update(created_at=then, not_before=then, **fields)

    call_command("after_restore", verbosity=0)
    start_without_worker()
    for seconds in (0, 10, 80):
        work(after=timedelta(seconds=seconds))

    assert state_of(intent) == ends
    assert service.sent == []


def test_what_had_ended_stays_and_a_second_run_changes_nothing(service, submit, capsys):
    done, waiting = submit(), None
    work()
    waiting = submit()
    call_command("after_restore")
    versions = list(Intent.objects.order_by("pk").values_list("state", "version"))
    call_command("after_restore")

    assert (state_of(done), state_of(waiting)) == (State.DONE, State.WITHDRAWN)
    assert list(Intent.objects.order_by("pk").values_list("state", "version")) == versions
    assert [line[-1] for line in capsys.readouterr().out.splitlines()] == list("100000")


def test_what_a_person_sends_afterwards_leaves(service, submit):
    call_command("after_restore", verbosity=0)
    intent = submit()
    engine.work(now=timezone.now() + timedelta(seconds=1))

    assert state_of(intent) == State.DONE


def test_nobody_is_signed_in_by_a_session_that_was_ended_since(bob):
    browser = sign_in(bob)
    call_command("after_restore", verbosity=0)

    assert not Session.objects.exists()
    assert "/accounts/login/" in browser.get("/").headers["Location"]

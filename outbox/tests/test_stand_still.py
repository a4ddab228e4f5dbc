"""A worker that stood still: frozen, or behind a store that stalls, until its lease had ended.

Another one has the intent by then. Wherever the first one stood, nothing is sent twice, and what
it learns too late changes nothing of what the other one has stored.
"""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from outbox import engine, registry
from outbox.models import Intent
from outbox.registry import Found, Look
from outbox.tests.steps import CREATED, state_of, work
from outbox.transitions import LEASE
from partner import errors

pytestmark = pytest.mark.django_db
State = Intent.State
LATER = LEASE + timedelta(seconds=2)


def claim(*, after=timedelta(seconds=1)):
    claimed = engine.claim(now=timezone.now() + after)
    assert claimed
    return claimed


def others_go_on():
    """Three looks, the last of them a minute later, and what follows from them."""
    for seconds in (0, 10, 80, 90):
        work(after=LATER + timedelta(seconds=seconds))


@pytest.mark.parametrize("action", ["note", "create", "cancel"])
@pytest.mark.parametrize("found", list(Found))
def test_before_it_sent_anything(service, submit, action, found):
    service.found = Look(found, CREATED)
    intent = submit(action)
    frozen = claim()
    others_go_on()
    state, sent = state_of(intent), len(service.sent)

    engine.step(frozen)

    assert (state_of(intent), len(service.sent)) == (state, sent)
    assert sent <= 1 or found is Found.UNPROVEN


@pytest.mark.parametrize("answer", [None, errors.Refused(status=400), errors.Ambiguous()])
@pytest.mark.parametrize("action", ["note", "create"])
def test_while_the_service_answered(service, submit, monkeypatch, action, answer):
    """The request has left, so the looks of the other find it."""
    intent = submit(action)
    frozen = claim()

    def send(_client, sent):
        service.sent.append(sent.key)
        service.found = Look(Found.DONE, CREATED)
        others_go_on()
        if answer:
            raise answer
        return SimpleNamespace(raw="{}")

    monkeypatch.setattr(service, "send", send)
    own = registry.get(action)
    monkeypatch.setattr(registry.ACTIONS, "entries", [replaced(own, send)])
    engine.step(frozen)

    assert state_of(intent) == State.DONE
    assert len(service.sent) == 1


def replaced(action, send):
    object.__setattr__(action, "send", send)
    return action


def test_in_the_look_before_a_creation_is_repeated(service, submit):
    """The look took longer than the lease: a person decides about the intent by now."""
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.NOT_DONE)
    intent = submit("create")
    for seconds in (1, 20, 120):
        work(after=timedelta(seconds=seconds))
    Intent.objects.filter(pk=intent.pk).update(problem="")
    intent.refresh_from_db()
    assert engine.try_again(intent, now=timezone.now())
    frozen = claim()
    action = registry.get("create")

    def slow_look(client, looked_up):
        object.__setattr__(action, "look", service.look)
        others_go_on()
        return service.look(client, looked_up)

    object.__setattr__(action, "look", slow_look)
    engine.step(frozen)

    assert state_of(intent) == State.ASKS
    assert len(service.sent) == 1


def test_a_look_that_took_too_long_decides_nothing(service, submit):
    service.answers = [errors.Ambiguous(status=500)]
    service.found = Look(Found.NOT_DONE)
    intent = submit("note")
    engine.step(claim())
    frozen = claim()
    others_go_on()
    assert state_of(intent) == State.DONE
    sent = len(service.sent)

    engine.step(frozen)

    assert state_of(intent) == State.DONE
    assert len(service.sent) == sent

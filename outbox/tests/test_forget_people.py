"""A person is erased of whom intents tell: nothing more of them leaves, nothing of them stays."""

from collections.abc import Callable
from datetime import timedelta
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from outbox import engine, registry
from outbox.models import Intent, say
from outbox.registry import Action, Found, Look, Redacted
from partner import errors, testing

State = Intent.State
TELLING = {"note": "Zoë is allergic", "size": 4}


class Service:
    def __init__(self):
        self.sent: list[dict[str, Any]] = []
        self.answers: list[Exception] = []
        self.found = Look(Found.UNSURE)

    def send(self, _client, intent):
        self.sent.append(intent.payload)
        if self.answers:
            raise self.answers.pop(0)
        return SimpleNamespace(raw='{"note": "Zoë is allergic"}')

    def look(self, _client, _intent):
        return self.found


def without_note(payload):
    return {name: value for name, value in payload.items() if name != "note"}


@pytest.fixture
def service(monkeypatch, db):
    testing.connection()
    service = Service()
    known: dict[str, Any] = {"title": "ChangeSummary", "send": service.send, "look": service.look}
    known["confirms"] = lambda _intent, _answer: True
    actions = [
        Action(name="write", redact=lambda p: Redacted(without_note(p), False), **known),
        Action(name="change", redact=lambda p: Redacted(without_note(p)), **known),
        Action(name="cancel", **known),
    ]
    monkeypatch.setattr(registry.ACTIONS, "entries", actions)
    return service


@pytest.fixture
def submit(quay, bob) -> Callable[..., Intent]:
    def submit(action="write", *, hold=timedelta(0)):
        return engine.submit(
            action,
            key=uuid4(),
            kind="reservation",
            uuid=uuid4(),
            restaurant=quay,
            payload=TELLING,
            actor=bob,
            hold=hold,
            reason="Zoë asked",
        )

    return submit


def work(*, after=timedelta(seconds=1)):
    engine.work(now=timezone.now() + after)


def redact(intent) -> Intent:
    engine.redact(engine.locked(Intent.objects.filter(pk=intent.pk)), now=timezone.now())
    return fresh(intent)


def fresh(intent) -> Intent:
    return Intent.objects.get(pk=intent.pk)


def words_of(intent) -> str:
    return f"{intent.payload} {intent.answer} {intent.reason} {intent.message}"


def test_it_works(service, submit):
    intent = submit()
    work()
    row = redact(intent)

    assert (row.state, row.payload) == (State.DONE, {"size": 4})
    assert "Zo" not in words_of(row)
    assert "erased" in row.sentence


def test_an_answer_of_somebody_who_saw_it_before_brings_nothing_back(service, submit):
    intent = submit()
    Intent.objects.update(state=State.REFUSED, message=say("Now %(note)s", note="Zoë is ill"))
    before = fresh(intent)
    redact(intent)

    assert not engine.answer(before, message=before.message)
    assert "Zo" not in words_of(fresh(intent))


def test_what_has_not_left_never_leaves(service, submit):
    row = redact(submit(hold=timedelta(seconds=8)))
    work(after=timedelta(seconds=9))

    assert row.state == State.WITHDRAWN
    assert "Zo" not in words_of(row)
    assert service.sent == []


def test_what_tells_of_nobody_still_leaves(service, submit):
    redact(submit("change", hold=timedelta(seconds=8)))
    work(after=timedelta(seconds=9))

    assert service.sent == [{"size": 4}]
    assert Intent.objects.get().state == State.DONE


def test_an_intent_without_text_leaves_unchanged(service, submit):
    row = redact(submit("cancel", hold=timedelta(seconds=8)))
    work(after=timedelta(seconds=9))

    assert row.reason == ""
    assert fresh(row).state == State.DONE


class TestMayHaveLeft:
    """Whoever sent it must learn whether it happened."""

    @pytest.fixture
    def intent(self, service, submit):
        service.answers = [errors.Ambiguous(status=500)]
        intent = submit()
        work()
        return intent

    def test_it_works(self, service, intent):
        row = redact(intent)
        assert (row.state, row.payload) == (State.CHECKING, TELLING)

        service.found = Look(Found.DONE)
        work(after=timedelta(seconds=20))

        assert fresh(intent).state == State.DONE
        assert "Zo" not in words_of(fresh(intent))

    def test_what_did_not_happen_is_not_sent_again(self, service, intent):
        redact(intent)
        service.found = Look(Found.NOT_DONE)
        for seconds in (20, 120, 300):
            work(after=timedelta(seconds=seconds))

        assert fresh(intent).state == State.WITHDRAWN
        assert len(service.sent) == 1
        assert "Zo" not in words_of(fresh(intent))

    def test_nobody_has_to_send_it_again(self, service, intent):
        for seconds in (20, 120, 300):
            work(after=timedelta(seconds=seconds))
        assert fresh(intent).state == State.ASKS
        row = redact(intent)

        assert row.state == State.REFUSED
        assert not engine.try_again(row, now=timezone.now())
        assert "Zo" not in words_of(row)


def test_what_never_left_is_withdrawn(service, submit):
    service.answers = [errors.NotSent(retry_after=1)]
    intent = submit()
    work()
    row = redact(intent)
    work(after=timedelta(minutes=2))

    assert row.state == State.WITHDRAWN
    assert len(service.sent) == 1

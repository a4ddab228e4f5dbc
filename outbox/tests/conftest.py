"""Three actions of a made-up service, and intents to carry out."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from outbox import engine, registry
from outbox.models import Intent
from outbox.registry import Action, Settled
from outbox.tests.steps import CREATED, Service
from partner import testing


@pytest.fixture
def service(monkeypatch, db):
    testing.connection()
    service = Service()
    known: Any = {"send": service.send, "confirms": service.confirms, "look": service.look}
    actions = [
        Action(name="note", title="Note", **known),
        Action(
            name="create",
            title="Book",
            settle=lambda intent, answer: Settled(uuid=CREATED),
            repeats=False,
            **known,
        ),
        Action(
            name="cancel",
            title="Cancel",
            is_done=lambda error: error.code == "DOUBLE_CANCELLATION",
            **known,
        ),
    ]
    monkeypatch.setattr(registry.ACTIONS, "entries", actions)
    return service


@pytest.fixture
def submit(quay, bob) -> Callable[..., Intent]:
    def submit(action="note", *, uuid=None, key=None, hold=timedelta(0)):
        return engine.submit(
            action,
            key=key or uuid4(),
            kind="reservation",
            uuid=uuid or uuid4(),
            restaurant=quay,
            payload={},
            actor=bob,
            hold=hold,
        )

    return submit

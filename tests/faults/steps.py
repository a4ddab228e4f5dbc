"""Steps of the way out in the test's own process, with deaths that only look like one.

Cheaper than workers that are really killed (`workers.py`), where the intents are what is tried.
"""

import os
import random
import time
from collections import Counter
from datetime import timedelta

import pytest
from django.utils import timezone

from outbox import engine, registry
from outbox.models import Intent
from partner import factory
from partner.errors import PartnerError

NUMBER = int(os.environ.get("CHAOS_INTENTS", "60"))
SEED = int(os.environ.get("CHAOS_SEED", "1"))
PATIENCE = 120 + NUMBER * 2  # seconds
BREATH = 0.3  # the service counts a repetition within 200 ms as a breach
DEATHS = 0.15  # of the steps, in which the worker dies
State = Intent.State


def hits_of_faults(sandbox):
    """How many calls each fault has met: one that meets none tries nothing."""
    return [fault["hits"] for fault in sandbox.get("faults")["faults"]]


@pytest.fixture
def dice():
    return random.Random(SEED)  # noqa: S311  # no secret


def die_or_step(intent, dice):
    """A step, or the death of the worker in it: before the request left, or after."""
    fate = dice.random()
    if intent.state == State.CHECKING or fate > DEATHS:
        engine.step(intent)
        return
    Intent.objects.filter(pk=intent.pk).update(sent_at=timezone.now())
    if fate > DEATHS / 2:
        try:
            registry.get(intent.action).send(factory.client(), intent)
        except PartnerError:
            return


def work_until_all_end(dice):
    deadline = time.monotonic() + PATIENCE
    while Intent.objects.open().exists():
        assert time.monotonic() < deadline, Counter(Intent.objects.values_list("state", flat=True))
        now = timezone.now()
        # Pauses and leases of minutes are cut short; the breath between two rounds is real.
        Intent.objects.open().update(not_before=now)
        Intent.objects.filter(state=State.SENDING).update(lease_until=now - timedelta(seconds=1))
        round_of = [intent for _n in range(NUMBER) if (intent := engine.claim(now=now))]
        for intent in round_of:
            die_or_step(intent, dice)
        time.sleep(BREATH)

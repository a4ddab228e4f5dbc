"""All processes of an installation killed at once, again and again, while it makes its first copy.

    CHAOS_KILLS=40 COUVERT_SEED=2 pytest -m long tests/faults/test_kill_whole_installations.py

Half of the kills wait until nearly all is read: then the listings are closed, and the copy is
declared complete. After each death the database is looked at before anything runs again.
"""

import json
import os
import random
import time
from typing import Any

import pytest

from tests.faults import truth
from tests.faults.installation import PROCESSES, Installation, open_installation
from tests.faults.test_lose_nothing import Notebook, breaches, settled

SEED = int(os.environ.get("COUVERT_SEED", "1"))
pytestmark = pytest.mark.faults
PATIENCE = 300  # seconds for a copy without deaths, on a busy machine
LAST_STEP = 0.3  # seconds: in which the last listings are closed
STATE = """
import json
from mirror.models import Completeness, Job, Slice
from mirror.queue.sync_requests import UNREAD
from mirror.models import SyncRequest
states = lambda rows: sorted(set(rows.values_list("state", flat=True)))
print(json.dumps({
    "jobs": states(Job.objects.order_by()),
    "open": Slice.objects.exclude(state="done").count(),
    "unread": SyncRequest.objects.filter(UNREAD).count(),
    "proven": sorted(set(Completeness.objects.values_list("kind", flat=True))),
}))
"""
KINDS = {"reservation", "customer", "review"}


def test_a_first_copy_survives_a_few_deaths():
    copy_among_deaths(kills=3)


@pytest.mark.long
def test_a_first_copy_survives_many_deaths():
    copy_among_deaths(kills=int(os.environ.get("CHAOS_KILLS", "20")))


def copy_among_deaths(*, kills: int) -> None:
    dice = random.Random(SEED)  # noqa: S311  # no secret
    with open_installation(seed=SEED, world="small" if kills > 5 else "tiny") as installation:
        note = Notebook(f"seed {SEED}, {kills} kills")
        since, until = truth.days(installation)
        installation.manage("backfill", "--since", since, "--until", until)
        for number in range(kills):
            is_late = number % 2 == 1 and wait_for_the_last_step(installation)
            time.sleep(dice.uniform(0, LAST_STEP if is_late else 4))
            kill_all(installation)
            state = state_of(installation)
            note("killed", "late" if is_late else "at any time", state)
            nothing_is_declared_complete_that_is_not(installation, state)
            if state["jobs"] == ["done"]:
                break
            start_all(installation)
        if not all(name in installation.processes() for name in PROCESSES):
            start_all(installation)
        wait_until_complete(installation)
        found = settled(installation)
        note(found, installation.sandbox.journal()["breaches"])
        assert found.is_equal, str(found)
        assert set(state_of(installation)["proven"]) == KINDS
        assert breaches(installation) == {}


def kill_all(installation: Installation) -> None:
    """In one moment, as a machine that loses its power."""
    for name in PROCESSES:
        installation.kill(name)


def start_all(installation: Installation) -> None:
    for name in PROCESSES:
        installation.start(name)


def state_of(installation: Installation) -> dict[str, Any]:
    output = installation.manage("shell", "--verbosity", "0", "-c", STATE)
    state: dict[str, Any] = json.loads(output)
    return state


def wait_for_the_last_step(installation: Installation) -> bool:
    """Until hardly anything is unread and some listings are open; False if it came too late."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        state = state_of(installation)
        if state["jobs"] == ["done"]:
            return False
        if state["unread"] < 60 and state["open"] < 20:
            return True
    return False


def nothing_is_declared_complete_that_is_not(
    installation: Installation, state: dict[str, Any]
) -> None:
    """Looked at while nothing runs: what the copy claims must be true as it stands on the disk."""
    if state["jobs"] == ["done"]:
        found = truth.compare(installation)  # the service answers a request meanwhile
        assert (found.missing, found.invented) == ([], []), str(found)
        assert set(state["proven"]) == KINDS


def wait_until_complete(installation: Installation) -> None:
    deadline = time.monotonic() + PATIENCE
    while (state := state_of(installation))["jobs"] != ["done"]:
        assert time.monotonic() < deadline, state
        time.sleep(0.5)

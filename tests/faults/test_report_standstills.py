"""Beat or the workers stand still: people are notified, and sent changes leave all the same."""

import json
import os
import signal
import sqlite3
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.faults import truth
from tests.faults.installation import Installation, open_installation
from tests.faults.people import PASSWORD, Person, words_of

pytestmark = pytest.mark.faults

WITHIN = 60  # seconds, as the page of operating promises; here standstills count after 8
STANDSTILL_SECONDS = "8"
PEOPLE = f"""
from accounts.models import User
from restaurants.models import Group, Membership
bob = User.objects.create_user("bob@example.org", {PASSWORD!r})
Membership.objects.create(user=bob, group=Group.objects.first(), role="staff")
"""
CANCEL = """
from datetime import timedelta
from uuid import uuid4
from django.utils import timezone
from outbox import engine
from reservations.models import Reservation
from reservations import actions
from outbox.models import Intent
later = Reservation.objects.present().filter(status="RECORDED", meal_at__gt=timezone.now())
row = later.exclude(pk__in=Intent.objects.values("uuid")).order_by("-meal_at").first()
intent = engine.submit(actions.CANCEL, key=uuid4(), kind="reservation", uuid=row.pk, payload={},
    restaurant=row.restaurant, actor=None, hold=timedelta(seconds=8))
print(intent.key)
"""
# What never ran is not missed at once.
HAVE_RUN = """
from mirror.models import Heartbeat
print(Heartbeat.objects.filter(name__in=["beat", "worker"]).count())
"""
STATE = "from outbox.models import Intent; print(Intent.objects.get(key='{key}').state)"


@contextmanager
def frozen(installation: Installation, process: str) -> Iterator[None]:
    leader = installation.processes()[process]
    os.killpg(leader, signal.SIGSTOP)
    while not may_write(installation):
        os.killpg(leader, signal.SIGCONT)
        os.killpg(leader, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(leader, signal.SIGCONT)


def may_write(installation: Installation) -> bool:
    """SQLite has one writer: who is frozen in the middle of it keeps out all others."""
    if not installation.environment["DATABASE_URL"].startswith("sqlite"):
        return True
    file = installation.folder / "couvert.sqlite3"
    with closing(sqlite3.connect(file, timeout=1, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
    return True


def becomes(is_so: Callable[[], bool], *, within: float = WITHIN) -> bool:
    deadline = time.monotonic() + within
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.5)
    return True


def ready(installation: Installation) -> dict[str, Any]:
    address = installation.environment["PUBLIC_URL"] + "/health/ready"
    with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - our own loopback
        found: dict[str, Any] = json.loads(answer.read())
    return found


def shell(installation: Installation, code: str) -> str:
    return installation.manage("shell", "--verbosity", "0", "-c", code).strip().splitlines()[-1]


def test_people_are_notified_and_changes_leave(monkeypatch):
    monkeypatch.setenv("STANDSTILL_SECONDS", STANDSTILL_SECONDS)
    with open_installation(seed=12, processes=()) as installation:
        installation.collect_static()
        installation.begin()
        _oldest, until = truth.days(installation)
        today = datetime.now(UTC).date().isoformat()  # what is cancelled lies ahead
        installation.manage("backfill", "--since", today, "--until", until, "--wait")
        installation.manage("shell", "--verbosity", "0", "-c", PEOPLE)
        bob = Person(installation.environment["PUBLIC_URL"], "bob@example.org")
        bob.sign_in()
        assert becomes(lambda: shell(installation, HAVE_RUN) == "2")
        assert becomes(lambda: ready(installation) == {"status": "ready"})

        with frozen(installation, "beat"):
            key = shell(installation, CANCEL)
            assert becomes(lambda: ready(installation).get("reasons") == ["beat"])
            assert "A part of Couvert has stopped" in words_of(bob.get("/"))
            # A worker offers what beat does not.
            assert becomes(lambda: shell(installation, STATE.format(key=key)) == "done")

            with frozen(installation, "worker"):
                key = shell(installation, CANCEL)
                assert becomes(lambda: "worker" in ready(installation).get("reasons", []))
                assert "No update for a moment" in words_of(bob.get("/"))
                # A web process sends what people have sent.
                assert becomes(lambda: shell(installation, STATE.format(key=key)) == "done")

        assert becomes(lambda: ready(installation) == {"status": "ready"})
        assert "A part of Couvert has stopped" not in words_of(bob.get("/"))
        assert installation.sandbox.faults_of_the_api() == []

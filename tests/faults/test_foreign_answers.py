"""Answers about something else must not overwrite a filled copy, and people must hear of them."""

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faults.installation import Installation, open_installation
from tests.faults.test_lose_nothing import Notebook, backfill, settled

pytestmark = pytest.mark.faults

SECONDS = 30
ENTITIES = "get_(reservation|customer|review)"
# Every entity is answered with one of these; what falls through the rates is another record.
FORMS = {"message": 0.4, "empty": 0.3, "errors": 0.3, "list": 0.3, "text": 0.3, "other": 1.0}
REPORTED_WITHIN = 100  # a check a minute, and a slow machine
SHOWN = """
import json
from django.db.models import Count, Sum
from customers.models import Customer
from mirror.models import Alert
from reservations.models import Reservation

days = Reservation.objects.present().filter(status="RECORDED").values("service_day")
print(json.dumps({
    "boards": {
        str(row["service_day"]): [row["bookings"], row["covers"]]
        for row in days.annotate(bookings=Count("pk"), covers=Sum("party_size"))
    },
    "named": Customer.objects.filter(presence="present").exclude(last_name="").count(),
    "alerts": list(Alert.objects.filter(closed_at=None).values_list("cause", flat=True)),
}))
"""


@pytest.fixture(scope="module")
def filled() -> Iterator[Installation]:
    """Backfilled once, which is most of the work; each test leaves it as it found it."""
    with open_installation(seed=22) as installation:
        backfill(installation)
        found = settled(installation)
        assert found.is_equal, str(found)
        yield installation


@pytest.fixture
def installation(filled: Installation) -> Installation:
    """With nothing left to read, whichever test ran before; each ends without a difference."""
    filled.sandbox.remove_faults()
    filled.wait_until_quiet()
    return filled


def test_foreign_answers_during_a_sweep_change_nothing(installation):
    """Answers about something else for a while: every row stays, and people are notified."""
    note = Notebook("foreign answers")
    before = shown(installation)

    answer_with_something_else(installation)
    installation.manage("sweep", "--days", "30")
    states, least = watch(installation, before)
    installation.sandbox.remove_faults()
    note("it was", states, least)
    assert "down" in states
    assert is_reported(installation)
    assert least == before["named"], "guests lost their names"

    found, after = settled(installation), shown(installation)
    note("it is over", found, installation.sandbox.journal()["totals"]["by_status"])
    assert found.is_equal, str(found)
    assert_no_number_fell(before, after)
    assert installation.status()["failed"] == 0


def test_empty_lists_prove_nothing(installation):
    """Sweeps over lists that are falsely empty: nothing counts as gone or complete."""
    installation.manage("sweep", "--wait")
    before, proven = shown(installation), completed(installation)

    installation.sandbox.post("faults", match={"endpoint": "list_.*"}, effect={"empty_list": True})
    installation.sandbox.post("faults", match={"event": ".*"}, effect={"lost": True})
    installation.sandbox.happen("change", count=20)
    installation.manage("sweep", "--days", "30", "--wait")
    assert installation.status()["sections"]["lists"]["state"] == "late"
    assert_no_number_fell(before, shown(installation))
    assert completed(installation) == proven
    assert is_reported(installation, "lists")

    installation.sandbox.remove_faults()
    installation.manage("sweep", "--wait")
    found = settled(installation)
    assert found.is_equal, str(found)
    assert installation.status()["sections"]["lists"]["state"] == "good"
    assert all(at > proven[place] for place, at in completed(installation).items())


def completed(installation: Installation) -> dict[str, str]:
    """Up to when each restaurant is known to be complete."""
    return {
        row["restaurant_uuid"]: row["complete_at"] for row in installation.status()["freshness"]
    }


def answer_with_something_else(installation: Installation) -> None:
    for form, rate in FORMS.items():
        match = {"endpoint": ENTITIES}
        installation.sandbox.post("faults", match=match, effect={"foreign": form}, rate=rate)


def watch(installation: Installation, before: dict[str, Any]) -> tuple[set[str], int]:
    """Look again and again. Returns the text of the health page and the fewest names seen."""
    states, least = set(), before["named"]
    ends_at = time.monotonic() + SECONDS
    while time.monotonic() < ends_at:
        installation.sandbox.happen("change")  # what an event brings is answered with the same
        states.add(installation.status()["sections"]["api"]["state"])
        least = min(least, shown(installation)["named"])
        time.sleep(0.5)  # a look is work for the machine under test, too
    return states, least


def is_reported(installation: Installation, cause: str = "api") -> bool:
    """An alert stands on top of the admins' pages and leaves by mail."""
    deadline = time.monotonic() + REPORTED_WITHIN
    while time.monotonic() < deadline:
        if cause in shown(installation)["alerts"]:
            return True
        time.sleep(2)
    return False


def shown(installation: Installation) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(
        installation.manage("shell", "--verbosity", "0", "-c", SHOWN).splitlines()[-1]
    )
    return found


def assert_no_number_fell(before: dict[str, Any], after: dict[str, Any]) -> None:
    """The world lives on, so that a booking may be cancelled meanwhile; no board may empty."""
    assert after["named"] >= before["named"]
    for day, (bookings, covers) in before["boards"].items():
        now_bookings, now_covers = after["boards"].get(day, (0, 0))
        assert now_bookings >= bookings * 0.95, day
        assert now_covers >= covers * 0.95, day

"""The clock of the machine is set: nothing waits for over a minute, and nobody is erased."""

import os
from pathlib import Path

import pytest

from tests.faults import truth
from tests.faults.installation import Installation, open_installation
from tests.faults.test_report_standstills import CANCEL, STATE, becomes, shell

pytestmark = pytest.mark.faults

WITHIN = 60  # seconds, as the page of operating promises
HOUR, DAY = 3600, 86_400
PRESENT = """
from customers.models import Customer, PurgeQuestion
print(Customer.objects.present().count(), PurgeQuestion.objects.count())
"""
USUAL = 50  # guests that may be erased on a day without a person: GUEST_PURGE_LIMIT
PURGE = "from customers.tasks import purge; purge()"


class Clock:
    """The system clock of all processes of the product; not that of the service."""

    def __init__(self, installation: Installation) -> None:
        self._file = installation.folder / "clock"
        self.set(0)
        installation.environment |= {
            "CLOCK_FILE": str(self._file),
            "PYTHONPATH": str(Path(__file__).with_name("set_clock")),
        }

    def set(self, seconds: int) -> None:
        fresh = self._file.with_suffix(".new")
        fresh.write_text(str(seconds))
        os.replace(fresh, self._file)  # nobody reads half of it


def changes_arrive(installation: Installation) -> bool:
    """Bookings change over there; the copy has it soon, whatever waited before."""
    [row] = installation.sandbox.happen("change", count=1)
    uuid = row["reservation"]
    return becomes(lambda: truth.is_equal_here(installation, "reservation", uuid), within=WITHIN)


def changes_leave(installation: Installation) -> bool:
    key = shell(installation, CANCEL)
    return becomes(lambda: shell(installation, STATE.format(key=key)) == "done", within=WITHIN)


def guests(installation: Installation) -> tuple[int, int]:
    present, questions = shell(installation, PRESENT).split()
    return int(present), int(questions)


def test_the_clock_is_set(monkeypatch):
    monkeypatch.setenv("GUEST_RETENTION_MONTHS", "12")
    with open_installation(seed=14, processes=()) as installation:
        clock = Clock(installation)
        installation.begin()
        since, until = truth.days(installation)
        installation.manage("backfill", "--since", since, "--until", until, "--wait")

        clock.set(-HOUR)
        assert changes_arrive(installation)
        assert changes_leave(installation)

        # Ahead by a day while nothing can be read or sent, so that all of it has a due time.
        clock.set(DAY)
        installation.sandbox.post("faults", match={"path": "^/api/"}, effect={"status": 503})
        installation.sandbox.happen("change", count=20)
        key = shell(installation, CANCEL)
        assert becomes(lambda: installation.status()["waiting"] > 0)
        installation.kill("worker")
        clock.set(0)
        installation.sandbox.remove_faults()
        installation.start("worker")
        assert becomes(lambda: shell(installation, STATE.format(key=key)) == "done", within=WITHIN)
        assert installation.grows_quiet(within=WITHIN)
        assert truth.compare(installation).is_equal, str(truth.compare(installation))

        before, _questions = guests(installation)
        clock.set(500 * DAY)
        installation.manage("shell", "--verbosity", "0", "-c", PURGE)
        present, questions = guests(installation)
        assert (present >= before - USUAL, questions) == (True, 1)  # a question to an owner
        clock.set(0)
        assert changes_arrive(installation)
        assert changes_leave(installation)
        assert guests(installation)[0] >= before - USUAL

"""A burst of events for one reservation costs few GETs, and the last state wins."""

import os
import time

import pytest

from tests.faults import truth
from tests.faults.installation import Installation, open_installation

SEED = int(os.environ.get("COUVERT_SEED", "1"))
MOST_GETS_A_MINUTE = 120
CHANGES_A_SECOND = 5
pytestmark = [pytest.mark.faults, pytest.mark.once]


def test_a_thousand_events_in_six_seconds():
    burst(events=1_000, seconds=6)


@pytest.mark.long
def test_ten_thousand_events_in_a_minute():
    burst(events=10_000, seconds=60)


def burst(*, events: int, seconds: int) -> None:
    with open_installation(seed=SEED, web_workers=2) as installation:
        uuid = next(iter(truth.ours(installation, "reservation")))
        began = time.monotonic()
        change_during_a_burst(installation, uuid, events=events, seconds=seconds)
        installation.wait_until_quiet()
        took = time.monotonic() - began
        gets = installation.sandbox.journal()["totals"]["by_endpoint"]["get_reservation"]
        events_of_it = sum(
            row["payload"]["uuid"] == uuid for row in installation.sandbox.deliveries()
        )
        print(f"\n{events_of_it} events, {gets} GETs, quiet after {took:.1f} s")  # noqa: T201  # the report of the run
        assert events_of_it >= events
        assert gets <= MOST_GETS_A_MINUTE * max(took, seconds) / 60 + 1
        assert truth.is_equal_here(installation, "reservation", uuid)


def change_during_a_burst(
    installation: Installation, uuid: str, *, events: int, seconds: int
) -> None:
    """Spread the events evenly, a few of them real changes, the very last one too."""
    rounds = seconds * CHANGES_A_SECOND
    ends_at = time.monotonic() + seconds
    for left in range(rounds, 0, -1):
        event = {"entityType": "reservation", "eventType": "reservationUpdated", "uuid": uuid}
        installation.sandbox.post("emit", payload=event, copies=events // rounds)
        installation.sandbox.happen("change", reservation=uuid)
        time.sleep(max(0.0, (ends_at - time.monotonic()) / left))

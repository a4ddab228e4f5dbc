"""One account fails half of the time, far behind, and loses its token: the other notices nothing.

make test-faults          also the long storm, with 100,000 reads waiting
COUVERT_SEED=7 …          another storm; the seed of a run stands in its output
"""

import os

import pytest

from tests.faults import truth
from tests.faults.installation import open_installation
from tests.faults.test_lose_nothing import Notebook, settled
from tests.faults.two_accounts import EventTimes, StormPlan, TwoAccounts, percentile

SEED = int(os.environ.get("COUVERT_SEED", "1"))
EXCUSED = ("webhook_wrong_answer", "webhook_late_answer")
MOST_SLOWER = 1.2
CALM_SECONDS = 900
pytestmark = pytest.mark.faults


def test_a_short_storm_breaks_no_rule_and_loses_nothing():
    rage(StormPlan(seed=SEED, rounds=2, events=12, waiting=2_000))


@pytest.mark.long
def test_a_long_storm_does_not_slow_the_other_account():
    spans = rage(StormPlan(seed=SEED, rounds=8, events=30, waiting=100_000, world="small"))
    alone, beside = (percentile([one.line for one in found], 0.95) for found in spans.values())

    assert beside <= MOST_SLOWER * alone


def rage(plan: StormPlan) -> dict[str, list[EventTimes]]:
    """Storm, calm, sweep: then the copies of both accounts are what the service says."""
    with open_installation(
        seed=plan.seed, world=plan.world, owners=2, web_workers=2
    ) as installation:
        note = Notebook(str(plan))
        both = TwoAccounts(installation, plan)
        since, until = truth.days(installation)
        days = ("--since", since, "--until", until)
        installation.manage("backfill", *days, "--connection", "Sandbox", "--wait")
        note("the account that is well is copied")
        both.fail()
        installation.manage("backfill", *days, "--connection", "Sandbox 2")
        note("reads of the failing account that wait:", both.fill_the_queue())
        spans = both.measure()
        note("still waiting:", both.unread())
        for name, events in spans.items():
            note(f"{name}, {len(events)} events:", *map(summary, blocks(events, plan)))
        note("faults:", [row["hits"] for row in both.failing.get("faults")["faults"]])
        both.failing.remove_faults()
        both.forget_the_made_up()
        if failed := both.wait_until_listed(within=CALM_SECONDS):
            note("listings to request again, as the health page says:", failed)
            installation.manage("backfill", *days, "--connection", "Sandbox 2", "--wait")
        installation.manage("sweep", "--wait")
        found = settled(installation)
        breaches = [sandbox.journal()["breaches"] for sandbox in installation.sandboxes]
        note("swept", found, breaches)
        assert found.is_equal, str(found)
        for broken in breaches:
            assert {rule for rule in broken if rule not in EXCUSED} == set()
        return spans


def blocks(events: list[EventTimes], plan: StormPlan) -> list[list[EventTimes]]:
    """All of them, then round by round."""
    rounds = range(0, len(events), plan.events)
    return [events, *(events[start : start + plan.events] for start in rounds)]


def summary(events: list[EventTimes]) -> str:
    """Milliseconds until fetched, stored and on the stream: the median and the 95th percentile."""
    steps = [
        [one.fetched for one in events],
        [one.stored for one in events],
        [one.line for one in events],
    ]
    p50, p95 = ([round(1000 * percentile(step, share)) for step in steps] for share in (0.5, 0.95))
    return f"\n  p50 {p50} p95 {p95}"

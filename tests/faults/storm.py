"""A storm: many changes at the service while everything between it and our rows goes wrong.

Everything that is left to chance comes from one seed and is counted in changes, not in seconds:
the same seed makes the same changes and strikes at the same ones.
"""

import random
import time
from dataclasses import dataclass
from typing import Any

from tests.faults import truth
from tests.faults.installation import PROCESSES, Installation

# What happens, and how often in comparison.
HAPPENINGS = {
    "new_booking": 12,
    "walk_in": 6,
    "change": 30,
    "cancel": 5,
    "answer_request": 4,
    "change_customer": 20,
    "forget_customer": 1,
    "arrive": 6,
    "seat": 6,
    "bill": 4,
    "leave": 4,
    "no_show": 2,
    "review": 5,
    "publish_comment": 3,
    "unpublish_comment": 2,
    "invalidate_review": 1,
}
# Named entities are hit all over the world, not only where the evening is.
NAMED = {"change": "reservation", "change_customer": "customer"}

LOST = 0.05
EVENT_FAULTS: tuple[dict[str, Any], ...] = (
    {"lost": True, "rate": LOST},
    {"copies": 3, "rate": 0.1},
    {"shuffle_ms": 1500, "rate": 0.2},
    {"copies": 2, "shuffle_ms": 3000, "rate": 0.05},
)
# Together a tenth of all requests to the API.
API_FAULTS: tuple[dict[str, Any], ...] = (
    {"status": 500, "rate": 0.03},
    {"status": 503, "rate": 0.02},
    {"status": 429, "rate": 0.02},
    {"body": "<html>Bad gateway</html>", "rate": 0.02},
    {"truncate": True, "rate": 0.01},
)
LATENCY_MS = 20
# How long it stays bad after the last change, in seconds.
LINGERS = 20


@dataclass(frozen=True)
class Plan:
    """How bad it gets. `per_second` is the pace of the changes, bursts apart."""

    seed: int
    changes: int
    kills: int
    flushes: int = 2
    per_second: float = 15.0
    world: str = "tiny"

    def strikes(self, luck: random.Random) -> dict[int, list[str]]:
        """At which change what is killed or flushed; none in the last third."""
        last = self.changes * 2 // 3
        found: dict[int, list[str]] = {}
        for name in [luck.choice(PROCESSES) for _ in range(self.kills)]:
            found.setdefault(luck.randrange(1, last), []).append(name)
        for _ in range(self.flushes):
            found.setdefault(luck.randrange(1, last), []).append("flush")
        return found


def rage(installation: Installation, plan: Plan) -> dict[str, int]:
    """Let it happen. Returns what was done, for the report."""
    luck = random.Random(plan.seed)  # noqa: S311  # a reproducible storm
    known = {kind: list(truth.ours(installation, kind)) for kind in NAMED.values()}
    strikes = plan.strikes(luck)
    _break_everything(installation)
    counts = {"changes": 0, "refused": 0, "bursts": 0}
    number = 0
    while number < plan.changes:
        burst = luck.randint(10, 30) if luck.random() < 0.02 else 1
        counts["bursts"] += burst > 1
        for _ in range(burst):
            counts["changes" if happen_once(installation, luck, known) else "refused"] += 1
            number += 1
            for what in strikes.pop(number, ()):
                _strike(installation, what)
        time.sleep(luck.expovariate(plan.per_second))
    # Most of the reading comes after a kill, when there is a backlog: it is not to be spared.
    installation.grows_quiet(within=LINGERS)
    counts["faults"] = sum(row["hits"] for row in installation.sandbox.faults_of_the_api())
    installation.sandbox.remove_faults()
    return counts


def _break_everything(installation: Installation) -> None:
    for fault in EVENT_FAULTS:
        installation.sandbox.post("faults", match={"event": ".*"}, **fault)
    for fault in API_FAULTS:
        installation.sandbox.post(
            "faults", match={"path": "^/api/"}, latency_ms=LATENCY_MS, **fault
        )
    installation.sandbox.post("faults", match={"path": "^/api/"}, latency_ms=LATENCY_MS)


def happen_once(
    installation: Installation, luck: random.Random, known: dict[str, list[str]]
) -> bool:
    [what] = luck.choices(list(HAPPENINGS), weights=list(HAPPENINGS.values()))
    options = {}
    if what in NAMED:
        options = {NAMED[what]: luck.choice(known[NAMED[what]])}
    return bool(installation.sandbox.happen(what, **options))


def _strike(installation: Installation, what: str) -> None:
    if what == "flush":
        installation.flush_broker()
    else:
        installation.kill(what)
        installation.start(what)

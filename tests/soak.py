"""Load test of half an hour: memory must stay flat, logs without errors, and no data lost.

    python -m tests.soak                             half an hour on SQLite and a broker of files
    DATABASE_URL=postgres… python -m tests.soak 5    five minutes on PostgreSQL and Redis

Twelve restaurants live twenty times as fast as real ones, and somebody turns the pages all the
while. Prints what stood in each minute, then what the mirror and the service say of each other.
"""

import json
import sys
import time
from collections import Counter
from datetime import UTC, datetime, timedelta
from itertools import cycle
from typing import NamedTuple

import requests

from tests.bench.painted import SIGN_IN, ask
from tests.bench.streams import descendants, memory
from tests.faults import truth
from tests.faults.installation import Installation, open_installation

MINUTES = 30
SPEED = 20
DAYS = timedelta(days=7)  # of the past and of the future, backfilled first
OURS = ("web", "worker", "beat")
PAGES = ("/", "/?zoom=pulse", "/?zoom=list", "/reviews/", "/customers/", "/reservations/requests/")
TURNS_A_PAGE = 0.5  # seconds
TROUBLE = ("error", "critical", "Traceback")


class Reader:
    """A user who opens pages; counts the answers."""

    def __init__(self, installation: Installation) -> None:
        self.address = installation.environment["PUBLIC_URL"]
        name, value = ask(installation, SIGN_IN)
        self.session = requests.Session()
        self.session.cookies.set(name, value)
        self.pages = cycle(PAGES)
        self.answers = Counter[int]()

    def read_for(self, seconds: float) -> None:
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            answer = self.session.get(self.address + next(self.pages), allow_redirects=False)
            self.answers[answer.status_code] += 1
            time.sleep(TURNS_A_PAGE)


class Drift(NamedTuple):
    equal: int
    different: list[str]
    invented: list[str]
    missing: list[str]

    @property
    def is_none(self) -> bool:
        return not (self.different or self.invented or self.missing)


def drift(installation: Installation) -> Drift:
    """Whatever is mirrored is what the service says, and whatever an event named is mirrored."""
    announced, found = installation.sandbox.announced(), Drift(0, [], [], [])
    equal = 0
    for kind in truth.KINDS:
        expected = truth.ours(installation, kind)
        mirror = {row["uuid"]: row for row in installation.dump(kind)}
        found.invented.extend(mirror.keys() - expected.keys())
        found.missing.extend((announced & expected.keys()) - mirror.keys())
        for uuid in mirror.keys() & expected.keys():
            if truth.digest(mirror[uuid]["payload"]) == expected[uuid]["sha256"]:
                equal += 1
            else:
                found.different.append(f"{kind} {uuid}")
    return found._replace(equal=equal)


def minute(installation: Installation) -> dict[str, float]:
    parents = installation.processes()
    sizes = {
        name: round(sum(map(memory, [parents[name], *descendants(parents[name])]))) for name in OURS
    }
    status = installation.status()
    return sizes | {"waiting": status["waiting"], "events": installation.sandbox.events_under_way()}


def soak(minutes: int) -> bool:
    today = datetime.now(UTC).date()
    with open_installation(seed=1, world="group", web_workers=2) as installation:
        installation.collect_static()
        installation.restart_sandbox("--live", "--speed", str(SPEED))
        since, until = (today - DAYS).isoformat(), (today + DAYS).isoformat()
        installation.manage("backfill", "--since", since, "--until", until, "--wait")
        reader = Reader(installation)
        for number in range(minutes):
            reader.read_for(60)
            say({"minute": number + 1} | minute(installation))
        installation.restart_sandbox()
        installation.wait_until_quiet()
        found, journal = drift(installation), installation.sandbox.journal()
        trouble = troubles(installation)
        say({"pages": dict(reader.answers), "deliveries": installation.sandbox.totals()})
        say({"calls": journal["totals"]["by_status"], "breaches": journal["breaches"]})
        say({"equal": found.equal, "different": found.different[:5], "invented": found.invented[:5],
             "missing": found.missing[:5], "lines of trouble": trouble[:5]})  # fmt: skip
        return found.is_none and not trouble and set(reader.answers) == {200}


def troubles(installation: Installation) -> list[str]:
    lines = [
        line
        for name in OURS
        for line in (installation.folder / f"{name}.log").read_text(errors="replace").splitlines()
    ]
    return [line for line in lines if line.startswith(TROUBLE)]


def say(what: object) -> None:
    print(json.dumps(what), flush=True)  # noqa: T201 - a program for the terminal


if __name__ == "__main__":
    sys.exit(0 if soak(int(sys.argv[1]) if len(sys.argv) > 1 else MINUTES) else 1)

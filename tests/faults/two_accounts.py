"""Two accounts in one installation: the second fails, and events of the first are timed.

The time of an event runs from its arrival at the receiver to the line on the live stream of
somebody who works there. All clocks are this machine's.
"""

import json
import random
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from tests.faults.installation import Installation, Sandbox

# Half of all answers: a quarter is 429, and a third of the others is 503.
FAULTS: tuple[dict[str, Any], ...] = (
    {"status": 429, "rate": 0.25},
    {"status": 503, "rate": 0.3334},
)
# The token has not expired, and no call gets through with it any more.
REVOKED: dict[str, Any] = {"match": {"path": "^/api/"}, "status": 401, "format": "gateway"}
PAUSE = 0.2  # between two events, so that none waits for the batch of the one before
PATIENCE = 30.0
WARM_UP = 3
MOST_MINUTES = 20

SIGN_IN = """
import json
from django.conf import settings
from restaurants.models import Group
from restaurants.testing import make_member, make_user, sign_in
user = make_user("watcher@example.org")
make_member(user, Group.objects.get(uuid="{group}"))
name = settings.SESSION_COOKIE_NAME
print(json.dumps(f"{{name}}={{sign_in(user).cookies[name].value}}"))
"""
SAMPLES = """
import json
from live.models import LatencySample
rows = LatencySample.objects.exclude(received_at=None)
steps = ("received_at", "fetched_at", "stored_at")
timed = ((r, [getattr(r, step) or r.received_at for step in steps]) for r in rows)
print(json.dumps({f"{r.uuid}:{r.version}": [t.timestamp() for t in times] for r, times in timed}))
"""
REQUEST = """
import json, uuid, random
from django.utils import timezone
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.queue import sync_requests
from restaurants.models import Group
group, luck = Group.objects.get(uuid="{group}"), random.Random({seed})
made_up = [uuid.UUID(int=luck.getrandbits(128), version=4) for _ in range({number})]
place = EntityLocation(group.uuid)
refs = [EntityRef("customer", one, place) for one in made_up]
sync_requests.request(refs, priority=Priority.BACKFILL, now=timezone.now())
theirs = SyncRequest.objects.filter(sync_requests.UNREAD, connection=group.connection)
print(json.dumps(theirs.count()))
"""
FORGET = """
import json, random, uuid
from mirror.models import SyncRequest
luck = random.Random({seed})
made_up = [uuid.UUID(int=luck.getrandbits(128), version=4) for _ in range({number})]
for start in range(0, len(made_up), 500):
    SyncRequest.objects.filter(kind="customer", uuid__in=made_up[start:start + 500]).delete()
print(json.dumps(None))
"""
UNREAD = """
import json
from mirror.models import SyncRequest
from mirror.queue import sync_requests
from restaurants.models import Group
account = Group.objects.get(uuid="{group}").connection
print(json.dumps(SyncRequest.objects.filter(sync_requests.UNREAD, connection=account).count()))
"""

LISTINGS = """
import json
from mirror.models import Job, Slice, SyncRequest
is_running = Job.objects.filter(state=Job.State.RUNNING).exists()
comes_again = SyncRequest.objects.filter(
    state=SyncRequest.State.WAITING, problem="not-ours"
).exists()
failed = Slice.objects.filter(state=Slice.State.FAILED).count()
print(json.dumps([is_running or comes_again, failed]))
"""


@dataclass(frozen=True)
class StormPlan:
    """`waiting` reads of guests whom nobody knows come on top of the failing account's own."""

    seed: int
    rounds: int
    events: int  # in each half of a round
    waiting: int = 0
    world: str = "tiny"


@dataclass(frozen=True)
class EventTimes:
    """Seconds since the arrival of one event."""

    fetched: float
    stored: float
    line: float


class TwoAccounts:
    def __init__(self, installation: Installation, plan: StormPlan) -> None:
        self.installation = installation
        self.plan = plan
        self.well, self.failing = installation.sandboxes
        self.luck = random.Random(plan.seed)  # noqa: S311  # a reproducible storm
        self.group = _group(self.failing)

    def ask(self, code: str) -> Any:
        lines = self.installation.manage("shell", "--verbosity", "0", "-c", code).splitlines()
        return json.loads(lines[-1])

    def unread(self) -> int:
        return int(self.ask(UNREAD.format(group=self.group)))

    def fill_the_queue(self) -> int:
        """Have the failing account's reads wait. Returns how many do."""
        facts = {"group": self.group, "seed": self.plan.seed, "number": self.plan.waiting}
        return int(self.ask(REQUEST.format(**facts)))

    def forget_the_made_up(self) -> None:
        self.ask(FORGET.format(seed=self.plan.seed, number=self.plan.waiting))

    def wait_until_listed(self, *, within: float) -> int:
        """Wait for the backfills: what failed in the storm is requested again later and later, and
        what the revoked token was refused once more after two minutes.

        Returns how many listings failed for good. Of these the health page says that a person shall
        have the days read again.
        """
        deadline = time.monotonic() + within
        self.installation.wait_until_quiet(within=within)
        while (found := self.ask(LISTINGS))[0]:
            assert time.monotonic() < deadline, "a backfill is not over"
            time.sleep(2)  # all is quiet, too, while refused reads wait to be repeated
            self.installation.wait_until_quiet(within=within)
        return int(found[1])

    def steer(self, what: str) -> None:
        self.installation.manage("partner", what, "--connection", "Sandbox 2")

    def fail(self) -> None:
        for fault in FAULTS:
            self.failing.post("faults", match={"path": "^/api/"}, **fault)

    def measure(self) -> dict[str, list[EventTimes]]:
        """The times of events beside an account that is paused or failing, in turn."""
        cookie = self.ask(SIGN_IN.format(group=_group(self.well)))
        known = self._bookings()
        with watched(int(self.installation.environment["WEB_PORT"]), cookie) as stream:
            self._change(known, stream, events=WARM_UP)
            keys: dict[str, list[str]] = {"alone": [], "beside the storm": []}
            for number in range(self.plan.rounds):
                self.steer("pause")
                keys["alone"] += self._change(known, stream, events=self.plan.events)
                self.steer("resume")
                if number == self.plan.rounds // 2:
                    self.failing.post("faults", **REVOKED)
                keys["beside the storm"] += self._change(known, stream, events=self.plan.events)
            times = self.ask(SAMPLES)
            return {
                name: [_since(*times[key], stream.seen[key]) for key in found if key in times]
                for name, found in keys.items()
            }

    def _bookings(self) -> list[str]:
        groups = {group["uuid"] for group in self.well.get("world")["groups"]}
        tomorrow = datetime.now(UTC).date().isoformat()
        return [
            row["uuid"]
            for row in self.well.truth("reservation")
            if row["group_uuid"] in groups and row["updated"] < tomorrow
        ]

    def _change(self, known: list[str], stream: "LineStream", *, events: int) -> list[str]:
        found: list[str] = []
        deadline = time.monotonic() + MOST_MINUTES * 60
        while len(found) < events and time.monotonic() < deadline:
            uuid = self.luck.choice(known)
            before = stream.keys_of(uuid)
            if self.well.happen("change", reservation=uuid):
                found += stream.wait_for(uuid, besides=before)
                time.sleep(PAUSE)
        return found


class LineStream:
    """The live stream of one person, and when each line of it came."""

    def __init__(self) -> None:
        self.seen: dict[str, float] = {}
        self._news = threading.Condition()

    def keys_of(self, uuid: str) -> set[str]:
        return {key for key in list(self.seen) if key.startswith(uuid)}

    def wait_for(self, uuid: str, *, besides: set[str]) -> set[str]:
        with self._news:
            self._news.wait_for(lambda: self.keys_of(uuid) - besides, timeout=PATIENCE)
        found = self.keys_of(uuid) - besides
        assert found, f"{uuid} was not announced within {PATIENCE} s"
        return {min(found)}

    def note(self, line: bytes) -> None:
        if not line.startswith(b"data: {") or b'"version"' not in line:
            return
        data = json.loads(line.removeprefix(b"data: "))
        with self._news:
            self.seen.setdefault(f"{data['uuid']}:{data['version']}", time.time())
            self._news.notify_all()


@contextmanager
def watched(port: int, cookie: str) -> Iterator[LineStream]:
    stream, over = LineStream(), threading.Event()
    thread = threading.Thread(target=_listen, args=(port, cookie, stream, over), daemon=True)
    thread.start()
    try:
        yield stream
    finally:
        over.set()
        thread.join(timeout=10)


def _listen(port: int, cookie: str, stream: LineStream, over: threading.Event) -> None:
    """Read until it is over; a stream that ends is opened again, as a browser does."""
    ask = f"GET /live/stream/ HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n"
    while not over.is_set():
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=5) as opened:
            opened.sendall(ask.encode())
            with opened.makefile("rb") as lines:
                for line in lines:
                    stream.note(line.strip())
                    if over.is_set():
                        return


def _since(received: float, *later: float) -> EventTimes:
    return EventTimes(*(at - received for at in later))


def _group(sandbox: Sandbox) -> str:
    return str(sandbox.get("world")["groups"][0]["uuid"])


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]

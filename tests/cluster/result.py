"""What must hold at the end, whatever happened: nothing lost, nothing doubled, no early token."""

import time
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from tests.cluster.nodes import Cluster
from tests.cluster.traffic import Writer
from tests.faults import truth
from tests.faults.installation import Sandbox

WITHIN = 180
UNSENT = "from outbox.models import Intent; print(Intent.objects.open().count())"
PAGE = 1000
REFUSED = ("webhook_wrong_answer", "webhook_late_answer")


class ClusterResult(NamedTuple):
    compared: truth.Comparison
    events: int  # that were acknowledged
    refused: int  # and sent again
    lost: int  # of those acknowledged
    notes: int
    late_notes: list[str]
    doubled: list[str]
    early_tokens: int
    breaches: dict[str, int]

    @property
    def is_good(self) -> bool:
        return self.compared.is_equal and not (
            self.lost or self.late_notes or self.doubled or self.early_tokens
        )

    def __str__(self) -> str:
        return (
            f"{self.compared}\n{self.events:,} events acknowledged, {self.lost} lost,"
            f" {self.refused} first refused;"
            f" {self.notes} notes written, {len(self.late_notes)} not there,"
            f" {len(self.doubled)} sent twice; {self.early_tokens} early tokens;"
            f" other breaches {self.breaches}"
        )


def check(cluster: Cluster, writer: Writer) -> ClusterResult:
    wait_until_sent(cluster)
    cluster.wait_until_quiet(within=WITHIN)
    counts = cluster.status()["sections"]["receiver"]["last_day"]
    events = int(cluster.sandbox.totals().get("delivered", 0))
    breaches = dict(cluster.sandbox.journal()["breaches"])
    return ClusterResult(
        compared=truth.compare(cluster),
        events=events,
        refused=sum(breaches.pop(rule, 0) for rule in REFUSED),
        lost=max(0, events - counts.get("routed", 0)),
        notes=len(writer.written),
        late_notes=not_there(cluster, writer.written),
        doubled=doubled(cluster.sandbox),
        early_tokens=breaches.pop("token_while_valid", 0),
        breaches=breaches,
    )


def wait_until_sent(cluster: Cluster) -> None:
    """A note is held for some seconds, in which it can be taken back."""
    deadline = time.monotonic() + WITHIN
    while cluster.manage("shell", "--verbosity", "0", "-c", UNSENT).strip() != "0":
        assert time.monotonic() < deadline, "a note was not sent"
        time.sleep(1)


def not_there(cluster: Cluster, notes: dict[str, str]) -> list[str]:
    """Bookings whose note the service does not have."""
    return [uuid for uuid, text in notes.items() if not _has(cluster, uuid, text)]


def doubled(sandbox: Sandbox) -> list[str]:
    """Bookings that were changed by us more than once."""
    return [target for target, count in _writes(sandbox).items() if count > 1]


def _has(cluster: Cluster, uuid: str, note: str) -> bool:
    payload = cluster.sandbox.get(f"truth/reservation/{uuid}")["payload"]
    return bool(payload.get("restaurantNote") == note)


def _writes(sandbox: Sandbox) -> Counter[str]:
    """How often each booking was changed by us: the writer writes to each of them once."""
    return Counter(
        row["target"]
        for row in _journal(sandbox)
        if row["endpoint"] == "update_reservation" and 200 <= row["status"] < 300
    )


def _journal(sandbox: Sandbox) -> Iterator[dict[str, Any]]:
    since = 0
    while rows := sandbox.get(f"journal?since={since}&limit={PAGE}")["entries"]:
        yield from rows
        since = rows[-1]["id"]

"""Is the mirror what the service says? Every entity, by the hash of its payload."""

import hashlib
import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.error import HTTPError

from tests.faults.installation import Installation

# The sandbox takes bookings so far ahead.
DAYS_AHEAD = timedelta(days=30)
KINDS = ("reservation", "customer", "review")
STORED = """
from mirror import kinds
print(kinds.get({0!r}).model._default_manager.get(pk={1!r}).raw)
"""
# The rows about some entities, and what was requested and listed in all.
TRACES = """
from collections import Counter
from mirror.models import Change, Slice, SyncRequest
from webhooks.models import Delivery
for uuid in {!r}:
    for model in (SyncRequest, Change, Delivery):
        for row in model.objects.filter(uuid=uuid).order_by("pk").values():
            print(uuid, model.__name__, {{name: value for name, value in row.items() if value}})
places = ("connection", "kind", "state", "problem")
print("requests", Counter(SyncRequest.objects.values_list(*places)))
places = ("job__purpose", "job__state", "kind", "by", "state", "sentence")
print("slices", Counter(Slice.objects.values_list(*places)))
"""
NAMED = 5  # entities in an output


@dataclass
class Comparison:
    """What differs. `secret` are reviews that no list shows and no event that arrived has named:
    the service has no way to tell of them.
    """

    equal: int = 0
    secret: int = 0
    missing: list[str] = field(default_factory=list)
    different: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    traces: str = ""  # see `traces`

    @property
    def is_equal(self) -> bool:
        return not (self.missing or self.different or self.invented)

    def __str__(self) -> str:
        parts = {"missing": self.missing, "different": self.different, "invented": self.invented}
        words = [f"{len(rows)} {name} {rows[:NAMED]}" for name, rows in parts.items() if rows]
        counted = f"{self.equal:,} equal, {self.secret} secret"
        return "; ".join(filter(None, [counted, *words, self.traces]))


def ours(installation: Installation, kind: str) -> dict[str, Any]:
    """What the service knows of our groups, by uuid: those of every account."""
    found: dict[str, Any] = {}
    for sandbox in installation.sandboxes:
        groups = {group["uuid"] for group in sandbox.get("world")["groups"]}
        found |= {r["uuid"]: r for r in sandbox.truth(kind) if r["group_uuid"] in groups}
    return found


def compare(installation: Installation, *, forgotten: Collection[str] = ()) -> Comparison:
    """Compare what belongs to our groups. Another owner's entities must not be here at all.

    `forgotten` are named by events that a restored database has not seen.
    """
    announced = set[str]().union(*(one.announced() for one in installation.sandboxes))
    announced -= set(forgotten)
    found = Comparison()

    def is_secret(uuid: str) -> bool:
        return kind == "review" and uuid not in announced and not _is_listed(installation, uuid)

    for kind in KINDS:
        mirror = {row["uuid"]: row for row in installation.dump(kind)}
        _compare_kind(kind, ours(installation, kind), mirror, found, is_secret=is_secret)
    return found


def traces(installation: Installation, found: Comparison) -> str:
    """What there is of the first entities that differ. A failure may not come back."""
    uuids = [one.split()[1] for one in (*found.missing[:NAMED], *found.different[:NAMED])]
    return installation.manage("shell", "--verbosity", "0", "-c", TRACES.format(uuids))


def _is_listed(installation: Installation, uuid: str) -> bool:
    """Lists show valid reviews only, and those with a comment once it is published."""
    review = _payload_of_review(installation, uuid)
    comment = review["comment"]
    hidden = comment is not None and comment["publicationStatus"] not in (None, "PUBLISHED")
    return bool(review["isValid"]) and not hidden


def _payload_of_review(installation: Installation, uuid: str) -> Any:
    """Unknown reviews are 404 at every account but theirs."""
    for sandbox in installation.sandboxes[:-1]:
        with suppress(HTTPError):
            return sandbox.get(f"truth/review/{uuid}")["payload"]
    return installation.sandboxes[-1].get(f"truth/review/{uuid}")["payload"]


def is_equal_here(installation: Installation, kind: str, uuid: str) -> bool:
    """One entity alone: whoever waits for it asks often, and a dump of all takes seconds."""
    output = installation.manage("shell", "--verbosity", "0", "-c", STORED.format(kind, uuid))
    expected = installation.sandbox.get(f"truth/{kind}/{uuid}")
    return digest(json.loads(output)) == digest(expected["payload"])


def _compare_kind(
    kind: str,
    truth: dict[str, Any],
    mirror: dict[str, Any],
    found: Comparison,
    *,
    is_secret: Callable[[str], bool],
) -> None:
    found.invented += [f"{kind} {uuid}" for uuid in mirror.keys() - truth.keys()]
    for uuid, expected in truth.items():
        row = mirror.get(uuid)
        if row is None and is_secret(uuid):
            found.secret += 1
        elif row is None:
            found.missing.append(f"{kind} {uuid} of {expected['updated']}")
        elif digest(row["payload"]) != expected["sha256"] or _placed_wrongly(row, expected):
            found.different.append(f"{kind} {uuid} of {expected['updated']} read {row['read_at']}")
        else:
            found.equal += 1


def _placed_wrongly(row: dict[str, Any], expected: dict[str, Any]) -> bool:
    place = ("group_uuid", "restaurant_uuid")
    return row["state"] != "present" or any(row[name] != expected[name] for name in place)


def digest(payload: Any) -> str:
    text = json.dumps(payload, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def days(installation: Installation) -> tuple[str, str]:
    """The first and the last day of the world: a backfill of these misses nothing."""
    oldest = min(
        datetime.fromisoformat(row["updated"]) for row in installation.sandbox.truth("customer")
    )
    last = datetime.now(UTC) + DAYS_AHEAD
    return oldest.date().isoformat(), last.date().isoformat()

"""Health of the mirror: sections with a state, a sentence and figures.

Those of an account are counted for each one by itself; those of the machine are about all. Apps
that may import this one add sections (the receiver does). The page, `mirror_status --json` and the
alerts all read the same sections.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.utils.timesince import timesince
from django.utils.translation import gettext as _

from lib.labels import labelled
from lib.registration import ExtensionPoint
from mirror import kinds
from mirror.models import Drift
from mirror.processes import heartbeat
from partner.models import Connection
from partner.payloads.answers import MISSING_FIELD

# The share of the last answers, and how long after the last of them it is still reported.
MOST, LACKS_FOR = 0.5, timedelta(hours=1)
GOOD, NEW, PAUSED, LATE, DOWN = "good", "new", "paused", "late", "down"
ORDER = {GOOD: 0, NEW: 1, PAUSED: 2, LATE: 3, DOWN: 4}


@dataclass(frozen=True, kw_only=True)
class Section:
    """One section of the health page: state, sentence and figures."""

    name: str  # the same for every account
    title: str
    state: str
    sentence: str
    facts: dict[str, Any] = field(default_factory=dict)  # for machines
    rows: list[tuple[str, Any]] = field(default_factory=list)  # for people
    url: str = ""
    connection: int | None = None  # whose it is; None where it is about the machine
    account: str = ""  # its name, if there are several on the page

    @property
    def key(self) -> str:
        return f"{self.name}-{self.connection}" if self.account else self.name

    @property
    def heading(self) -> str:
        return f"{self.title} · {self.account}" if self.account else self.title


MachineCheck = Callable[[datetime], Section]
# One section for each of the accounts, in their order, in a fixed number of queries.
AccountCheck = Callable[[Sequence[Connection], datetime], list[Section]]
CHECKS: ExtensionPoint[MachineCheck] = ExtensionPoint("Sections about the machine")
ACCOUNT_CHECKS: ExtensionPoint[AccountCheck] = ExtensionPoint("Sections about an account")
# Those of them that alerts look at every few seconds, as they do at workers and beat.
STANDSTILL_CHECKS: ExtensionPoint[AccountCheck] = ExtensionPoint("Standstills of an account")


def sections(now: datetime, *, accounts: Sequence[Connection] | None = None) -> list[Section]:
    """Sections of these accounts, or of all, and of the machine."""
    chosen = list(Connection.objects.current_ones()) if accounts is None else accounts
    theirs = account_sections(chosen, now, are_named=len(chosen) > 1)
    return [*theirs, *machine_sections(now)]


def standstill_sections(now: datetime) -> list[Section]:
    """The few that say whether anything arrives and leaves.

    Where there are many accounts, to work out every section takes ten times as long.
    """
    accounts = list(Connection.objects.current_ones())
    checks = STANDSTILL_CHECKS.entries
    theirs = account_sections(accounts, now, are_named=len(accounts) > 1, checks=checks)
    return [*theirs, worker_section(now), beat_section(now)]


def anew(parts: Iterable[Section], now: datetime) -> list[Section]:
    """The sections of the accounts of these and of the machine, in the language of the moment."""
    everyone, keys = list(Connection.objects.current_ones()), {part.connection for part in parts}
    chosen = [account for account in everyone if account.pk in keys]
    if everyone and not chosen:
        return machine_sections(now)
    theirs = account_sections(chosen, now, are_named=len(everyone) > 1)
    return [*theirs, *machine_sections(now)]


def machine_sections(now: datetime) -> list[Section]:
    return [check(now) for check in (*CHECKS, *_own)]


def account_sections(
    accounts: Sequence[Connection],
    now: datetime,
    *,
    are_named: bool,
    checks: Iterable[AccountCheck] = ACCOUNT_CHECKS,
) -> list[Section]:
    """The sections of one account after the other."""
    checked = [run_check(check, accounts, now, are_named=are_named) for check in checks]
    return [part for parts in zip(*checked, strict=True) for part in parts]


def run_check(
    check: AccountCheck, accounts: Sequence[Connection], now: datetime, *, are_named: bool
) -> list[Section]:
    """The section of each account; before the first account there is, one of none."""
    chosen = accounts or [Connection()]
    return [
        replace(part, connection=account.pk, account=account.name if are_named else "")
        for account, part in zip(chosen, check(chosen, now), strict=True)
    ]


def pause_of(account: Connection) -> str:
    """What to read where nothing is read or sent on purpose; empty where it is."""
    if account.state != Connection.State.PAUSED:
        return ""
    return _("This connection is paused: nothing is read or sent. Events are stored.")


def age_in_words(since: datetime, now: datetime) -> str:
    """“4 hours”: what nobody works out of 14,432 seconds."""
    return timesince(since, now, depth=1)


def sentence(parts: Iterable[Section]) -> Section:
    """Return the section in the worst state; nothing is good before the first connection."""
    parts = list(parts)
    worst = max(parts, key=lambda part: ORDER[part.state])
    if worst.state in (PAUSED, LATE, DOWN):
        return worst
    state, words = GOOD, _("All good.")
    for part in parts:
        if part.name == "token" and part.state == NEW:
            state, words = NEW, part.sentence
    return Section(name="all", title=_("Health"), state=state, sentence=words)


def worker_section(now: datetime) -> Section:
    """Section of the workers: alive means that work was done, not that a process is up.

    One that never ran has as long to start as one that ran may be silent: a new installation
    begins with its web processes.
    """
    seen = heartbeat.last("worker")
    late = heartbeat.age_or_wait("worker", now=now) > standstill()
    if late:
        says = _("No worker has run for half a minute. Start the worker again.")
    else:
        says = _("Workers are running.") if seen else _("The workers have not run yet.")
    return Section(
        name="worker",
        title=_("Workers"),
        state=LATE if late else GOOD if seen else NEW,
        sentence=says,
        facts={"last_round_at": seen.isoformat() if seen else None},
        rows=[(_("Last run"), seen)],
    )


def beat_section(now: datetime) -> Section:
    """Section of beat. Workers send its tasks while it is silent, so data are hardly later."""
    seen, leader = heartbeat.last("beat"), heartbeat.process("beat")
    late = seen is not None and is_silent("beat", now=now)
    if seen is None:
        says = _("The scheduler (beat) has not run yet.")
    else:
        says = (
            _("The scheduler (beat) has stopped. Start it again.")
            if late
            else _("The scheduler (beat) is running.")
        )
    return Section(
        name="beat",
        title=_("Scheduler"),
        state=LATE if late else NEW if seen is None else GOOD,
        sentence=says,
        facts={"last_seen_at": seen.isoformat() if seen else None, "leader": leader},
        rows=[(_("Last seen"), seen), (_("Leads"), leader)],
    )


def is_silent(process: str, *, now: datetime) -> bool:
    age = heartbeat.age(process, now=now)
    return age is None or age > standstill()


def standstill() -> timedelta:
    return timedelta(seconds=settings.STANDSTILL_SECONDS)


def drift_section(now: datetime) -> Section:
    found = list(Drift.objects.order_by("-last_seen_at")[:20])
    # The contract leaves the zone of some times open: they are listed, and break nothing of it.
    count = sum(not row.finding.startswith("naive time") for row in found)
    lacking = _lacking(now)
    if lacking:
        says = _(
            "Missing or unreadable in nearly every answer: %(fields)s. Pages lack it too. Send a"
            " raw answer to the service’s team."
        ) % {"fields": ", ".join(lacking)}
    elif count:
        says = _("%(count)d fields or words are not in the contract.") % {"count": count}
    else:
        says = _("No unknown field or word was found.")
    return Section(
        name="drift",
        title=_("Unknown fields and words"),
        state=LATE if lacking else GOOD,
        sentence=says,
        facts={"findings": [{"finding": str(row), "count": row.count} for row in found]},
        rows=[(str(row), row.count) for row in found],
    )


def _lacking(now: datetime) -> list[str]:
    """Fields that nobody can work without, and that most of the last answers lack. One query."""
    recent = Drift.objects.filter(share__gte=MOST, last_seen_at__gt=now - LACKS_FOR)
    named = [
        (kind, f"{MISSING_FIELD}: {name}", name) for kind in kinds.KINDS for name in kind.essential
    ]
    lacking = set(recent.values_list("kind", "finding"))
    return [
        labelled(kind.label, name) for kind, what, name in named if (kind.name, what) in lacking
    ]


_own: tuple[MachineCheck, ...] = (worker_section, beat_section, drift_section)


def as_json(parts: list[Section]) -> dict[str, Any]:
    """Return the documented keys of `mirror_status --json`, then every section whole.

    The figures of several accounts are added up, and the oldest counts.
    """
    queues = _facts_of(parts, "queue")
    heard = [facts["last_event_at"] for facts in _facts_of(parts, "webhooks")]
    tokens = _facts_of(parts, "token")
    head = sentence(parts)
    return {
        "state": head.state,
        "sentence": head.sentence,
        **{name: _whole(name, [facts[name] for facts in queues]) for name in queues[0]},
        "freshness": [
            place for one in _facts_of(parts, "freshness") for place in one.get("restaurants", [])
        ],
        "last_event_at": max(filter(None, heard), default=None),
        "token": tokens[0] if len(tokens) == 1 else {},
        "sections": {
            part.key: {"state": part.state, "connection": part.connection, **part.facts}
            for part in parts
        },
    }


def _facts_of(parts: Iterable[Section], name: str) -> list[dict[str, Any]]:
    return [part.facts for part in parts if part.name == name]


def _whole(name: str, figures: list[Any]) -> Any:
    return max(figures) if name == "oldest_age_seconds" else sum(figures)

"""Health of the mirror: sections with a state, a sentence and figures.

Apps that may import this one add sections (the receiver does). The page,
`mirror_status --json` and the alerts all read the same sections.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import Count, F, Min, Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from lib.registration import ExtensionPoint
from mirror.health import freshness
from mirror.models import Drift, Job, SyncRequest
from mirror.processes import heartbeat

GOOD, NEW, LATE, DOWN = "good", "new", "late", "down"
ORDER = {GOOD: 0, NEW: 1, LATE: 2, DOWN: 3}
QUEUE_IS_LATE = timedelta(seconds=60)
SWEEP_IS_LATE = timedelta(hours=3)


@dataclass(frozen=True, kw_only=True)
class Section:
    """One section of the health page: state, sentence and figures."""

    name: str
    title: str
    state: str
    sentence: str
    facts: dict[str, Any] = field(default_factory=dict)  # for machines
    rows: list[tuple[str, Any]] = field(default_factory=list)  # for people
    url: str = ""
    connection: int | None = None  # whose it is, where it is about one account


Check = Callable[[datetime], Section | list[Section]]
CHECKS: ExtensionPoint[Check] = ExtensionPoint("Sections of the health page")


def sections(now: datetime) -> list[Section]:
    found = [check(now) for check in (queue_section, *CHECKS, freshness_section, *_own)]
    return [part for one in found for part in (one if isinstance(one, list) else [one])]


def sentence(parts: Iterable[Section]) -> Section:
    """Return the section in the worst state."""
    worst = max(parts, key=lambda part: ORDER[part.state])
    if worst.state in (LATE, DOWN):
        return worst
    return Section(name="all", title=_("Health"), state=GOOD, sentence=_("All good."))


def queue_section(now: datetime) -> Section:
    figures = queue_figures(now)
    late = figures["oldest_age_seconds"] > QUEUE_IS_LATE.total_seconds()
    if figures["failed"]:
        says = ngettext(
            "%(count)d record could not be read. Setup → Health says why, and what to do.",
            "%(count)d records could not be read. Setup → Health says why, and what to do.",
            figures["failed"],
        ) % {"count": figures["failed"]}
    elif late:
        says = _("Reading is behind: the oldest change waits for %(age)s s.") % {
            "age": int(figures["oldest_age_seconds"])
        }
    else:
        says = _("Nothing is waiting for long.")
    return Section(
        name="queue",
        title=_("Reading"),
        state=LATE if late or figures["failed"] else GOOD,
        sentence=says,
        facts=figures,
        rows=[
            (_("Waiting"), figures["waiting"]),
            (_("Being read"), figures["in_flight"]),
            (_("Needs attention"), figures["failed"]),
            (_("To be read again later"), figures["scheduled"]),
        ],
    )


def queue_figures(now: datetime) -> dict[str, Any]:
    """Count the open rows by state. One query over the partial index of each open state."""
    unread = Q(served__lt=F("request_count"))
    # A backfill is expected to take its time; its age says nothing about a screen.
    urgent = unread & Q(priority__lt=3, not_before__lt=now + timedelta(days=1))
    waiting = _in_state(SyncRequest.State.WAITING).aggregate(
        waiting=Count("pk", filter=unread),
        scheduled=Count("pk", filter=~unread),
        oldest=Min("requested_at", filter=urgent),
    )
    oldest = waiting.pop("oldest")
    return {
        **waiting,
        "in_flight": _in_state(SyncRequest.State.WORKING).count(),
        "failed": _in_state(SyncRequest.State.PARKED).count(),
        "oldest_age_seconds": round((now - oldest).total_seconds(), 1) if oldest else 0.0,
    }


def _in_state(state: str) -> QuerySet[SyncRequest]:
    return SyncRequest.objects.filter(state=state)


def freshness_section(now: datetime) -> Section:
    return section_of_places(freshness.of_all(now=now))


def section_of_places(places: list[freshness.Freshness]) -> Section:
    stale = [place for place in places if place.state in (freshness.STALE, freshness.OFFLINE)]
    if not places:
        return Section(
            name="freshness",
            title=_("Freshness"),
            state=NEW,
            sentence=_("No restaurant is set up yet."),
        )
    says = _("%(count)d restaurants show an old copy.") % {"count": len(stale)}
    return Section(
        name="freshness",
        title=_("Freshness"),
        state=LATE if stale else GOOD,
        sentence=says if stale else _("Every restaurant is up to date."),
        facts={"restaurants": [place.as_json() for place in places]},
        rows=[(place.name, place.words) for place in places],
    )


def sweep_section(now: datetime) -> Section:
    last = Job.objects.filter(purpose=Job.Purpose.SWEEP, state=Job.State.DONE).first()
    if last is None or last.ended_at is None:
        return Section(
            name="sweep",
            title=_("Comparison"),
            state=NEW,
            sentence=_("No comparison with the service has ended yet."),
        )
    repaired = sum(last.slices.values_list("repaired", flat=True))
    late = now - last.ended_at > SWEEP_IS_LATE
    return Section(
        name="sweep",
        title=_("Comparison"),
        state=LATE if late else GOOD,
        sentence=ngettext(
            "The last comparison with the service corrected %(count)d record.",
            "The last comparison with the service corrected %(count)d records.",
            repaired,
        )
        % {"count": repaired},
        facts={"ended_at": last.ended_at.isoformat(), "repaired": repaired},
        rows=[(_("Ended"), last.ended_at), (_("Corrected"), repaired)],
    )


def worker_section(now: datetime) -> Section:
    """Section of the workers: alive means that work was done, not that a process is up."""
    seen = heartbeat.last("worker")
    late = is_silent("worker", now=now)
    return Section(
        name="worker",
        title=_("Workers"),
        state=LATE if late else GOOD,
        sentence=_("No worker has run for half a minute. Start the worker again.")
        if late
        else _("Workers are running."),
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
    return age is None or age > timedelta(seconds=settings.STANDSTILL_SECONDS)


def drift_section(_now: datetime) -> Section:
    found = list(Drift.objects.order_by("-last_seen_at")[:20])
    return Section(
        name="drift",
        title=_("Unknown fields and words"),
        state=GOOD,
        sentence=_("%(count)d fields or words are not in the contract.") % {"count": len(found)}
        if found
        else _("No unknown field or word was found."),
        facts={"findings": [{"finding": str(row), "count": row.count} for row in found]},
        rows=[(str(row), row.count) for row in found],
    )


_own: tuple[Check, ...] = (sweep_section, worker_section, beat_section, drift_section)


def as_json(parts: list[Section]) -> dict[str, Any]:
    """Return the documented keys of `mirror_status --json`, then every section whole."""
    facts = {part.name: part.facts for part in parts}
    head = sentence(parts)
    return {
        "state": head.state,
        "sentence": head.sentence,
        **facts["queue"],
        "freshness": facts["freshness"].get("restaurants", []),
        "last_event_at": facts.get("webhooks", {}).get("last_event_at"),
        "token": facts.get("token", {}),
        "sections": {part.name: {"state": part.state, **part.facts} for part in parts},
    }

"""Health sections of each account: what waits to be read, how old copies are, the last sweep."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, F, Max, Min, Q, Sum
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror.health import freshness
from mirror.health.sections import GOOD, LATE, NEW, PAUSED, Section, age_in_words, pause_of
from mirror.models import Job, Slice, SyncRequest
from mirror.queue.handover import NOT_OURS
from partner.auth.capabilities import CapabilityMap
from partner.models import Connection

QUEUE_IS_LATE = timedelta(seconds=60)
SWEEP_IS_LATE = timedelta(hours=3)
NOTHING: dict[str, Any] = {
    "waiting": 0,
    "scheduled": 0,
    "in_flight": 0,
    "failed": 0,
    "unplaced": 0,
    "oldest_age_seconds": 0.0,
}

Figures = dict[int | None, dict[str, Any]]


def queue_sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    figures = queue_figures(now)
    return [
        _queue_section(account, NOTHING | figures.get(account.pk, {}), now) for account in accounts
    ]


def _queue_section(account: Connection, figures: dict[str, Any], now: datetime) -> Section:
    state, says = (
        _state_while_paused(figures) if pause_of(account) else _state_of_queue(figures, now)
    )
    return Section(
        name="queue",
        title=_("Reading"),
        state=state,
        sentence=says,
        facts=figures,
        rows=[
            (_("Waiting"), figures["waiting"]),
            (_("Being read"), figures["in_flight"]),
            (_("Needs attention"), figures["failed"] - figures["unplaced"]),
            (_("Of restaurants that are not set up"), figures["unplaced"]),
            (_("To be read again later"), figures["scheduled"]),
        ],
        # Further down on the page: why, and what to do.
        url="#parked-title" if figures["failed"] else "",
    )


def _state_while_paused(figures: dict[str, Any]) -> tuple[str, str]:
    says = ngettext(
        "Paused: %(count)d record waits; nothing is read until it is resumed.",
        "Paused: %(count)d records wait; nothing is read until it is resumed.",
        figures["waiting"],
    )
    return PAUSED, says % {"count": figures["waiting"]}


def _state_of_queue(figures: dict[str, Any], now: datetime) -> tuple[str, str]:
    """Bookings of restaurants that are not set up are no fault: a group may have them on purpose,
    and has them while the first is set up."""
    if failed := figures["failed"] - figures["unplaced"]:
        says = ngettext(
            "%(count)d record could not be read. Setup → Health, “Needs attention”, says why.",
            "%(count)d records could not be read. Setup → Health, “Needs attention”, says why.",
            failed,
        )
        return LATE, says % {"count": failed}
    if figures["oldest_age_seconds"] > QUEUE_IS_LATE.total_seconds():
        since = now - timedelta(seconds=figures["oldest_age_seconds"])
        says = _("Reading is behind: the oldest change has been waiting for %(age)s.")
        return LATE, says % {"age": age_in_words(since, now)}
    return GOOD, _("Nothing is waiting for long.")


def queue_figures(now: datetime) -> Figures:
    """Count the open rows of each account. One query over the partial index of each open state."""
    unread = Q(served__lt=F("request_count"))
    # A backfill is expected to take its time; its age says nothing about a screen.
    urgent = unread & Q(priority__lt=3, not_before__lt=now + timedelta(days=1))
    urgent &= ~Q(problem=NOT_OURS)  # nothing is expected of it: most is another client's
    counted: dict[str, dict[str, Any]] = {
        SyncRequest.State.WAITING: {
            "waiting": Count("pk", filter=unread),
            "scheduled": Count("pk", filter=~unread),
            "oldest_age_seconds": Min("requested_at", filter=urgent),
        },
        SyncRequest.State.WORKING: {"in_flight": Count("pk")},
        SyncRequest.State.PARKED: {
            "failed": Count("pk"),
            "unplaced": Count("pk", filter=Q(problem="unplaced")),
        },
    }
    found: Figures = defaultdict(dict)
    for state, counts in counted.items():
        rows: Any = SyncRequest.objects.filter(state=state).order_by().values("connection")
        for row in rows.annotate(**counts):
            found[row.pop("connection")] |= row
    for figures in found.values():
        oldest = figures.get("oldest_age_seconds")
        figures["oldest_age_seconds"] = round((now - oldest).total_seconds(), 1) if oldest else 0.0
    return _with_first(found)


def _with_first(found: Figures) -> Figures:
    """Rows older than every connection belong to the first one. A query only if there are any."""
    older = found.get(None)
    first = (
        Connection.objects.order_by("pk").values_list("pk", flat=True).first() if older else None
    )
    if older and first:
        own = NOTHING | found.get(first, {})
        oldest = max(own.pop("oldest_age_seconds"), older.get("oldest_age_seconds", 0.0))
        found[first] = {name: own[name] + older.get(name, 0) for name in own}
        found[first]["oldest_age_seconds"] = oldest
    return found


def freshness_sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    places = defaultdict(list)
    for place in freshness.of_accounts(accounts, now=now):
        places[place.connection].append(place)
    return [freshness_section(account, places[account.pk]) for account in accounts]


def freshness_section(account: Connection, places: list[freshness.Freshness]) -> Section:
    stale = [place for place in places if place.state in (freshness.STALE, freshness.OFFLINE)]
    if not places:
        state, says = NEW, _("No restaurant is set up yet.")
    elif paused := pause_of(account):
        state, says = PAUSED, paused
    elif stale:
        says = ngettext(
            "%(count)d restaurant shows an old copy.",
            "%(count)d restaurants show an old copy.",
            len(stale),
        )
        state, says = LATE, says % {"count": len(stale)}
    elif first := sum(place.is_first for place in places):
        says = ngettext(
            "%(count)d restaurant is being read for the first time.",
            "%(count)d restaurants are being read for the first time.",
            first,
        )
        state, says = NEW, says % {"count": first}
    else:
        state, says = GOOD, _("Every restaurant is up to date.")
    return Section(
        name="freshness",
        title=_("Freshness"),
        state=state,
        sentence=says,
        facts={"restaurants": [place.as_json() for place in places]} if places else {},
        rows=[(place.name, place.words) for place in places],
    )


def sweep_sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    ended = Job.objects.filter(purpose=Job.Purpose.SWEEP, state=Job.State.DONE)
    if keys := [account.pk for account in accounts if account.pk]:
        ended = ended.filter(connection__in=keys)
    last = ended.exclude(ended_at=None).order_by().values("connection").annotate(last=Max("pk"))
    jobs = {
        job.connection_id: job
        for job in Job.objects.filter(pk__in=last.values("last"))
        if job.ended_at
    }
    repaired: Counter[int] = Counter()
    unlisted: dict[int, Counter[str]] = defaultdict(Counter)
    of_place = ("job", "kind", "group_uuid", "restaurant_uuid")
    # What is known here is listed from the copy, whatever the service answers.
    listed = Slice.objects.filter(job__in=jobs.values()).exclude(by="known")
    places = listed.order_by().values_list(*of_place)
    failed = Count("pk", filter=Q(state=Slice.State.FAILED))
    counted: Any = places.annotate(lists=Count("pk"), lost=failed, count=Sum("repaired"))
    for job, kind, *_place, lists, lost, count in counted:
        repaired[job] += count
        # Where none of its lists came, nobody notices what no event announced.
        unlisted[job][kind] += lost if lost == lists else 0
    return [
        _sweep_section(account, jobs.get(account.pk), repaired, unlisted, now)
        for account in accounts
    ]


def _sweep_section(
    account: Connection,
    last: Job | None,
    repaired: Counter[int],
    unlisted: dict[int, Counter[str]],
    now: datetime,
) -> Section:
    if last is None or last.ended_at is None:
        return Section(
            name="sweep",
            title=_("Comparison"),
            state=NEW,
            sentence=_("No comparison with the service has ended yet."),
        )
    count, lost = repaired[last.pk], _unexpected(account, unlisted[last.pk])
    is_late = bool(lost) or now - last.ended_at > SWEEP_IS_LATE
    says = ngettext(
        "The last comparison with the service corrected %(count)d record.",
        "The last comparison with the service corrected %(count)d records.",
        count,
    )
    state = PAUSED if pause_of(account) else LATE if is_late else GOOD
    return Section(
        name="sweep",
        title=_("Comparison"),
        state=state,
        sentence=_unlisted_words(lost) if lost else says % {"count": count},
        facts={"ended_at": last.ended_at.isoformat(), "repaired": count, "unlisted": lost},
        rows=[(_("Ended"), last.ended_at), (_("Corrected"), count)],
    )


def _unexpected(account: Connection, unlisted: Counter[str]) -> int:
    """How many lists failed for another reason than a right that the key does not have. A query
    where some did."""
    if not unlisted.total():
        return 0
    granted = CapabilityMap(account)
    return sum(count for kind, count in unlisted.items() if granted.can(f"{kind}s"))


def _unlisted_words(count: int) -> str:
    says = ngettext(
        "%(count)d list of the last comparison could not be read: its changes may be missing.",
        "%(count)d lists of the last comparison could not be read: their changes may be missing.",
        count,
    )
    return says % {"count": count}

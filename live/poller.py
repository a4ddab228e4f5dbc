"""One thread per web process that notices commits of all processes and reads what they announced.

It has its own database connection, outside the pool: on SQLite because `data_version` changes only
with other connections' commits, on PostgreSQL because a listening connection cannot be shared.
"""

import logging
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from typing import Any

from django.db import DEFAULT_DB_ALIAS, Error, connection, connections
from django.db.models import Q
from django.utils import timezone

from lib.database.own_connection import KEEPALIVE, own_connection
from live.announcements import CHANNEL, LIMIT, PATIENCE, Reading
from live.hub import Hub
from live.models import Announcement

logger = logging.getLogger(__name__)

# How often SQLite is polled for new commits: half of this is the mean delay.
GLANCE_SECONDS = 0.01
# Without any sign we look all the same: a lost notification, a connection that died silently.
LOOK_SECONDS = 1.0
# A burst of commits is read in batches; each look costs about half a millisecond.
PAUSE_SECONDS = 0.01
BACK_OFF_SECONDS = (0.2, 0.5, 1, 2, 5)
# More missing ids than this are no slow transactions but a sequence that was moved.
MOST_MISSING = 5000


class GapTracker:
    """Which ids were seen, and which are still missing below the highest of them."""

    def __init__(self, *, highest: int, missing: Iterable[int] = (), now: float) -> None:
        self.highest = highest
        self.missing = dict.fromkeys(missing, now + PATIENCE.total_seconds())

    @property
    def cursor(self) -> int:
        """The highest id below which nothing can appear any more."""
        return min(self.missing) - 1 if self.missing else self.highest

    def note(self, ids: Iterable[int], *, now: float) -> bool:
        """Note ids that were read. False: too many are missing to wait for them."""
        for number in sorted(ids):
            if number - self.highest > MOST_MISSING:
                self.highest, self.missing = number, {}
                return False
            until = now + PATIENCE.total_seconds()
            self.missing |= dict.fromkeys(range(self.highest + 1, number), until)
            self.missing.pop(number, None)
            self.highest = max(self.highest, number)
        return len(self.missing) <= MOST_MISSING

    def give_up(self, *, now: float) -> None:
        """Stop waiting for ids that have not appeared: they were rolled back."""
        if self.missing:
            self.missing = {number: end for number, end in self.missing.items() if end > now}


def poll(hub: Hub) -> None:
    """The thread: follow the announcements until the last stream of the process has gone."""
    tracker: GapTracker | None = None
    failures = 0
    while hub.is_wanted():
        try:
            with closing(own_connection(postgresql=KEEPALIVE)) as own:
                connections[DEFAULT_DB_ALIAS] = own
                tracker = tracker or open_tracker()
                hub.mark_ready()
                for _commit in commits():
                    if not hub.is_wanted():
                        return
                    read_new(hub, tracker=tracker)
                    failures = 0
        except Exception as problem:  # noqa: BLE001 - without this thread no screen hears of anything
            unforeseen = None if isinstance(problem, Error) else problem
            logger.warning("The live poller begins again", exc_info=unforeseen)
            time.sleep(BACK_OFF_SECONDS[min(failures, len(BACK_OFF_SECONDS) - 1)])
            failures += 1


def open_tracker() -> GapTracker:
    """Begin at the newest announcement, and wait for ids missing among the latest ones."""
    now = time.monotonic()
    recent = Announcement.objects.filter(at__gte=timezone.now() - PATIENCE)
    ids = sorted(recent.values_list("pk", flat=True))
    if not ids:
        return GapTracker(highest=Announcement.objects.newest_id(), now=now)
    before = Announcement.objects.filter(pk__lt=ids[0]).newest_id()
    tracker = GapTracker(highest=before or ids[0] - 1, now=now)
    tracker.note(ids, now=now)
    return tracker


def read_new(hub: Hub, *, tracker: GapTracker) -> None:
    """Read and publish what has become visible since the last poll."""
    rows = LIMIT
    while rows == LIMIT:
        missing = Q(pk__in=tracker.missing) if tracker.missing else Q()
        unseen = Announcement.objects.filter(Q(pk__gt=tracker.highest) | missing)
        lines = list(unseen.order_by("pk")[:LIMIT])
        hub.looked_at = now = time.monotonic()
        tracker.give_up(now=now)
        rows = len(lines)
        if rows:
            complete = tracker.note((line.pk for line in lines), now=now)
            hub.publish(Reading(lines, tracker.cursor, complete))
            time.sleep(PAUSE_SECONDS)


def commits() -> Iterator[None]:
    """Yield at once, then after every commit of anybody else, and at least once a second."""
    connection.ensure_connection()
    return notifications() if connection.vendor == "postgresql" else data_versions()


def notifications() -> Iterator[None]:
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    raw: Any = connection.connection
    while True:
        yield
        with connection.wrap_database_errors:
            for _notification in raw.notifies(timeout=LOOK_SECONDS, stop_after=1):
                pass


def data_versions() -> Iterator[None]:
    raw: Any = connection.connection
    while True:
        version = raw.execute("PRAGMA data_version").fetchone()
        yield
        deadline = time.monotonic() + LOOK_SECONDS
        while time.monotonic() < deadline:
            if raw.execute("PRAGMA data_version").fetchone() != version:
                break
            time.sleep(GLANCE_SECONDS)

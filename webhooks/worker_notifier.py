"""Notifies a worker after a commit, and flushes the counts of what has no row.

One thread per process, so that no request waits for the broker. Notifications are coalesced and may
fail (this is counted): the sweep finds the rows without them.
"""

import logging
import threading
import time
from collections import Counter
from datetime import UTC, datetime

from django.db import connection, transaction
from django.utils import timezone

from partner.models import Connection
from partner.models.webhook_tokens import KnownToken
from webhooks import tasks
from webhooks.models import CountKey, Delivery, HourlyCount, hour_of

logger = logging.getLogger(__name__)

NOTIFY_INTERVAL = 0.05  # seconds; the first of a burst leaves at once
# While no worker takes them, more messages would only wait at the broker.
NOTIFY_INTERVAL_BEHIND = 1.0
NOTIFICATION_EXPIRES = 60  # seconds; a worker that returns after an hour needs one, not thousands
FLUSH_INTERVAL = 5.0  # seconds


class WorkerNotifier(threading.Thread):
    """One per process. `notify` and `count` return at once, whatever is down."""

    def __init__(self) -> None:
        super().__init__(name="webhooks.worker_notifier", daemon=True)
        self._wake = threading.Event()
        self._is_due = False
        self._is_behind = False
        self._flushed_at = time.monotonic()
        self._counts: Counter[CountKey] = Counter()
        self._used: set[KnownToken] = set()
        self._lock = threading.Lock()

    def notify(self, token: KnownToken) -> None:
        with self._lock:
            self._used.add(token)
        self._is_due = True
        self._wake.set()

    def count(self, what: HourlyCount.What) -> None:
        with self._lock:
            self._counts[CountKey(what.value, hour_of(datetime.now(UTC)))] += 1
        self._wake.set()

    def run(self) -> None:
        while True:
            self._wake.wait(FLUSH_INTERVAL if self._counts or self._used else None)
            self._wake.clear()
            if self._is_due:
                self._is_due = False
                self._publish()
            if time.monotonic() - self._flushed_at > FLUSH_INTERVAL:
                self._flush_counts()
            time.sleep(NOTIFY_INTERVAL_BEHIND if self._is_behind else NOTIFY_INTERVAL)

    def _publish(self) -> None:
        try:
            tasks.route.apply_async(expires=NOTIFICATION_EXPIRES)
        # Kombu lets through whatever the broker's own library raises.
        except Exception as error:
            logger.warning("no worker was notified; the sweep will: %s", type(error).__name__)
            self.count(HourlyCount.What.NOT_NOTIFIED)

    def _flush_counts(self) -> None:
        self._flushed_at = time.monotonic()
        with self._lock:
            counts, self._counts = self._counts, Counter()
            used, self._used = self._used, set()
        try:
            self._is_behind = Delivery.objects.is_behind(now=timezone.now())
            # The last step: what is written must not be put back and written again.
            flush_counts(counts, used)
        # Whatever it was: the counts are flushed later, and this thread must go on.
        except Exception as error:
            logger.warning("the counts are not flushed yet: %s", type(error).__name__)
            with self._lock:
                self._counts.update(counts)
                self._used |= used
        finally:
            connection.close()  # back to the pool: this thread may now sleep for hours


def flush_counts(counts: Counter[CountKey], used: set[KnownToken]) -> None:
    """Add to the hourly counts and record which tokens were used, in one transaction."""
    now = timezone.now()
    with transaction.atomic():
        HourlyCount.objects.add(counts.items())
        for connection_id, slot, *_rest in sorted(used, key=str):
            Connection(pk=connection_id).note_webhook_use(slot, at=now)

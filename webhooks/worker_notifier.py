"""Notifies a worker after a commit, and flushes the counts of what has no row.

One thread per process, so that no request waits for the broker. Notifications are coalesced and may
fail (this is counted): the sweep finds the rows without them.
"""

import logging
import threading
import time
from collections import Counter
from contextlib import suppress
from datetime import UTC, datetime
from queue import Empty, SimpleQueue

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

Noted = KnownToken | CountKey  # whose delivery was stored, or what is to be counted


class WorkerNotifier(threading.Thread):
    """One per process. `notify` and `count` return at once, whatever is down."""

    def __init__(self) -> None:
        super().__init__(name="webhooks.worker_notifier", daemon=True)
        self._noted: SimpleQueue[Noted] = SimpleQueue()
        self._counts: Counter[Noted] = Counter()
        self._flushed_at = time.monotonic()
        self._interval = NOTIFY_INTERVAL

    def notify(self, token: KnownToken) -> None:
        self._noted.put(token)

    def count(self, what: HourlyCount.What) -> None:
        self._noted.put(CountKey(what.value, hour_of(datetime.now(UTC))))

    def run(self) -> None:
        while True:
            if self._gather(timeout=FLUSH_INTERVAL if self._counts else None):
                self._publish()
            if time.monotonic() - self._flushed_at > FLUSH_INTERVAL:
                self._flush()
            time.sleep(self._interval)

    def _gather(self, *, timeout: float | None) -> bool:
        """Wait for something and count it with all that is there. True if a delivery is new."""
        noted: list[Noted] = []
        with suppress(Empty):
            noted.append(self._noted.get(timeout=timeout))
            while True:
                noted.append(self._noted.get_nowait())
        self._counts.update(noted)
        return any(isinstance(one, KnownToken) for one in noted)

    def _publish(self) -> None:
        try:
            tasks.route.apply_async(expires=NOTIFICATION_EXPIRES)
        # Kombu lets through whatever the broker's own library raises.
        except Exception as error:
            logger.warning("no worker was notified; the sweep will: %s", type(error).__name__)
            self.count(HourlyCount.What.NOT_NOTIFIED)

    def _flush(self) -> None:
        self._flushed_at = time.monotonic()
        try:
            is_behind = Delivery.objects.is_behind(now=timezone.now())
            flush_counts(self._counts)
            self._counts.clear()
            self._interval = NOTIFY_INTERVAL_BEHIND if is_behind else NOTIFY_INTERVAL
        # Whatever it was: the counts are flushed later, and this thread must go on.
        except Exception as error:
            logger.warning("the counts are not flushed yet: %s", type(error).__name__)
        finally:
            connection.close()  # back to the pool: this thread may now sleep for hours


def flush_counts(noted: Counter[Noted]) -> None:
    """Add to the hourly counts and record which tokens were used, in one transaction."""
    now = timezone.now()
    used = {(one.connection_id, one.slot) for one in noted if isinstance(one, KnownToken)}
    with transaction.atomic():
        HourlyCount.objects.add((e, n) for e, n in noted.items() if isinstance(e, CountKey))
        for connection_id, slot in sorted(used):
            Connection(pk=connection_id).note_webhook_use(slot, at=now)

"""Rings for a worker after a commit, and keeps the counts that have no row.

One thread per process, so that no request ever waits for the broker. A ring is only a hint: it
is coalesced, it may fail (counted, swallowed), and the sweep finds the rows without it.
"""

import logging
import threading
import time
from collections import Counter
from datetime import UTC, datetime

from django.db import connection, transaction
from django.utils import timezone

from partner.models import Connection, Slot
from webhooks import tasks
from webhooks.models import Counted, Delivery, Tally, hour_of

logger = logging.getLogger(__name__)

RINGS_APART = 0.05  # seconds; the first ring of a burst leaves at once
# When nobody has come for a while, more messages would only pile up at the broker.
RINGS_APART_BEHIND = 1.0
HINT_EXPIRES = 60  # seconds; a worker that comes back after an hour needs one hint, not thousands
WRITE_EVERY = 5.0  # seconds between two writes of the books


class Bell(threading.Thread):
    """The ringer of one process. `ring` and `count` return at once, whatever is down."""

    def __init__(self) -> None:
        super().__init__(name="webhooks-bell", daemon=True)
        self._wake = threading.Event()
        self._is_rung = False
        self._is_behind = False
        self._written_at = time.monotonic()
        self._counts: Counter[Counted] = Counter()
        self._used: set[Slot] = set()
        self._lock = threading.Lock()

    def ring(self, slot: Slot) -> None:
        with self._lock:
            self._used.add(slot)
        self._is_rung = True
        self._wake.set()

    def count(self, what: Tally.What) -> None:
        with self._lock:
            self._counts[Counted(what.value, hour_of(datetime.now(UTC)))] += 1
        self._wake.set()

    def run(self) -> None:
        while True:
            self._wake.wait(WRITE_EVERY if self._counts or self._used else None)
            self._wake.clear()
            if self._is_rung:
                self._is_rung = False
                self._publish()
            if time.monotonic() - self._written_at > WRITE_EVERY:
                self._keep_books()
            time.sleep(RINGS_APART_BEHIND if self._is_behind else RINGS_APART)

    def _publish(self) -> None:
        try:
            tasks.route.apply_async(expires=HINT_EXPIRES)
        # Kombu lets through whatever the broker's own library raises.
        except Exception as error:
            logger.warning("no worker was woken; the sweep will: %s", type(error).__name__)
            self.count(Tally.What.UNHINTED)

    def _keep_books(self) -> None:
        self._written_at = time.monotonic()
        with self._lock:
            counts, self._counts = self._counts, Counter()
            used, self._used = self._used, set()
        try:
            self._is_behind = Delivery.objects.is_behind(now=timezone.now())
            # The last step: what is written must not be put back and written again.
            write_books(counts, used)
        # Whatever it was: the books are written later, and this thread must go on ringing.
        except Exception as error:
            logger.warning("the books are not written yet: %s", type(error).__name__)
            with self._lock:
                self._counts.update(counts)
                self._used |= used
        finally:
            connection.close()  # back to the pool: this thread may now sleep for hours


def write_books(counts: Counter[Counted], used: set[Slot]) -> None:
    """Add to the hour's counts, and say which tokens are at work: so a rotation is watched.

    All of it or nothing.
    """
    now = timezone.now()
    with transaction.atomic():
        Tally.objects.add(counts.items())
        if used and (partner := Connection.objects.filter(is_active=True).first()):
            for slot in used:
                partner.note_webhook_use(slot, at=now)

"""Sends queued events to the receiver until it answers 200 with {"data": {}} within 3 seconds."""

import http.client
import json
import queue
import threading
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from partner_sandbox.clock import SECOND
from partner_sandbox.webhooks.events import Events

PATIENCE_SECONDS = 3.0
LONGEST_PAUSE_SECONDS = 64
SENDERS = 8
POLL_SECONDS = 0.25
BATCH = 64
KEPT_DELIVERIES = 100_000
MOST_READ = 64 * 1024

Blame = Callable[[str], None]


class Sender:
    def __init__(self, events: Events, blame: Blame) -> None:
        self.events = events
        self.blame = blame
        self._jobs: queue.SimpleQueue[tuple[int, str, int]] = queue.SimpleQueue()
        self._in_flight: set[int] = set()
        self._stopping = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._dispatch, daemon=True, name="dispatch").start()
        for number in range(SENDERS):
            threading.Thread(target=self._work, daemon=True, name=f"sender-{number}").start()

    def stop(self) -> None:
        self._stopping.set()
        self.events.wake.set()

    def _dispatch(self) -> None:
        while not self._stopping.is_set():
            self.events.wake.wait(POLL_SECONDS)
            self.events.wake.clear()
            if self.events.url:
                self._hand_out()

    def _hand_out(self) -> None:
        # Noted before the read: what is settled between the read and here would be sent again.
        busy = frozenset(self._in_flight)
        with self.events.store.reading() as db:
            rows = db.execute(
                "SELECT id, payload, attempts FROM delivery WHERE due<=? ORDER BY due LIMIT ?",
                (int(time.time() * SECOND), BATCH + len(busy)),
            ).fetchall()
        for row in rows:
            if row["id"] not in busy:
                self._in_flight.add(row["id"])
                self._jobs.put((row["id"], row["payload"], row["attempts"]))

    def _work(self) -> None:
        while not self._stopping.is_set():
            try:
                number, payload, attempts = self._jobs.get(timeout=POLL_SECONDS)
            except queue.Empty:
                continue
            outcome = deliver(self.events.url, payload.encode())
            if not self._stopping.is_set():
                self._settle(number, attempts + 1, outcome)
            self._in_flight.discard(number)
            self.events.wake.set()

    def _settle(self, number: int, attempts: int, outcome: str) -> None:
        now = int(time.time() * SECOND)
        done = outcome == "delivered"
        # A receiver that is away, or goes away, breaks no rule: it is sent the event again.
        if not done and outcome != "unreachable":
            self.blame("webhook_late_answer" if outcome == "late" else "webhook_wrong_answer")
        pause = min(2 ** min(attempts - 1, 10), LONGEST_PAUSE_SECONDS) * SECOND
        with self.events.store.writing() as db:
            db.execute(
                "UPDATE delivery SET attempts=?, outcome=?, due=?, answered=? WHERE id=?",
                (attempts, outcome, None if done else now + pause, now if done else None, number),
            )
            db.execute(
                "DELETE FROM delivery WHERE due IS NULL AND id<=?", (number - KEPT_DELIVERIES,)
            )


def deliver(url: str, payload: bytes) -> str:
    """One attempt; the answer in a word: delivered, late, unreachable, or what was wrong."""
    started = time.monotonic()
    try:
        status, body = _post(url, payload)
    except TimeoutError:
        return "late"
    except (OSError, http.client.HTTPException, ValueError):
        return "unreachable"
    if time.monotonic() - started > PATIENCE_SECONDS:
        return "late"
    if status != 200:
        return f"answered {status}"
    return "delivered" if _is_receipt(body) else "answered 200 with another body"


def _is_receipt(body: bytes) -> bool:
    try:
        return bool(json.loads(body) == {"data": {}})
    except ValueError:
        return False


def _post(url: str, payload: bytes) -> tuple[int, bytes]:
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.hostname or "", parts.port, timeout=PATIENCE_SECONDS)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request("POST", path, payload, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read(MOST_READ)
    finally:
        connection.close()

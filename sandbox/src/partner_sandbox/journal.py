"""Journal of requests and their outcomes, and of breaches of the client rules, by rule.

Entries are gathered in memory and written twice a second, so that a GET costs no transaction.
"""

import threading
from collections import Counter, deque
from typing import Any, NamedTuple

from partner_sandbox.store import Store

FLUSH_SECONDS = 0.5
MOST_ENTRIES = 200_000
PAGE = 1000


class Entry(NamedTuple):
    at: int
    client: str
    method: str
    target: str
    endpoint: str
    status: int  # 0 when the connection was closed without an answer
    ms: float
    fault: str
    breaches: str  # comma-separated rules


class Journal:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._waiting: deque[Entry] = deque()
        self._lock = threading.Lock()
        with store.reading() as db:
            self._breaches = Counter(dict(db.execute("SELECT rule, count FROM breach").fetchall()))

    def add(self, entry: Entry) -> None:
        self._waiting.append(entry)
        if entry.breaches:
            self.blame(*entry.breaches.split(","))

    def blame(self, *rules: str) -> None:
        with self._lock:
            self._breaches.update(rules)

    def breaches(self) -> dict[str, int]:
        with self._lock:
            return dict(sorted(self._breaches.items()))

    def flush(self) -> None:
        # The store's turn, and no lock of its own: a reset holds the turn when it flushes.
        with self.store.turn():
            rows = [self._waiting.popleft() for _ in range(len(self._waiting))]
            if not rows:
                return
            with self.store.writing() as db:
                db.executemany(
                    "INSERT INTO journal (at, client, method, target, endpoint, status, ms, fault,"
                    " breaches) VALUES (?,?,?,?,?,?,?,?,?)",
                    rows,
                )
                db.execute(
                    "DELETE FROM journal WHERE id <= (SELECT MAX(id) FROM journal) - ?",
                    (MOST_ENTRIES,),
                )
                db.executemany("REPLACE INTO breach VALUES (?,?)", self.breaches().items())

    def since(self, after: int, limit: int = PAGE) -> list[dict[str, Any]]:
        self.flush()
        with self.store.reading() as db:
            rows = db.execute(
                "SELECT * FROM journal WHERE id>? ORDER BY id LIMIT ?", (after, limit)
            ).fetchall()
        return [self._as_json(dict(row)) for row in rows]

    def latest(self, count: int) -> list[dict[str, Any]]:
        self.flush()
        with self.store.reading() as db:
            rows = db.execute("SELECT * FROM journal ORDER BY id DESC LIMIT ?", (count,)).fetchall()
        return [self._as_json(dict(row)) for row in rows]

    def totals(self) -> dict[str, Any]:
        """Requests by status and by endpoint, over all that is kept."""
        self.flush()
        with self.store.reading() as db:
            count = db.execute("SELECT COUNT(*) FROM journal").fetchone()[0]
            by_status = db.execute("SELECT status, COUNT(*) FROM journal GROUP BY 1").fetchall()
            by_endpoint = db.execute("SELECT endpoint, COUNT(*) FROM journal GROUP BY 1").fetchall()
        return {
            "requests": count,
            "by_status": {str(status): number for status, number in by_status},
            "by_endpoint": dict(by_endpoint),
        }

    def clear(self) -> None:
        self.flush()
        with self._lock:
            self._breaches.clear()
        with self.store.writing() as db:
            db.execute("DELETE FROM journal")
            db.execute("DELETE FROM breach")

    @staticmethod
    def _as_json(row: dict[str, Any]) -> dict[str, Any]:
        row["breaches"] = [rule for rule in row["breaches"].split(",") if rule]
        return row

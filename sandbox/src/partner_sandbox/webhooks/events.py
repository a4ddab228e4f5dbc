"""Webhook events: written down in the transaction that causes them, sent by `sender`."""

import json
import threading
import time
from typing import Any
from uuid import UUID

from partner_sandbox.clock import SECOND, SandboxClock
from partner_sandbox.dice import dice
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.faults.chosen import Faults
from partner_sandbox.store import Store

OWNER = "full"  # only the groups of this client have a receiver


class Events:
    def __init__(self, store: Store, clock: SandboxClock, faults: Faults) -> None:
        self.store = store
        self.clock = clock
        self.faults = faults
        self.url: str = store.setting("webhook_url", "")
        self.wake = threading.Event()
        self._luck = dice("events", store.setting("seed", 1))

    def point_at(self, url: str) -> None:
        self.url = url
        self.store.remember("webhook_url", url)
        self.wake.set()

    def customer(self, event_type: str, uuid: bytes, group_uuid: str) -> None:
        self._announce("customer", event_type, uuid, {"groupUuid": group_uuid})

    def reservation(self, event_type: str, uuid: bytes, place: SandboxRestaurant) -> None:
        self._announce("reservation", event_type, uuid, _where(place))

    def review(
        self, event_type: str, uuid: bytes, place: SandboxRestaurant, reservation: bytes | None
    ) -> None:
        extra = _where(place)
        if reservation is not None:
            extra["reservationUuid"] = str(UUID(bytes=reservation))
        self._announce("review", event_type, uuid, extra)

    def _announce(self, kind: str, event_type: str, uuid: bytes, extra: dict[str, str]) -> None:
        payload = {"entityType": kind, "eventType": event_type, "uuid": str(UUID(bytes=uuid))}
        if self._has_receiver(extra["groupUuid"]):
            self.emit({**payload, **extra})

    def _has_receiver(self, group_uuid: str) -> bool:
        with self.store.writing() as db:
            row = db.execute(
                "SELECT owner FROM party WHERE uuid=?", (UUID(group_uuid).bytes,)
            ).fetchone()
        return row is not None and row["owner"] == OWNER

    def emit(
        self, payload: Any, *, copies: int = 1, delay_ms: int = 0, lost: bool = False
    ) -> list[int]:
        """Queue an event; a matching fault may lose, double or delay it."""
        event_type = payload.get("eventType", "") if isinstance(payload, dict) else ""
        fault = self.faults.for_event(str(event_type))
        effect = fault.effect if fault else {}
        lost = lost or effect.get("lost", False)
        copies = max(copies, effect.get("copies", 1))
        delay_ms += effect.get("delay_ms", 0)
        ids = []
        with self.store.writing() as db:
            for _ in range(copies):
                shuffle = self._luck.randrange(effect.get("shuffle_ms", 0) + 1)
                ids.append(self._queue(db, payload, delay_ms + shuffle, lost=lost))
        self.wake.set()
        return ids

    def _queue(self, db: Any, payload: Any, delay_ms: int, *, lost: bool) -> int:
        outcome = "lost" if lost else "waiting" if self.url else "no receiver"
        due = int(time.time() * SECOND) + delay_ms if outcome == "waiting" else None
        cursor = db.execute(
            "INSERT INTO delivery (payload, created, due, outcome) VALUES (?,?,?,?)",
            (json.dumps(payload), self.clock.now(), due, outcome),
        )
        return int(cursor.lastrowid)

    def deliveries(self, *, before: int | None, limit: int) -> list[dict[str, Any]]:
        with self.store.reading() as db:
            rows = db.execute(
                "SELECT * FROM delivery WHERE id<? ORDER BY id DESC LIMIT ?",
                (before or 2**62, limit),
            ).fetchall()
        return [{**dict(row), "payload": json.loads(row["payload"])} for row in rows]

    def totals(self) -> dict[str, int]:
        with self.store.reading() as db:
            return dict(
                db.execute(
                    "SELECT CASE WHEN outcome IN ('delivered','lost','no receiver','waiting')"
                    " THEN outcome ELSE 'resending' END, COUNT(*) FROM delivery GROUP BY 1"
                ).fetchall()
            )


def _where(place: SandboxRestaurant) -> dict[str, str]:
    return {"groupUuid": place.group_uuid, "restaurantUuid": place.uuid}

"""Background thread of the sandbox: planned actions, and with --live the course of bookings."""

import logging
import threading
import time
from datetime import date
from typing import Any
from uuid import UUID

from partner_sandbox.clock import MINUTE, utc_midnight
from partner_sandbox.happenings import happen
from partner_sandbox.happenings.happening import NotPossible
from partner_sandbox.journal import FLUSH_SECONDS
from partner_sandbox.life import first_minute, staff
from partner_sandbox.life.fates import catch_up, play
from partner_sandbox.service import SandboxService
from partner_sandbox.world.plans import SIZES
from partner_sandbox.world.refill import refill

logger = logging.getLogger(__name__)

TICK_SECONDS = 0.25
LOOK_SECONDS = 2.0  # between two looks at who arrives and leaves
SURPRISE_SECONDS = 7.0  # between two things that nobody planned, at pace 1
LATEST_ANSWER = 20 * MINUTE  # before the meal
SURPRISES = (
    ("new_booking",) * 9 + ("change",) * 3 + ("cancel",) * 2 + ("review",) * 2
    + ("change_customer",) * 2 + ("walk_in",)
)  # fmt: skip
PLANNED_OPTION = {
    "answer_request": "reservation",
    "moderate_reply": "review",
    "moderate_comment": "review",
    "end_reformulation": "review",
}


class Life:
    """One thread that does what the service does by itself."""

    def __init__(self, service: SandboxService, *, live: bool) -> None:
        self.service = service
        self.live = live
        self._stopping = threading.Event()
        self._threads: list[threading.Thread] = []
        self._next_surprise = time.monotonic() + 2
        self._next_look = 0.0

    def start(self) -> None:
        for name, work in (("life", self._run), ("journal", self._flush)):
            thread = threading.Thread(target=work, daemon=True, name=name)
            thread.start()
            self._threads.append(thread)

    def stop(self) -> None:
        self._stopping.set()
        for thread in self._threads:
            thread.join(timeout=1)

    def _flush(self) -> None:
        while not self._stopping.wait(FLUSH_SECONDS):
            self.service.journal.flush()

    def _run(self) -> None:
        while not self._stopping.wait(TICK_SECONDS):
            try:
                self.tick()
            except Exception:  # the evening must go on; the fault is printed, not swallowed
                logger.exception("a moment of the evening failed")

    def tick(self) -> None:
        run_due_actions(self.service)
        if self.live:
            self._live_a_moment(time.monotonic())

    def _live_a_moment(self, now: float) -> None:
        if now >= self._next_look:
            self._next_look = now + LOOK_SECONDS
            refill(self.service)
            play(self.service)
            answer_in_time(self.service)
            if is_demo(self.service):
                staff.reply_once(self.service)
            self.service.store.remember("lived_until", self.service.clock.now())
        if now >= self._next_surprise:
            pause = self.service.luck.expovariate(1 / SURPRISE_SECONDS)
            self._next_surprise = now + min(pause, 3 * SURPRISE_SECONDS) / self.service.pace
            _quietly(self.service, self.service.luck.choice(SURPRISES), {})


def catch_up_planned(service: SandboxService) -> None:
    """Carry out, without events, what was planned since the world was built or last run."""
    since = service.store.setting("lived_until")
    is_first = since is None
    if since is None:
        midnight = utc_midnight(date.fromisoformat(service.store.setting("anchor")))
        since = service.store.setting("filled_to", midnight)
    refill(service)
    demo = is_demo(service)
    if demo:
        first_minute.answer_old_requests(service)
        first_minute.delay_parties(service)
    catch_up(service, since)
    if demo and is_first:
        staff.catch_up(service)
    if demo:
        first_minute.set_the_scene(service)
    service.store.remember("lived_until", service.clock.now())


def is_demo(service: SandboxService) -> bool:
    return SIZES[service.store.setting("world")].is_demo


def answer_in_time(service: SandboxService) -> None:
    """Accept what is still a request shortly before the meal: the guests are on their way."""
    now = service.clock.now()
    for place in service.directory.restaurants.values():
        with service.store.reading() as db:
            rows = db.execute(
                "SELECT uuid FROM reservation WHERE restaurant_id=? AND meal>=? AND meal<?"
                " AND status='REQUESTED'",
                (place.id, now, now + LATEST_ANSWER),
            ).fetchall()
        for row in rows:
            options = {"reservation": str(UUID(bytes=row["uuid"])), "decision": "accept"}
            _quietly(service, "answer_request", options)


def run_due_actions(service: SandboxService) -> int:
    """Run due actions: decide requests, moderate replies and comments."""
    with service.store.reading() as db:
        due = db.execute(
            "SELECT * FROM pending WHERE due<=? ORDER BY due LIMIT 100", (service.clock.now(),)
        ).fetchall()
    for row in due:
        kind = PLANNED_OPTION[row["what"]]
        with service.store.writing() as db:
            db.execute("DELETE FROM pending WHERE id=?", (row["id"],))
            target = _uuid_of(db, kind, row["target"])
        if target:
            _quietly(service, row["what"], {kind: target})
    return len(due)


def _uuid_of(db: Any, kind: str, number: int) -> str:
    row = db.execute(
        f"SELECT hex(uuid) FROM {kind} WHERE id=?",  # noqa: S608  one of two words above
        (number,),
    ).fetchone()
    if row is None:
        return ""
    text = row[0].lower()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def _quietly(service: SandboxService, what: str, options: dict[str, Any]) -> None:
    """Ignore what no longer applies: a cancelled request needs no answer."""
    try:
        happen(service, what, options)
    except NotPossible:
        return

"""Rate limit shared by all processes, and the circuit breaker for outages.

One row per connection (`partner.models.Budget`) and one UPDATE per permit or batch of permits:
the generic cell rate algorithm. `due_at` is when the next request would be due if all were
evenly spaced; a priority may go ahead of it by its headroom. What people may borrow is more than
what a backfill may, so a person never waits for one. The same SQL on SQLite and PostgreSQL but
for the reading of the clock, which is the database's: hosts need not agree on the time.
"""

import logging
import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.db import Error, transaction
from django.db import connection as database

from partner.clock import SYSTEM, Clock, held
from partner.errors import Busy, CircuitOpen, EndpointHeld
from partner.limits.priorities import CallPriority
from partner.models import Budget, Connection

logger = logging.getLogger(__name__)

# So many different reads of the last ones, within a minute, are more than single broken records.
ODD_ENOUGH = 8
ODD_OUT_OF = 20
ODD_WITHIN = 60.0
DB_NOW = {
    "postgresql": "extract(epoch from clock_timestamp())::float8",
    "sqlite": "((julianday('now') - 2440587.5) * 86400.0)",
}
# Of each minute's contract this much is spent evenly; the rest is headroom (`priorities.py`).
EVEN_SHARE = 0.97
# Requests per second to begin with when the contract's limit is not known.
FIRST_RATE = 5.0
FLOOR = 0.5
# Additive increase: per step, at most one step in ten seconds, and only when there is demand.
STEP = 0.5
# Or this much of a limit that is known: a large one is reached again within a quarter of an hour.
STEP_SHARE = 0.01
STEP_SECONDS = 10.0
# 429s within a second are one volley, answered by one halving.
VOLLEY_SECONDS = 1.0
# An instant further ahead than this was written before the clock was set back.
AHEAD_CAP = 120.0
PAUSE_CAP = 1000.0
# A tenth of a second's permits are taken at once: ten writes a second at any pace.
BATCH_SECONDS = 0.1
BATCH_CAP = 128
BATCH_LIFE = 1.0
# Faults within half a minute of each other that open the circuit.
FAULTS_TO_OPEN = 5
FAULTS_WITHIN = 30.0
# Reads that left before the circuit opened are answered within this time.
UNDER_WAY = 30.0
# An intent that waits leaves within a minute of the recovery.
FIRST_PROBE = 15.0
PROBES_APART = 30.0
# An endpoint that probed an open circuit in vain: the next probes are of others.
HELD_FOR = 3 * PROBES_APART
# They take one permit at a time, and wait for nothing else.
PEOPLE = (CallPriority.PERSON, CallPriority.GLANCE)

TAKE = """
UPDATE partner_budget
SET due_at = (CASE WHEN due_at > {now} AND due_at < {now} + %(ahead)s THEN due_at ELSE {now} END)
             + %(count)s / (CASE WHEN rate > %(cap)s THEN %(cap)s ELSE rate END)
WHERE connection_id = %(id)s AND open_until = 0
  AND (paused_until <= {now} OR paused_until > {now} + %(pause)s)
  AND (due_at <= {now} + %(headroom)s OR due_at >= {now} + %(ahead)s)
RETURNING rate"""
LOOK = """
SELECT open_until - {now}, paused_until - {now}, due_at - {now}, open_until, {now} - odd_at
FROM partner_budget WHERE connection_id = %(id)s"""
PROBE = """
UPDATE partner_budget SET open_until = {now} + %(wait)s, probes = probes + 1
WHERE connection_id = %(id)s AND open_until = %(seen)s"""
RAISE = """
UPDATE partner_budget
SET rate = CASE WHEN is_searching THEN rate * 2 ELSE rate + %(step)s END, raised_at = {now}
WHERE connection_id = %(id)s AND rate < %(cap)s
  AND (raised_at <= {now} - %(every)s OR raised_at > {now})
  AND (lowered_at <= {now} - %(every)s OR lowered_at > {now})"""
LOWER = """
UPDATE partner_budget
SET rate = CASE WHEN rate > %(cap)s THEN %(cap)s ELSE rate END * 0.5, lowered_at = {now},
    is_searching = %(false)s
WHERE connection_id = %(id)s AND rate > %(floor)s
  AND (lowered_at <= {now} - %(volley)s OR lowered_at > {now})"""
PAUSE = """
UPDATE partner_budget SET paused_until = {now} + %(wait)s
WHERE connection_id = %(id)s
  AND (paused_until < {now} + %(wait)s OR paused_until > {now} + %(pause)s)"""
FAULT = """
UPDATE partner_budget
SET faults = CASE WHEN last_fault_at > {now} - %(within)s AND last_fault_at <= {now}
             THEN faults + 1 ELSE 1 END,
    last_fault_at = {now}
WHERE connection_id = %(id)s RETURNING faults"""
OPEN = """
UPDATE partner_budget SET open_until = {now} + %(wait)s, probes = 0
WHERE connection_id = %(id)s AND open_until = 0"""
# An answer that was on its way when odd ones opened the circuit does not close it again.
CLOSE = """
UPDATE partner_budget SET faults = 0, open_until = 0, probes = 0
WHERE connection_id = %(id)s
  AND (probes > 0 OR odd_at <= {now} - %(under_way)s OR odd_at > {now})"""
OPEN_ODD = """
UPDATE partner_budget SET open_until = {now} + %(wait)s, probes = 0, odd_at = {now}
WHERE connection_id = %(id)s AND open_until = 0"""
NOTE_ODD = """
UPDATE partner_budget SET odd_at = {now} WHERE connection_id = %(id)s"""
STILL_ODD = """
UPDATE partner_budget SET odd_at = {now} WHERE connection_id = %(id)s AND open_until > 0"""


class OddAnswers:
    """The share of a process's last answers to one connection that were not about the request.

    Where all but a single one of these are of one operation, only this one is left alone: the
    bookings must not wait for an endpoint of reviews that is broken.
    """

    def __init__(self) -> None:
        self._answers = 0
        # By path: the number, the time (uptime) and the operation of its last odd answer.
        self._odd: dict[str, tuple[int, float, str]] = {}
        # By operation: when one of its calls may look whether it answers.
        self.held: dict[str, float] = {}
        self._lock = threading.Lock()

    def check(self, operation: str, *, now: float) -> None:
        """Raise `EndpointHeld` for a call of a held operation that is not its probe."""
        with self._lock:
            until = self.held.get(operation)
            if until is None:
                return
            if until > now:
                raise EndpointHeld(retry_after=until - now)
            self.held[operation] = now + PROBES_APART

    def hold(self, operation: str, *, now: float) -> None:
        with self._lock:
            self.held[operation] = now + HELD_FOR

    def probe_all(self) -> None:
        """Let one call of each held operation go now: the service answers others again."""
        with self._lock:
            self.held = dict.fromkeys(self.held, 0.0)

    def count_good(self, operation: str) -> None:
        """Count an answer, without a lock: threads may lose one, and a share is an estimate."""
        self._answers += 1
        self.held.pop(operation, None)

    def count_odd(self, path: str, *, operation: str, now: float) -> bool:
        """Return whether those of several operations are a large share. Then the window begins."""
        with self._lock:
            self._answers += 1
            self._odd[path] = (self._answers, now, operation)
            self._odd = {
                path: (number, at, one)
                for path, (number, at, one) in self._odd.items()
                if number > self._answers - ODD_OUT_OF and at > now - ODD_WITHIN
            }
            if len(self._odd) < ODD_ENOUGH:
                return False
            operations = Counter(one for _number, _at, one in self._odd.values())
            broken = [one for one, count in operations.items() if count > 1]
            for one in broken:
                self.held.setdefault(one, now + FIRST_PROBE)
            if len(broken) == 1:
                return False
            self._odd.clear()
            return True


class Throttle:
    """Permits for one connection, as one process sees them."""

    def __init__(self, connection: Connection, *, clock: Clock = SYSTEM) -> None:
        self._id = connection.pk
        self._clock = clock
        self._locks = {priority: threading.Lock() for priority in CallPriority}
        self._permits_lock = threading.Lock()
        self._permits = 0
        self._permits_end = 0.0
        self._refusals = 0
        self._batch = 1
        self._is_troubled = False
        self._odd_answers = OddAnswers()
        self.follow(connection)
        first = first_budget(connection)
        Budget.objects.get_or_create(connection=connection, defaults={"rate": first.rate})

    def follow(self, connection: Connection) -> None:
        """Take over the contract's limit as it is now."""
        limit = connection.requests_per_minute
        self._cap = cap_of(connection)
        self._step = max(STEP, self._cap * STEP_SHARE) if limit else STEP

    def take(self, priority: CallPriority, *, give_up_at: float, of: str = "") -> None:
        """Wait for a permit of an operation until `give_up_at` (uptime); raise `Busy`,
        `CircuitOpen` or `EndpointHeld`."""
        self._odd_answers.check(of, now=self._clock.uptime())
        if self._spend():
            self._lease_ahead(priority)
            return
        lock = self._locks[priority]
        with held(lock, clock=self._clock, give_up_at=give_up_at, retry_after=1.0):
            if not self._spend():
                self._lease(priority, give_up_at=give_up_at)

    def _spend(self) -> bool:
        """Take a permit that this process has leased already."""
        if not self._permits:
            return False
        with self._permits_lock:
            if not self._permits or self._clock.uptime() > self._permits_end:
                self._permits = 0
                return False
            self._permits -= 1
            return True

    def _drop_permits(self) -> None:
        with self._permits_lock:
            self._permits = 0
            self._refusals += 1

    def _lease_ahead(self, priority: CallPriority) -> None:
        """Lease the next batch when half is spent: one caller waits for the database, not all."""
        if self._permits >= self._batch // 2 or priority in PEOPLE:
            return
        if not self._locks[priority].acquire(blocking=False):
            return
        try:
            with suppress(Error):  # the caller that finds no permit gets the error
                self._take_batch(priority, spent=0)
        finally:
            self._locks[priority].release()

    def _lease(self, priority: CallPriority, *, give_up_at: float) -> None:
        has_waited = False
        while not self._take_batch(priority):
            wait = self._wait_for(priority)
            if wait is None:
                return  # this call is the probe
            if self._clock.uptime() + wait > give_up_at:
                raise Busy(retry_after=wait)
            self._clock.sleep(min(wait, 1.0) + 0.001)
            has_waited = True
        if has_waited:  # the pace is what holds us up: it may be too low
            self._run(RAISE, step=self._step, every=STEP_SECONDS)

    def _take_batch(self, priority: CallPriority, *, spent: int = 1) -> bool:
        count = 1 if priority in PEOPLE else self._batch
        refusals = self._refusals
        with transaction.atomic(durable=True):  # no network inside a transaction
            row = self._run(
                TAKE,
                count=float(count),
                headroom=priority.headroom,
                ahead=AHEAD_CAP,
                pause=PAUSE_CAP,
            )
        if not row:
            return False
        rate = min(row[0], self._cap)
        with self._permits_lock:
            self._batch = max(1, min(BATCH_CAP, int(rate * BATCH_SECONDS)))
            if count > 1 and refusals == self._refusals:  # else a 429 came in the meantime
                self._permits += count - spent
                self._permits_end = self._clock.uptime() + BATCH_LIFE
        return True

    def _wait_for(self, priority: CallPriority) -> float | None:
        """Return the seconds to wait, or None when this call may go as the circuit's probe."""
        open_for, paused_for, due_in, open_until, _odd = self._run(LOOK)
        if open_until:
            self._probe(open_for, seen=open_until)
            return None
        if 0 < paused_for < PAUSE_CAP:
            return float(paused_for)
        return max(0.0, min(float(due_in), AHEAD_CAP) - priority.headroom)

    # --- Refusals ---------------------------------------------------------------------------

    def slow_down(self, *, retry_after: float | None) -> None:
        """Halve the pace after a 429, and let everyone pause."""
        self._run(PAUSE, wait=1.0 if retry_after is None else retry_after, pause=PAUSE_CAP)
        self._drop_permits()  # after the pause stands: what was leased before it is void
        self._run(LOWER, floor=min(FLOOR, self._cap), volley=VOLLEY_SECONDS, false=False)
        logger.warning("rate limited, slowing down", extra={"retry_after": retry_after})

    # --- The circuit ------------------------------------------------------------------------

    def note_fault(self) -> None:
        """Count an outage's sign: 503, no connection, no answer."""
        self._is_troubled = True
        row = self._run(FAULT, within=FAULTS_WITHIN)
        if row and row[0] >= FAULTS_TO_OPEN:
            self._drop_permits()
            if self._run(OPEN, wait=FIRST_PROBE):
                logger.error("circuit opened")

    def note_answer(self, *, of: str = "") -> None:
        """Close the circuit when the partner answers again. Costs nothing on good days."""
        self._odd_answers.count_good(of)
        if self._is_troubled:
            self._is_troubled = False
            if self._run(CLOSE, under_way=UNDER_WAY):
                self._odd_answers.probe_all()

    def note_odd(self, path: str, *, of: str = "") -> None:
        """Count an answer about something else; a large share of them opens the circuit."""
        now = self._clock.uptime()
        if self._odd_answers.count_odd(path, operation=of, now=now):
            self._drop_permits()
            if self._run(OPEN_ODD, wait=FIRST_PROBE):
                logger.error("circuit opened by odd answers")
        elif self._is_troubled and self._run(STILL_ODD):
            self._odd_answers.hold(of, now=now)
        elif of in self._odd_answers.held:
            self._run(NOTE_ODD)

    def _probe(self, open_for: float, *, seen: float) -> None:
        is_due = open_for <= 0 or open_for > PAUSE_CAP
        if not is_due or not self._run(PROBE, wait=PROBES_APART, seen=seen):
            raise CircuitOpen(retry_after=max(open_for, 1.0))
        self._is_troubled = True

    def _run(self, sql: str, **values: Any) -> Any:
        """Run one statement; return its first row, or the number of rows it changed."""
        moment = self._clock.epoch()
        now = DB_NOW[database.vendor] if moment is None else f"({moment!r})"
        with database.cursor() as cursor:
            cursor.execute(sql.format(now=now), {"id": self._id, "cap": self._cap} | values)
            return cursor.fetchone() if cursor.description else cursor.rowcount


@dataclass(frozen=True)
class BudgetView:
    """The rate limit as screens show it."""

    per_minute: int
    contract_per_minute: int | None
    paused_for: float
    is_circuit_open: bool
    probe_in: float
    # Seconds since odd answers held the circuit open; None if they never did.
    odd_ago: float | None = None

    @property
    def is_learnt(self) -> bool:
        return self.contract_per_minute is None


def budget(connection: Connection) -> BudgetView:
    """Return the current budget. One query, or two."""
    return budgets([connection])[connection.pk]


def budgets(connections: Sequence[Connection]) -> dict[int, BudgetView]:
    """Return the current budgets of connections, by their keys. One query, or two."""
    rows = {row.connection_id: row for row in Budget.objects.filter(connection__in=connections)}
    now = database_now() if rows else 0.0
    return {one.pk: _view(one, rows.get(one.pk) or first_budget(one), now) for one in connections}


def _view(connection: Connection, row: Budget, now: float) -> BudgetView:
    return BudgetView(
        per_minute=round(min(row.rate, cap_of(connection)) * 60),
        contract_per_minute=connection.requests_per_minute,
        paused_for=max(0.0, row.paused_until - now),
        is_circuit_open=bool(row.open_until),
        probe_in=max(0.0, row.open_until - now) if row.open_until else 0.0,
        odd_ago=now - row.odd_at if row.odd_at else None,
    )


def database_now() -> float:
    """Seconds since the epoch by the clock of the database."""
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {DB_NOW[database.vendor]}")
        return float(cursor.fetchone()[0])


def cap_of(connection: Connection) -> float:
    limit = connection.requests_per_minute
    return limit / 60 * EVEN_SHARE if limit else 1e6


def first_budget(connection: Connection) -> Budget:
    """The budget of a connection that was never called; not stored."""
    first = cap_of(connection) if connection.requests_per_minute else FIRST_RATE
    return Budget(connection=connection, rate=first)

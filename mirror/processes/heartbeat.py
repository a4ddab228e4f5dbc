"""Heartbeats in the database: of workers, beat, events, and processes that do their work meanwhile.

A heartbeat is written at most every few seconds per process, so it costs nothing.
"""

import threading
from datetime import datetime, timedelta

from mirror.models import Heartbeat

EVERY = timedelta(seconds=5)
_last: dict[str, datetime] = {}
_lock = threading.Lock()


def beat(name: str, *, now: datetime, process: str = "") -> None:
    with _lock:
        before = _last.get(name)
        # Threads come in any order: one that read its clock earlier is no reason to write.
        if before and abs(now - before) < EVERY:
            return
        _last[name] = now
    Heartbeat.objects.update_or_create(name=name, defaults={"at": now, "process": process})


def start_anew() -> None:
    """Write the next heartbeat of each name, as a process that has just started does."""
    with _lock:
        _last.clear()


def of_events(connection: int | None) -> str:
    """The name of the heartbeat of an account's events; without one, of all together."""
    return f"event {connection}" if connection else "event"


def last(name: str) -> datetime | None:
    return Heartbeat.objects.filter(name=name).values_list("at", flat=True).first()


def process(name: str) -> str:
    """Machine and number of the process that left it, where several could."""
    found = Heartbeat.objects.filter(name=name).values_list("process", flat=True)
    return found.first() or ""


def take_turn(name: str, *, now: datetime, every: timedelta) -> bool:
    """Claim a turn: true for one process once in `every`. One or two queries.

    A turn is no lease, so a killed process holds nothing up: any process may take the next one.
    """
    _row, is_first = Heartbeat.objects.get_or_create(name=name, defaults={"at": now})
    # A turn that lies ahead was taken by a clock that has been set back since.
    due = Heartbeat.objects.filter(name=name).exclude(at__gt=now - every, at__lte=now)
    return is_first or bool(due.update(at=now))


def note_missing(name: str, *, now: datetime) -> None:
    """Store since when a process that never ran is waited for. One query where it ran."""
    if last(name) is not None:
        return
    row, is_first = Heartbeat.objects.get_or_create(name=_missing(name), defaults={"at": now})
    if not is_first and row.at > now:  # of a clock that has been set back since
        Heartbeat.objects.filter(pk=row.pk).update(at=now)


def age_or_wait(name: str, *, now: datetime) -> timedelta:
    """The age of a heartbeat; of a process that never ran, how long it is waited for."""
    found = age(name, now=now)
    if found is None:
        found = age(_missing(name), now=now)
    return found or timedelta(0)


def _missing(name: str) -> str:
    return f"{name} missing"


def age(name: str, *, now: datetime) -> timedelta | None:
    """The age of a heartbeat; one in the future (a clock ran ahead) counts as now."""
    at = last(name)
    return None if at is None else max(now - at, timedelta(0))

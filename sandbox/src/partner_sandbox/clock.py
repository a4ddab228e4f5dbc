"""The sandbox's own time: real time plus an offset that a test may move."""

import threading
import time
from datetime import UTC, date, datetime

SECOND = 1000  # every stored instant is an integer of milliseconds since 1970, UTC
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class SandboxClock:
    """Time in milliseconds, real time plus an offset for the whole sandbox."""

    def __init__(self, offset: int = 0) -> None:
        self.offset = offset
        self._lock = threading.Lock()

    def now(self) -> int:
        return int(time.time() * SECOND) + self.offset

    def today(self) -> date:
        return to_datetime(self.now()).date()

    def advance(self, milliseconds: int) -> None:
        with self._lock:
            self.offset += milliseconds

    def set(self, instant: int) -> None:
        with self._lock:
            self.offset = instant - int(time.time() * SECOND)

    def reset(self) -> None:
        with self._lock:
            self.offset = 0


class FrozenClock(SandboxClock):
    """A clock that moves only by its methods, for tests and for building a world."""

    def __init__(self, instant: int) -> None:
        super().__init__()
        self.instant = instant

    def now(self) -> int:
        return self.instant

    def advance(self, milliseconds: int) -> None:
        self.instant += milliseconds

    def set(self, instant: int) -> None:
        self.instant = instant

    def reset(self) -> None:
        self.instant = int(time.time() * SECOND)


def to_datetime(instant: int) -> datetime:
    return datetime.fromtimestamp(instant / SECOND, tz=UTC)


def to_instant(moment: datetime) -> int:
    return round(moment.timestamp() * SECOND)


def utc_midnight(day: date) -> int:
    return to_instant(datetime(day.year, day.month, day.day, tzinfo=UTC))


def utc_text(instant: int | None) -> str | None:
    """Spell an instant as the service spells its bookkeeping times: UTC, milliseconds, Z."""
    if instant is None:
        return None
    return to_datetime(instant).isoformat(timespec="milliseconds").replace("+00:00", "Z")

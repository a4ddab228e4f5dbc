"""Rate limit per client, off by default."""

import threading
import time


class Limiter:
    def __init__(self) -> None:
        self.per_minute: int | None = None
        self.tells_when = True  # whether 429 carries Retry-After
        self._lock = threading.Lock()
        self._buckets: dict[str, tuple[float, float]] = {}  # client → (allowance, at)

    def set(self, per_minute: int | None, *, tells_when: bool = True) -> None:
        with self._lock:
            self.per_minute, self.tells_when = per_minute, tells_when
            self._buckets.clear()

    def seconds_to_wait(self, client: str) -> float:
        """0 when the request may pass; a bucket refills evenly and holds one minute's worth."""
        if self.per_minute is None:
            return 0.0
        with self._lock:
            now = time.monotonic()
            most = float(self.per_minute)
            allowance, at = self._buckets.get(client, (most, now))
            allowance = min(most, allowance + (now - at) * most / 60)
            passes = allowance >= 1
            self._buckets[client] = (allowance - 1 if passes else allowance, now)
        return 0.0 if passes else (1 - allowance) * 60 / most

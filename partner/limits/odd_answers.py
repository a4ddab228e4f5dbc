"""The share of a process's last answers that were not about what was requested."""

import threading

# So many different reads of the last ones, within a minute, are more than single broken records.
ENOUGH = 8
OUT_OF = 20
WITHIN = 60.0


class OddAnswers:
    """A window over the last answers of one process to one connection."""

    def __init__(self) -> None:
        self._answers = 0
        # By path: the number and the time (uptime) of its last odd answer.
        self._odd: dict[str, tuple[int, float]] = {}
        self._lock = threading.Lock()

    def count_good(self) -> None:
        """Count an answer, without a lock: threads may lose one, and a share is an estimate."""
        self._answers += 1

    def count_odd(self, path: str, *, now: float) -> bool:
        """Return whether odd answers have become a large share. Then the window starts anew."""
        with self._lock:
            self._answers += 1
            self._odd[path] = (self._answers, now)
            self._odd = {
                path: (number, at)
                for path, (number, at) in self._odd.items()
                if number > self._answers - OUT_OF and at > now - WITHIN
            }
            if len(self._odd) < ENOUGH:
                return False
            self._odd.clear()
            return True

"""Let every Python process that finds this on its path live in another time, as a file says.

The file CLOCK_FILE holds the error of the system clock in seconds, and may change at any time.
Clocks that nobody sets go on as they are, as they do on a machine whose clock is set.
"""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine

FILE = Path(os.environ.get("CLOCK_FILE", os.devnull))
OFTEN = 0.1  # seconds


class WrongClock:
    _seconds = 0
    _travel: time_machine.travel | None = None

    def __init__(self) -> None:
        self._lock = threading.Lock()
        os.register_at_fork(
            before=self._lock.acquire,
            after_in_parent=self._lock.release,
            after_in_child=self._begin_in_child,
        )

    def set(self) -> None:
        with self._lock:
            self._set()

    def _set(self) -> None:
        seconds = int(FILE.read_text() or 0)
        if seconds == self._seconds:
            return
        if self._travel:
            self._travel.stop()
        self._travel = time_machine.travel(datetime.now(UTC) + timedelta(seconds=seconds))
        self._travel.start()
        self._seconds = seconds

    def follow(self) -> None:
        while True:
            self.set()
            time.sleep(OFTEN)

    def _begin_in_child(self) -> None:
        self._lock.release()
        self.begin()

    def begin(self) -> None:
        """No line of the program runs in the time before."""
        self.set()
        threading.Thread(target=self.follow, name="wrong-clock", daemon=True).start()


if FILE.is_file():
    clock = WrongClock()
    clock.begin()

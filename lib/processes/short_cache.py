"""One value of the database, read again every few seconds by each process.

For settings that almost every page needs and hardly anybody changes: without it each page would
cost a query more.
"""

import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

T = TypeVar("T")

KEPT_FOR = 5.0  # seconds: then another process has noticed a change too
every: "list[ShortCache[Any]]" = []


class ShortCache(Generic[T]):
    def __init__(self, read: Callable[[], T], *, usual: T) -> None:
        """`usual` is what `read` returns of an installation in use where nothing special is set."""
        self.read, self.usual = read, usual
        self._known: tuple[float, T] | None = None
        every.append(self)

    def value(self) -> T:
        """The value; a query when the last one was read more than a few seconds ago."""
        known = self._known
        if known is None or time.monotonic() >= known[0]:
            # Swapped whole, so that readers need no lock.
            self._known = known = (time.monotonic() + KEPT_FOR, self.read())
        return known[1]

    def clear(self) -> None:
        """Read it anew at the next question."""
        self._known = None

    def assume_usual(self) -> None:
        """Until `clear`, answer without a query `usual`: for tests."""
        self._known = (float("inf"), self.usual)

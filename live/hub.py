"""The open streams of this process; distributes what the poller reads."""

import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue

from live.announcements import Reading, Scope

# A screen this far behind (its line is slow, its tab is frozen) is cheaper to read anew.
MAILBOX = 64
READY_SECONDS = 3.0


class Stream:
    """One open screen: its user's scope and its bounded queue."""

    def __init__(self, *, scope: Scope, session_key: str, user_id: int) -> None:
        self.scope = scope
        self.session_key = session_key
        self.user_id = user_id
        self.is_over = False
        self.is_superseded = False
        self._is_behind = False
        self._mailbox: SimpleQueue[Reading | None] = SimpleQueue()

    def offer(self, batch: Reading) -> None:
        """Queue messages without blocking. A full queue makes the screen read everything again."""
        if self._mailbox.qsize() >= MAILBOX:
            self._is_behind = True
            return
        self._mailbox.put(batch)

    def take(self, *, seconds: float) -> Reading | None:
        """Wait for messages. None: there was none, or the stream has ended."""
        try:
            batch = self._mailbox.get(timeout=seconds)
        except Empty:
            return None
        if batch is None or not self._is_behind:
            return batch
        # Lowered before the mailbox is emptied: what is dropped while we empty it raises it again.
        self._is_behind = False
        return Reading([], self._drain(batch.cursor), complete=False)

    def _drain(self, cursor: int) -> int:
        while True:
            try:
                batch = self._mailbox.get_nowait()
            except Empty:
                return cursor
            cursor = batch.cursor if batch else cursor

    def end(self) -> None:
        self.is_over = True
        self._mailbox.put(None)


class Hub:
    """All streams of the process. The poller runs while there is at least one."""

    def __init__(self, *, poll: Callable[["Hub"], None], capacity: int) -> None:
        self._poll = poll
        self.capacity = capacity
        self._lock = threading.Lock()
        self._streams: set[Stream] = set()
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self.looked_at = time.monotonic()  # when the poller last saw the database

    def __len__(self) -> int:
        return len(self._streams)

    def join(self, stream: Stream) -> bool:
        """Take a stream in, and wait until nothing can be missed any more. False: it is full.

        A browser has one stream, and a browser is a session. The one it had before is ended
        now: a tab that was left is noticed only when the next heartbeat fails.
        """
        with self._lock:
            mine = (one for one in self._streams if one.session_key == stream.session_key)
            for old in tuple(mine):
                self._streams.discard(old)
                old.is_superseded = True
                old.end()
            if len(self._streams) >= self.capacity:
                return False
            self._streams.add(stream)
            self._start()
        if self._ready.wait(READY_SECONDS):
            return True
        self.leave(stream)
        return False

    def leave(self, stream: Stream) -> None:
        with self._lock:
            self._streams.discard(stream)

    def end_all(self) -> None:
        """End all streams; the screens reconnect to any process."""
        with self._lock:
            for stream in self._streams:
                stream.end()
            self._streams.clear()

    def _start(self) -> None:
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(
                target=self._poll, args=(self,), name="live-poller", daemon=True
            )
            self._thread.start()

    # What the poller says and asks.

    def is_wanted(self) -> bool:
        """False is final: the next stream starts a new poller."""
        with self._lock:
            if self._streams:
                return True
            self._ready.clear()
            self._thread = None
            return False

    def mark_ready(self) -> None:
        self.looked_at = time.monotonic()
        self._ready.set()

    def publish(self, batch: Reading) -> None:
        """Queue for each screen the messages that its user may see."""
        with self._lock:
            streams = tuple(self._streams)
        for stream in streams:
            lines = [line for line in batch.lines if stream.scope.sees(line)]
            if lines or not batch.complete:
                stream.offer(batch._replace(lines=lines))

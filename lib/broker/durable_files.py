"""Kombu transport in a folder: no server, and no message is lost when a process is killed.

    queues/<queue>/<time>_<id>   a message, locked (flock) for as long as a consumer holds it
    unreadable/<name>            what could not be parsed, kept for a person
    wake                         a FIFO; one byte makes consumers look at once

A message is published by one rename and acknowledged by one unlink. In between it stays where it
is: the kernel releases the locks of a killed consumer, and the next look finds its messages. Local
disks only: network file systems promise neither the rename nor the lock.

A waiting message survives a crash of any process, but it reaches the platter when the kernel sees
fit: one fsync per message took publishing from 8,000 to 300 a second, and after a power cut the
sweep re-offers every row that is due anyway.
"""

import fcntl
import logging
import os
import select
import time
import uuid
from collections import defaultdict, deque
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any, BinaryIO
from urllib.parse import quote

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

# Nobody is woken by a consumer that is killed, or by a publisher that is killed before the byte.
LOOK_SECONDS = 0.5
# A publisher killed between writing and renaming leaves its draft behind.
STALE_DRAFT_SECONDS = 3600.0


class Channel(virtual.Channel):
    """One publisher's or consumer's view of the folder."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        self.root = Path(connection.client.transport_options["folder"])
        self.queues = self.root / "queues"
        self.queues.mkdir(parents=True, exist_ok=True)
        self._held: dict[str, BinaryIO] = {}  # open and locked, by delivery tag
        self._listed: dict[str, deque[str]] = defaultdict(deque)
        _remove_stale_drafts(self.queues)

    # --- Publishing

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        self._new_queue(queue)
        # Zero-padded time first: sorted names are the order of arrival.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}"
        draft = self._folder(queue) / f".{name}"
        draft.write_bytes(dumps(message).encode())
        os.rename(draft, self._folder(queue) / name)
        wake_consumers(self.root)

    # --- Consuming

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        listed = self._listed[queue]
        if not listed:
            listed.extend(self._list(queue))
        while listed:
            if message := self._take(self._folder(queue) / listed.popleft()):
                return message
        raise Empty

    def _list(self, queue: str) -> list[str]:
        """Name what waits, oldest first: neither drafts nor what is held here already."""
        ours = {Path(file.name).name for file in list(self._held.values())}
        with suppress(FileNotFoundError):
            names = os.listdir(self._folder(queue))
            return sorted(name for name in names if name[0] != "." and name not in ours)
        return []

    def _take(self, path: Path) -> dict[str, Any] | None:
        """Lock a message and read it; None if another consumer was quicker."""
        try:
            file = path.open("rb")
        except FileNotFoundError:
            return None
        if _lock(file) and (message := self._read(file)):
            self._held[message["properties"]["delivery_tag"]] = file
            return message
        file.close()
        return None

    def _read(self, file: BinaryIO) -> dict[str, Any] | None:
        try:
            message: dict[str, Any] = loads(file.read())
            message["properties"]["delivery_tag"]
        except (ValueError, KeyError, TypeError):
            name = Path(file.name).name
            logger.error("Set aside an unreadable message, %s", name)
            (self.root / "unreadable").mkdir(exist_ok=True)
            os.rename(file.name, self.root / "unreadable" / name)
            return None
        return message

    # --- Settling

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:  # kombu's signature
        self._drop(delivery_tag)
        super().basic_ack(delivery_tag, multiple)
        wake_consumers(self.root)  # ourselves, if the prefetch limit was reached

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:  # kombu's signature
        super().basic_reject(delivery_tag, requeue)  # releases it, if `requeue`
        self._drop(delivery_tag)
        wake_consumers(self.root)

    def _drop(self, tag: str) -> None:
        if file := self._held.pop(tag, None):
            with file, suppress(FileNotFoundError):  # thrown away with the whole folder
                os.unlink(file.name)

    def _restore(self, message: Any) -> None:
        """Release a message in the place that its name gives it."""
        if file := self._held.pop(message.delivery_tag, None):
            file.close()

    def close(self) -> None:
        super().close()
        while self._held:
            self._held.popitem()[1].close()
        wake_consumers(self.root)

    # --- Queues

    def _folder(self, queue: str) -> Path:
        return self.queues / quote(queue, safe="")

    def _new_queue(self, queue: str, **_: Any) -> None:
        self._folder(queue).mkdir(parents=True, exist_ok=True)

    def _size(self, queue: str) -> int:
        return len(self._list(queue))

    def _purge(self, queue: str) -> int:
        waiting = self._list(queue)
        for name in waiting:
            (self._folder(queue) / name).unlink(missing_ok=True)
        return len(waiting)


def _lock(file: BinaryIO) -> bool:
    """Whether the message is ours now: neither held nor, since we opened it, acknowledged."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return os.fstat(file.fileno()).st_nlink > 0


def _remove_stale_drafts(queues: Path) -> None:
    limit = time.time() - STALE_DRAFT_SECONDS
    for draft in queues.glob("*/.*"):
        with suppress(FileNotFoundError):
            if draft.stat().st_mtime < limit:
                draft.unlink()


def wake_consumers(root: Path) -> None:
    """Write the byte. If no consumer waits, or the FIFO is full, there is nobody to wake."""
    with suppress(OSError), open(root / "wake", "wb", buffering=0, opener=_at_once) as wake:
        wake.write(b".")


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags & ~os.O_CREAT | os.O_NONBLOCK)


def _listen(root: Path) -> BinaryIO:
    """Open the FIFO; for writing too, because without a writer a wait for bytes ends at once."""
    while True:
        try:
            return open(root / "wake", "r+b", 0, opener=_at_once)
        except FileNotFoundError:
            root.mkdir(parents=True, exist_ok=True)
            with suppress(FileExistsError):
                os.mkfifo(root / "wake", 0o600)


class FileTransport(virtual.Transport):
    Channel = Channel
    # A full or unplugged disk is to a worker what a lost connection is: wait and try again.
    connection_errors = (OSError,)
    # No host, and no warning about having none.
    default_connection_params: dict[str, Any] = {}

    def drain_events(self, connection: Any, timeout: float | None = None, **_: Any) -> None:
        """Deliver one message. Listens before it looks, so that none can come in between."""
        ends = time.monotonic() + (float("inf") if timeout is None else timeout)
        with _listen(Path(connection.client.transport_options["folder"])) as wake:
            while True:
                with suppress(Empty):
                    connection.cycle.get(self._deliver, timeout=timeout)
                    return
                left = min(ends - time.monotonic(), LOOK_SECONDS)
                if left <= 0:
                    raise TimeoutError
                if select.select([wake], [], [], left)[0]:
                    wake.read(select.PIPE_BUF)

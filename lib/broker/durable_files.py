"""Kombu transport in a folder: no server, and no message is lost when a process is killed.

    queues/<queue>/<time>_<id>      a message that waits
    held/<consumer>/<queue>/<name>  a message that a consumer holds
    held/<consumer>.lock            locked (flock) for as long as that consumer lives
    unreadable/<name>               what could not be parsed, kept for a person

Every step is one rename or one unlink, so a kill at any moment leaves a message in exactly one
place. Whoever finds a lock free gives back what its owner held. Local disks only: network file
systems promise neither the rename nor the lock.

A waiting message survives a crash of any process, but it reaches the platter when the kernel sees
fit: one fsync per message took publishing from 8,000 to 300 a second, and after a power cut the
sweep re-offers every row that is due anyway. The transport option `fsync` asks for it nevertheless.
"""

import fcntl
import logging
import os
import time
import uuid
from collections import defaultdict, deque
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any
from urllib.parse import quote

from kombu.transport import virtual
from kombu.utils.json import dumps, loads

logger = logging.getLogger(__name__)

# Looking costs a system call: often while messages come, less often (below 1 % of a core) when not.
BUSY_POLL_SECONDS = 0.01
IDLE_POLL_SECONDS = 0.03
BUSY_FOR_SECONDS = 2.0
# How often a running consumer looks for the messages of a killed one.
RECOVERY_SECONDS = 5.0
# A folder's time stamp moves in ticks of some milliseconds: a change in the same tick as our
# listing would not show. A stamp younger than this is not trusted to mean "nothing new".
TICK_SECONDS = 0.1
# A publisher killed between writing and renaming leaves its draft behind.
STALE_DRAFT_SECONDS = 3600.0


class ConsumerFolder:
    """Folder of the messages that one consumer holds; it exists as long as its lock."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths: dict[str, Path] = {}
        self._open()

    def _open(self) -> None:
        self.root.mkdir(parents=True, exist_ok=True)
        self.lock_path, self.lock = self._take_lock()
        self.folder = self.lock_path.with_suffix("")

    def _take_lock(self) -> tuple[Path, int]:
        while True:
            path = self.root / f"{uuid.uuid4().hex}.lock"
            lock = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(lock, fcntl.LOCK_EX)
            if os.fstat(lock).st_nlink:
                return path, lock
            # Another consumer's recovery found the lock before we had it, and removed it.
            os.close(lock)

    def take(self, waiting: Path) -> Path | None:
        """Move a waiting message into our folder; None if another consumer was quicker."""
        if not os.fstat(self.lock).st_nlink:
            # Somebody emptied the folder under us: without its lock nobody would look in there.
            os.close(self.lock)
            self._open()
        held = self.folder / waiting.parent.name / waiting.name
        held.parent.mkdir(parents=True, exist_ok=True)
        try:
            os.rename(waiting, held)
        except FileNotFoundError:
            return None
        return held

    def drop(self, tag: str) -> None:
        if held := self.paths.pop(tag, None):
            held.unlink(missing_ok=True)

    def give_back(self, tag: str, *, queues: Path) -> None:
        """Return a message to the place in the queue that its name gives it."""
        if held := self.paths.pop(tag, None):
            (queues / held.parent.name).mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # thrown away with the whole folder
                os.rename(held, queues / held.parent.name / held.name)

    def close(self, *, queues: Path) -> None:
        """Return the messages that are left and release the lock."""
        _return_messages(self.lock_path, queues=queues)
        os.close(self.lock)


def recover_abandoned(held: Path, *, queues: Path) -> int:
    """Give back what killed consumers held; return how many messages."""
    return sum(_recover_one(lock, queues=queues) for lock in held.glob("*.lock"))


def _recover_one(lock_path: Path, *, queues: Path) -> int:
    try:
        lock = os.open(lock_path, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:
        return 0
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return _return_messages(lock_path, queues=queues)
    except BlockingIOError:
        return 0  # its owner lives
    finally:
        os.close(lock)


def _return_messages(lock_path: Path, *, queues: Path) -> int:
    """The lock goes last: killed anywhere before, the next consumer starts where we stopped."""
    messages = list(lock_path.with_suffix("").glob("*/*"))
    for message in messages:
        (queues / message.parent.name).mkdir(parents=True, exist_ok=True)
        os.rename(message, queues / message.parent.name / message.name)
    for folder in [*lock_path.with_suffix("").glob("*"), lock_path.with_suffix("")]:
        with suppress(FileNotFoundError):
            folder.rmdir()
    lock_path.unlink(missing_ok=True)
    return len(messages)


class Channel(virtual.Channel):
    """One publisher's or consumer's view of the folder."""

    def __init__(self, connection: Any, **kwargs: Any) -> None:
        super().__init__(connection, **kwargs)
        options = connection.client.transport_options
        self.root = Path(options["folder"])
        self.fsync = bool(options.get("fsync"))
        self.queues = self.root / "queues"
        self.queues.mkdir(parents=True, exist_ok=True)
        self._consumer_folder: ConsumerFolder | None = None
        self._folders: dict[str, Path] = {}
        self._listed: dict[str, deque[str]] = defaultdict(deque)
        self._unchanged_since: dict[str, int] = {}
        self._next_recovery = 0.0

    # --- Publishing

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        folder = self._folder(queue)
        # Zero-padded time first: sorted names are the order of arrival.
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}"
        draft = folder / f".{name}"
        try:
            self._write(draft, dumps(message).encode())
        except FileNotFoundError:
            self._new_queue(queue)
            self._write(draft, dumps(message).encode())
        os.rename(draft, folder / name)

    def _write(self, path: Path, body: bytes) -> None:
        with path.open("wb") as file:
            file.write(body)
            if self.fsync:
                file.flush()
                os.fsync(file.fileno())

    # --- Consuming

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        self._recover_now_and_then()
        listed = self._listed[queue]
        if not listed:
            listed.extend(self._list(queue))
        while listed:
            waiting = self._folder(queue) / listed.popleft()
            if (held := self.consumer_folder.take(waiting)) and (message := self._read(held)):
                self.consumer_folder.paths[message["properties"]["delivery_tag"]] = held
                return message
        raise Empty

    @property
    def consumer_folder(self) -> ConsumerFolder:
        if self._consumer_folder is None:
            self._consumer_folder = ConsumerFolder(self.root / "held")
        return self._consumer_folder

    def _list(self, queue: str) -> list[str]:
        """Name what waits, oldest first. An idle poll costs one stat() and no listing."""
        folder = str(self._folder(queue))
        try:
            stamp = os.stat(folder).st_mtime_ns
            if self._unchanged_since.get(queue) == stamp:
                return []
            names = sorted(name for name in os.listdir(folder) if not name.startswith("."))
        except FileNotFoundError:
            return []
        settled = time.time_ns() - stamp > TICK_SECONDS * 1e9
        self._unchanged_since[queue] = stamp if settled and not names else 0
        return names

    def _read(self, held: Path) -> dict[str, Any] | None:
        try:
            message: dict[str, Any] = loads(held.read_bytes())
            message["properties"]["delivery_tag"]
        except (ValueError, KeyError, TypeError):
            logger.error("Set aside an unreadable message, %s", held.name)
            (self.root / "unreadable").mkdir(exist_ok=True)
            os.rename(held, self.root / "unreadable" / held.name)
            return None
        return message

    def _recover_now_and_then(self) -> None:
        if time.monotonic() < self._next_recovery:
            return
        self._next_recovery = time.monotonic() + RECOVERY_SECONDS
        if given_back := recover_abandoned(self.root / "held", queues=self.queues):
            logger.warning("Gave back %d messages of a killed worker", given_back)
        _remove_stale_drafts(self.queues)

    # --- Settling

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:  # kombu's signature
        self.consumer_folder.drop(delivery_tag)
        super().basic_ack(delivery_tag, multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:  # kombu's signature
        super().basic_reject(delivery_tag, requeue)  # requeues it, if `requeue`
        self.consumer_folder.drop(delivery_tag)

    def _restore(self, message: Any) -> None:
        self.consumer_folder.give_back(message.delivery_tag, queues=self.queues)

    def _restore_at_beginning(self, message: Any) -> None:
        self._restore(message)

    def close(self) -> None:
        super().close()
        if self._consumer_folder is not None:
            self._consumer_folder.close(queues=self.queues)
            self._consumer_folder = None

    # --- Queues

    def _folder(self, queue: str) -> Path:
        """Build the path once per queue: this runs many times a second while nothing happens."""
        if queue not in self._folders:
            self._folders[queue] = self.queues / quote(queue, safe="")
        return self._folders[queue]

    def _new_queue(self, queue: str, **_: Any) -> None:
        self._folder(queue).mkdir(parents=True, exist_ok=True)

    def _has_queue(self, queue: str, **_: Any) -> bool:
        return self._folder(queue).is_dir()

    def _size(self, queue: str) -> int:
        return sum(1 for _ in self._folder(queue).glob("[!.]*"))

    def _purge(self, queue: str) -> int:
        waiting = list(self._folder(queue).glob("[!.]*"))
        for message in waiting:
            message.unlink(missing_ok=True)
        return len(waiting)

    def _delete(self, queue: str, *_: Any, **__: Any) -> None:
        self._purge(queue)


def _remove_stale_drafts(queues: Path) -> None:
    limit = time.time() - STALE_DRAFT_SECONDS
    for draft in queues.glob("*/.*"):
        with suppress(FileNotFoundError):
            if draft.stat().st_mtime < limit:
                draft.unlink()


class FileTransport(virtual.Transport):
    Channel = Channel
    polling_interval = IDLE_POLL_SECONDS
    # A full or unplugged disk is to a worker what a lost connection is: wait and try again.
    connection_errors = (OSError,)
    driver_type = "durablefiles"
    driver_name = "durablefiles"

    last_message = 0.0

    # No host, and no warning about having none.
    default_connection_params: dict[str, Any] = {}

    def drain_events(self, connection: Any, timeout: float | None = None, **kwargs: Any) -> None:
        busy = time.monotonic() - self.last_message < BUSY_FOR_SECONDS
        self.polling_interval = BUSY_POLL_SECONDS if busy else IDLE_POLL_SECONDS
        super().drain_events(connection, timeout=timeout, **kwargs)
        self.last_message = time.monotonic()

    def driver_version(self) -> str:
        return "1"

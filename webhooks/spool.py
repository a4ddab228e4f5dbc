"""Deliveries that wait in files until the database takes them.

SQLite has one write lock. On a machine whose processors are busy a worker keeps it for seconds,
longer than the service waits for an answer, and whether a refused event is sent again is up to the
service. The files are on the machine's own disk as that database is, and are flushed as its commits
are. So an event of which one is written may be answered 200 as well.

    <time>_<id>.json     the deliveries of one INSERT, locked (flock) while a process stores them
    .<time>_<id>.json    a draft: nobody was answered 200 because of it
    <time>_<id>.unreadable    what a broken disk has left of one: the deliveries that can be read
                              are stored, and the page of the health shows the file

One that is stored twice, because a process was killed before the unlink, does no harm.
"""

import base64
import fcntl
import json
import logging
import os
import re
import time
import uuid
from collections.abc import Callable, Iterable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, NamedTuple, Self

from django.db import IntegrityError, connection

logger = logging.getLogger(__name__)

STALE_DRAFT_SECONDS = 60.0
UNREADABLE = ".unreadable"
# A delivery as `_spelt` spells it, wherever it stands in a file of which some is broken.
ONE_BODY = re.compile(
    rb'\["[0-9T:.+-]{20,40}", "[A-Za-z0-9+/=]*", "[a-z]{1,8}", (null|[0-9]{1,18})\]'
)


class StoredBody(NamedTuple):
    """What the receiver writes of a delivery."""

    received_at: datetime
    raw: bytes
    slot: str
    connection_id: int | None


class Spool:
    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @classmethod
    def beside_sqlite(cls) -> Self | None:
        """None for a database server: a file on one of its clients is not as safe as its rows."""
        if connection.vendor != "sqlite":
            return None
        return cls(Path(f"{connection.settings_dict['NAME']}-deliveries"))

    def keep(self, bodies: Iterable[StoredBody]) -> bool:
        """Return whether they are on the disk."""
        name = f"{time.time_ns():020d}_{uuid.uuid4().hex}.json"
        try:
            with (self.folder / f".{name}").open("xb") as draft:
                draft.write(json.dumps([_spelt(body) for body in bodies]).encode())
                draft.flush()
                os.fsync(draft.fileno())
            (self.folder / f".{name}").rename(self.folder / name)
            self._flush_names()
        except OSError as error:  # a full disk for instance
            logger.warning("deliveries cannot be kept in a file: %s", type(error).__name__)
            with suppress(OSError):
                (self.folder / f".{name}").unlink()
            return False
        return True

    def waiting(self) -> list[str]:
        """The names of the files, oldest first."""
        names = os.listdir(self.folder)
        return sorted(name for name in names if name[0] != "." and name.endswith(".json"))

    def empty_into(self, insert: Callable[[list[StoredBody]], None]) -> int:
        """Store what waits, a file at a time. Returns how many files; raises what `insert` does."""
        stored = sum(self._store(self.folder / name, insert) for name in self.waiting())
        if stored:
            self._flush_names()
            self._remove_stale_drafts()
        return stored

    def _store(self, path: Path, insert: Callable[[list[StoredBody]], None]) -> bool:
        with suppress(FileNotFoundError, BlockingIOError), path.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.fstat(file.fileno()).st_nlink:  # else another process has stored it just now
                bodies, is_whole = _read(file)
                if bodies:
                    _insert(bodies, insert)
                if is_whole:
                    path.unlink()
                else:  # a broken disk; it keeps no other file waiting
                    logger.error("A file of deliveries cannot be read: %s", path.name)
                    path.rename(path.with_suffix(UNREADABLE))
                return bool(bodies)
        return False

    def _flush_names(self) -> None:
        folder = os.open(self.folder, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)

    def _remove_stale_drafts(self) -> None:
        """Those of killed processes."""
        for draft in self.folder.glob(".*.json"):
            with suppress(FileNotFoundError):
                if time.time() - draft.stat().st_mtime > STALE_DRAFT_SECONDS:
                    draft.unlink()


def _insert(bodies: list[StoredBody], insert: Callable[[list[StoredBody]], None]) -> None:
    try:
        insert(bodies)
    except IntegrityError:  # a connection that was deleted meanwhile: as SET_NULL does
        insert([body._replace(connection_id=None) for body in bodies])


def _read(file: IO[bytes]) -> tuple[list[StoredBody], bool]:
    """Return what can be read of a file, and whether that is all of it."""
    try:
        raw = file.read()
    except OSError:  # a sector that is broken
        return [], False
    try:
        listed = json.loads(raw)
        if not isinstance(listed, list):
            raise TypeError(type(listed))
        return [_body(fields) for fields in listed], True
    except (ValueError, TypeError):
        found = (_body_or_none(match[0]) for match in ONE_BODY.finditer(raw))
        return [body for body in found if body], False


def _body_or_none(text: bytes) -> StoredBody | None:
    with suppress(ValueError, TypeError):
        return _body(json.loads(text))
    return None


def _spelt(body: StoredBody) -> list[str | int | None]:
    raw = base64.b64encode(body.raw).decode()
    return [body.received_at.isoformat(), raw, body.slot, body.connection_id]


def _body(fields: list[str]) -> StoredBody:
    received_at, raw, slot, connection_id = fields
    at = datetime.fromisoformat(received_at).astimezone(UTC)
    raw_bytes = base64.b64decode(raw, validate=True)
    return StoredBody(at, raw_bytes, slot, int(connection_id) if connection_id else None)


def seconds_in_files(now: datetime) -> list[float]:
    """For how long each file of this machine has been waiting, the oldest first."""
    spool = Spool.beside_sqlite()
    names = spool.waiting() if spool else []
    return [now.timestamp() - int(name.partition("_")[0]) / 1e9 for name in names]


def unreadable_files() -> list[Path]:
    """Those of this machine, the oldest first."""
    spool = Spool.beside_sqlite()
    return sorted(spool.folder.glob(f"*{UNREADABLE}")) if spool else []

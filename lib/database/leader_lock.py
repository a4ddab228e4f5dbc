"""One leader among processes that could all do the same: a lock that ends with its holder.

On PostgreSQL it is an advisory lock of a session of its own, so that a killed process, a frozen one
and one behind a cut network all lose it within seconds. What the leader writes, it writes in that
session: whoever has lost the lock cannot write any more. On SQLite all processes are on one
machine, and a locked file does the same.
"""

import fcntl
import zlib
from contextlib import suppress
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from lib.database.own_connection import KEEPALIVE, own_connection

# A leader executes something more often than this; one that does not is frozen or unreachable.
IDLE_SECONDS = 15
SESSION = (
    f"SET idle_session_timeout = '{IDLE_SECONDS}s'",
    "SET tcp_keepalives_idle = 5",
    "SET tcp_keepalives_interval = 2",
    "SET tcp_keepalives_count = 3",
)
IDLE_TIMEOUT_SINCE = 140_000  # PostgreSQL 14


class LeaderLock:
    """The lock of one name. The thread's default connection is the session that holds it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._session: BaseDatabaseWrapper | None = None
        self._file: IO[bytes] | None = None
        self._is_held = False

    def take(self) -> bool:
        """Whether this process leads; it takes the lock if nobody has it. Raises a database error
        when the session has ended."""
        session = self._session or self._open()
        if session.vendor != "postgresql":
            self._is_held = self._is_held or self._lock_file()
        elif self._is_held:
            _execute(session, "SELECT 1")
        else:
            key = zlib.crc32(self._name.encode())
            self._is_held = bool(_execute(session, f"SELECT pg_try_advisory_lock({key})"))
        return self._is_held

    def release(self) -> None:
        """End the session and with it the lock."""
        if self._session is not None:
            with suppress(Error):  # the server ends one that is closed a moment later
                self._unlock(self._session)
            self._session.close()
        self._is_held = False
        if self._file is not None:
            self._file.close()
        self._session = self._file = None

    def _open(self) -> BaseDatabaseWrapper:
        self._session = session = own_connection(postgresql=KEEPALIVE)
        connections[DEFAULT_DB_ALIAS] = session
        session.ensure_connection()
        if session.vendor == "postgresql":
            self._limit_silence(session)
        else:
            # The last offers before a power cut may be lost: they are made once more.
            _execute(session, "PRAGMA synchronous=NORMAL")
        return session

    @staticmethod
    def _limit_silence(session: BaseDatabaseWrapper) -> None:
        version: int = session.pg_version  # type: ignore[attr-defined]  # of PostgreSQL's wrapper
        for statement in SESSION if version >= IDLE_TIMEOUT_SINCE else SESSION[1:]:
            _execute(session, statement)

    def _unlock(self, session: BaseDatabaseWrapper) -> None:
        if self._is_held and session.vendor == "postgresql":
            _execute(session, "SELECT pg_advisory_unlock_all()")

    def _lock_file(self) -> bool:
        self._file = self._file or (Path(settings.VAR_DIR) / f"{self._name}.lock").open("ab")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _execute(session: BaseDatabaseWrapper, statement: str) -> object:
    with session.cursor() as cursor:
        cursor.execute(statement)
        return cursor.fetchone()[0] if cursor.description else None

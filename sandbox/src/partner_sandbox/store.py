"""The one SQLite file: many readers at once, one writer at a time, short transactions."""

import json
import sqlite3
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BUSY_SECONDS = 10
MOST_KEPT_BYTES = 16_000_000


class Store:
    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self._synchronous = "NORMAL" if durable else "OFF"
        self._readers: deque[sqlite3.Connection] = deque()
        self._turn = threading.RLock()
        self._writer = self._connect()
        self._writer.execute("PRAGMA journal_mode=WAL")
        self._depth = 0
        self._kept: tuple[tuple[object, ...], sqlite3.Connection] | None = None

    def _connect(self) -> sqlite3.Connection:
        db = sqlite3.connect(
            self.path, timeout=BUSY_SECONDS, check_same_thread=False, isolation_level=None
        )
        db.row_factory = sqlite3.Row
        db.execute(f"PRAGMA synchronous={self._synchronous}")
        db.execute("PRAGMA cache_size=-8000")
        return db

    @property
    def is_built(self) -> bool:
        with self.reading() as db:
            return bool(db.execute("SELECT 1 FROM sqlite_master WHERE name='setting'").fetchone())

    def create(self) -> None:
        self._writer.executescript((HERE / "schema.sql").read_text())

    def clear(self) -> None:
        """Drop every table; the file and its connections stay."""
        with self.writing() as db:
            names = db.execute(
                "SELECT name FROM sqlite_master WHERE type='table' AND name NOT LIKE 'sqlite_%'"
            ).fetchall()
            for row in names:
                db.execute(f"DROP TABLE {row['name']}")

    def keep(self, key: tuple[object, ...]) -> None:
        """Hold a copy of a small file in memory: to build it again takes half a second."""
        if self.path.stat().st_size > MOST_KEPT_BYTES:
            return
        self._clear_kept()
        self._kept = key, sqlite3.connect(":memory:", check_same_thread=False)
        self._writer.backup(self._kept[1])

    def _clear_kept(self) -> None:
        if self._kept:
            self._kept[1].close()
            self._kept = None

    def restore(self, key: tuple[object, ...]) -> bool:
        """Put back what was kept under this key."""
        if self._kept is None or self._kept[0] != key:
            return False
        self._kept[1].backup(self._writer)
        return True

    def create_indexes(self) -> None:
        self._writer.executescript((HERE / "indexes.sql").read_text())
        self._writer.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._writer.execute("ANALYZE")

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Lend a connection; deque operations are atomic, so no lock is needed."""
        try:
            db = self._readers.pop()
        except IndexError:
            db = self._connect()
        try:
            yield db
        finally:
            self._readers.append(db)

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """One transaction, re-entrant: an inner block joins the outer one."""
        with self._turn:
            if self._depth:
                yield self._writer
                return
            self._writer.execute("BEGIN IMMEDIATE")
            self._depth = 1
            try:
                yield self._writer
            except BaseException:
                self._writer.execute("ROLLBACK")
                raise
            else:
                self._writer.execute("COMMIT")
            finally:
                self._depth = 0

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Keep other writers waiting over several transactions."""
        with self._turn:
            yield

    def setting(self, name: str, default: Any = None) -> Any:
        with self.reading() as db:
            row = db.execute("SELECT value FROM setting WHERE name=?", (name,)).fetchone()
        return default if row is None else json.loads(row["value"])

    def remember(self, name: str, value: Any) -> None:
        with self.writing() as db:
            db.execute("REPLACE INTO setting VALUES (?, ?)", (name, json.dumps(value)))

    def close(self) -> None:
        with self._turn:
            while self._readers:
                self._readers.pop().close()
            self._writer.close()
            self._clear_kept()

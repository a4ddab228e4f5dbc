"""One migrated database per state of the code, copied by whoever needs one.

Every process of every run needs a database. The files stay in var/test, so that a run after a
change of the tests alone has one already.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from django.db import connection, transaction

from tests.environment import VAR_DIR
from tests.processes import ROOT, scratch_environment

Rows = dict[str, list[tuple[Any, ...]]]


@cache
def code_key() -> str:
    """Changes with whatever `migrate` may read: the product's code and its packages."""
    code = hashlib.sha256()
    code.update((ROOT / "requirements.lock").read_bytes())
    for folder in sorted(path.parent for path in ROOT.glob("*/__init__.py")):
        for path in sorted(folder.rglob("*.py")):
            if not {"tests", "testing.py"} & set(path.relative_to(ROOT).parts):
                code.update(path.read_bytes())
    return code.hexdigest()[:16]


def copy_file(target: Path) -> None:
    """Put a migrated SQLite database at `target`, beside those of other processes."""
    for end in ("", "-wal", "-shm", "-journal"):
        target.with_name(target.name + end).unlink(missing_ok=True)
    shutil.copyfile(_file(), target)


def copy_for_tests() -> None:
    """Make this process's test database, and turn the connection to it."""
    name = connection.settings_dict["TEST"]["NAME"]
    if connection.vendor == "sqlite":
        copy_file(Path(name))
    else:
        name = name or f"test_{connection.settings_dict['NAME']}"
        _copy_on_server(name)
    connection.close()
    connection.settings_dict["NAME"] = name


def seed() -> Rows:
    """The rows that a migrated database begins with: kinds of content, rights and roles."""
    found = {}
    with connection.cursor() as cursor:
        for table in connection.introspection.django_table_names(only_existing=True):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  # ours
            if rows := cursor.fetchall():
                found[table] = rows
    return found


def begin_again(rows: Rows) -> None:
    """Empty every table and put these rows back, after a test that has no transaction of its own.

    Django would work all of them out anew from the models, which takes 80 ms a test, and have
    PostgreSQL make new files for every table and index.
    """
    quoted = connection.ops.quote_name
    tables = connection.introspection.django_table_names(only_existing=True, include_views=False)
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # what another thread still writes goes too
            cursor.execute(f"LOCK TABLE {', '.join(map(quoted, tables))}")
        for table in tables:
            cursor.execute(f"DELETE FROM {quoted(table)}")  # noqa: S608  # ours
        for table, found in rows.items():
            places = ", ".join(["%s"] * len(found[0]))
            cursor.executemany(f"INSERT INTO {quoted(table)} VALUES ({places})", found)  # noqa: S608  # ours


def _file() -> Path:
    with _one_at_a_time():
        file = VAR_DIR / f"migrated-{code_key()}.sqlite3"
        if not file.exists():
            for old in VAR_DIR.glob("migrated-*.sqlite3*"):
                old.unlink()
            unfinished = VAR_DIR / "migrated-unfinished.sqlite3"
            _migrate(f"sqlite:///{unfinished}")
            unfinished.rename(file)
    return file


@contextmanager
def _on_server() -> Iterator[tuple[Any, str]]:
    """A cursor and the migrated database's name. PostgreSQL copies one that nobody is connected
    to, so one process at a time.
    """
    template = f"migrated_{code_key()}"
    with _one_at_a_time(), connection._nodb_cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_database WHERE datname = %s", [template])
        if not cursor.fetchone():
            cursor.execute("DROP DATABASE IF EXISTS migrated_unfinished")
            cursor.execute("CREATE DATABASE migrated_unfinished")
            _migrate(os.environ["DATABASE_URL"].rpartition("/")[0] + "/migrated_unfinished")
            cursor.execute(f"ALTER DATABASE migrated_unfinished RENAME TO {template}")
        yield cursor, template


def _copy_on_server(name: str) -> None:
    with _on_server() as (cursor, template):
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}" TEMPLATE {template}')


def _migrate(url: str) -> None:
    environment = scratch_environment(VAR_DIR) | {"DATABASE_URL": url}
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    VAR_DIR.mkdir(parents=True, exist_ok=True)
    with (VAR_DIR / "migrated.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield

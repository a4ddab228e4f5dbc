"""`migrate` alone makes a database complete, the table of the cache included."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.core.management import call_command
from django.db import connection

from tests.migrated import copy_file
from tests.processes import ROOT, scratch_environment

TABLE = "couvert_cache"
IN_DATABASE = {
    "default": {"BACKEND": "django.core.cache.backends.db.DatabaseCache", "LOCATION": TABLE}
}
IN_REDIS = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": "redis://127.0.0.1:1/1",
    }
}
USE_CACHE = """
from django.core.cache import cache
cache.set("word", "kept")
print(cache.get("word"))
"""


def has_table() -> bool:
    return TABLE in connection.introspection.table_names()


def drop_table() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TABLE IF EXISTS {TABLE}")


@contextmanager
def migrated_database(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of a database to which nothing was done but `migrate`, on this flavour.

    The one that all tests copy on SQLite was made by that command, from nothing.
    """
    environment = scratch_environment(folder)
    environment.pop("CACHE_URL", None)  # of the run's Redis
    if connection.vendor == "sqlite":
        copy_file(folder / "migrated.sqlite3")
        yield environment | {"DATABASE_URL": f"sqlite:///{folder}/migrated.sqlite3"}
        return
    name = f"{connection.settings_dict['NAME']}_empty"
    with connection._nodb_cursor() as cursor:
        cursor.execute(f'DROP DATABASE IF EXISTS "{name}"')
        cursor.execute(f'CREATE DATABASE "{name}"')
        try:
            address = urlsplit(environment["DATABASE_URL"])._replace(path=f"/{name}")
            environment["DATABASE_URL"] = address.geturl()
            manage("migrate", environment=environment)
            yield environment
        finally:
            cursor.execute(f'DROP DATABASE "{name}"')


def manage(*words: str, environment: dict[str, str]) -> str:
    command = [sys.executable, "manage.py", *words, "--verbosity", "0"]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_it_works_on_an_empty_database(tmp_path):
    with migrated_database(tmp_path) as environment:
        assert manage("shell", "-c", USE_CACHE, environment=environment).strip() == "kept"


@pytest.mark.django_db
def test_migrating_twice_changes_nothing(settings):
    settings.CACHES = IN_DATABASE
    drop_table()

    call_command("migrate", verbosity=0)
    call_command("migrate", verbosity=0)

    assert has_table()


@pytest.mark.django_db
def test_a_cache_in_redis_gets_no_table(settings):
    settings.CACHES = IN_REDIS
    drop_table()

    call_command("migrate", verbosity=0)

    assert not has_table()

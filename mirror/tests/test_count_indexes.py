"""SQLite knows how large its indexes are."""

import pytest
from django.core.management import call_command
from django.db import connection

from mirror import tasks
from restaurants.models import Restaurant

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL counts by itself"),
    pytest.mark.django_db,
]


def counted(table: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT stat FROM sqlite_stat1 WHERE tbl = %s", [table])
        return [int(stat.split()[0]) for (stat,) in cursor.fetchall()]


def test_it_works(cast):
    tasks.count_indexes()

    assert set(counted(Restaurant._meta.db_table)) == {Restaurant.objects.count()}


def test_an_upgrade_counts_them(cast):
    call_command("migrate", verbosity=0)

    assert set(counted(Restaurant._meta.db_table)) == {Restaurant.objects.count()}

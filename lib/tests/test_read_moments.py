"""Moments come back from the database as they went in, in UTC."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from django.contrib.auth import get_user_model
from django.db import DataError, connection

User = get_user_model()

pytestmark = pytest.mark.django_db

MOMENTS = [
    datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
    datetime(2026, 10, 25, 0, 30, 0, 1, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(2026, 11, 22, 19, 30, 0, 500_000, tzinfo=timezone(timedelta(hours=5, minutes=30))),
    datetime.min.replace(tzinfo=UTC),
    datetime.max.replace(tzinfo=UTC),
]


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_they_are_the_same(moment):
    User.objects.create_user("ann@example.org", last_login=moment)

    found = User.objects.values_list("last_login", flat=True).get()

    assert found == moment
    assert found.tzinfo is UTC


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps no zones")
class TestOfPostgres:
    def read(self, spelled):
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s::timestamptz", [spelled])
            return cursor.fetchone()[0]

    def test_a_connection_elsewhere_tells_the_same_moment(self):
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL TIME ZONE 'Asia/Kolkata'")

        assert self.read("2026-11-22 20:00+00") == datetime(2026, 11, 22, 20, tzinfo=UTC)

    def test_what_no_calendar_has_is_refused_as_before(self):
        with pytest.raises(DataError):
            self.read("infinity")

"""A machine whose clock differs from that of a database elsewhere does not work beside others."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from mirror.health import clocks
from mirror.processes import clock_agreement

pytestmark = pytest.mark.django_db

ELSEWHERE = {"HOST": "db1,db2"}
on_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has no clock of its own."
)


def test_clocks_that_agree_are_right(settings):
    settings.DATABASE_DIRECT = ELSEWHERE

    assert not clock_agreement.is_clock_wrong()


@on_postgresql
@pytest.mark.parametrize("minutes", [5, -5])
def test_a_clock_that_differs_is_wrong(settings, time_machine, minutes):
    settings.DATABASE_DIRECT = ELSEWHERE
    time_machine.move_to(datetime.now(UTC) + timedelta(minutes=minutes))

    assert clock_agreement.is_clock_wrong()
    assert abs(clocks.seconds_apart() - minutes * 60) < 5


@on_postgresql
@pytest.mark.parametrize("host", ["", "127.0.0.1", "localhost", "/run/postgresql"])
def test_a_database_on_this_machine_has_its_clock(settings, time_machine, host):
    settings.DATABASE_DIRECT = {"HOST": host}
    time_machine.move_to(datetime.now(UTC) + timedelta(minutes=5))

    assert not clock_agreement.is_clock_wrong()

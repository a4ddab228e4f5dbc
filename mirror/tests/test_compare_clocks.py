"""A machine whose clock differs from the database's is reported."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from mirror.health import clocks
from mirror.health.sections import GOOD, LATE
from mirror.processes import clock_agreement

pytestmark = pytest.mark.django_db


def test_clocks_that_agree_are_good():
    assert clocks.section(datetime.now(UTC)).state == GOOD


@pytest.mark.parametrize("apart", [-4.0, 4.0, -6.0, 6.0, 20.0, -3600.0])
def test_a_machine_that_takes_no_work_is_never_called_right(apart, monkeypatch):
    """The page of its health, and whether it may work, are decided by one limit."""
    monkeypatch.setattr(clocks, "seconds_apart", lambda: apart)
    monkeypatch.setattr(clock_agreement, "seconds_apart", lambda: apart)
    monkeypatch.setattr(clock_agreement, "is_database_elsewhere", lambda: True)

    is_reported = clocks.section(datetime.now(UTC)).state == LATE

    assert is_reported is clock_agreement.is_clock_wrong() is (abs(apart) > 5)


@pytest.mark.parametrize("apart", [timedelta(seconds=40), timedelta(hours=-1), timedelta(days=500)])
def test_clocks_that_differ_are_reported(apart, time_machine):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no clock of its own.")
    time_machine.move_to(datetime.now(UTC) + apart)

    section = clocks.section(datetime.now(UTC))

    assert section.state == LATE
    assert "differ by" in section.sentence

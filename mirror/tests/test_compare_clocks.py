"""A machine whose clock differs from the database's is reported."""

from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from mirror.health import clocks
from mirror.health.sections import GOOD, LATE

pytestmark = pytest.mark.django_db


def test_clocks_that_agree_are_good():
    assert clocks.section(datetime.now(UTC)).state == GOOD


@pytest.mark.parametrize("apart", [timedelta(seconds=40), timedelta(hours=-1), timedelta(days=500)])
def test_clocks_that_differ_are_reported(apart, time_machine):
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has no clock of its own.")
    time_machine.move_to(datetime.now(UTC) + apart)

    section = clocks.section(datetime.now(UTC))

    assert section.state == LATE
    assert "differ by" in section.sentence

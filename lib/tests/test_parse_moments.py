"""Moments in texts: the forms that services write, and years that no calendar here expresses."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from lib.moments import parse_moment

ENDS_OF_THE_WORLD = (timezone(timedelta(hours=-14)), UTC, timezone(timedelta(hours=14)))


@pytest.mark.parametrize(
    "text", ["2026-12-04T20:15:00+01:00", "20261204T191500Z", "2026-12-04t20:15:00+01"]
)
def test_it_works(text):
    assert parse_moment(text) == datetime(2026, 12, 4, 19, 15, tzinfo=UTC)


@pytest.mark.parametrize("year", ["1900", "2026", "2200"])
def test_a_year_of_people_is_read(year):
    assert parse_moment(f"{year}-06-01T20:15:00+01:00") is not None


@pytest.mark.parametrize("offset", ["", "Z", "-12:00", "+14:00"])
@pytest.mark.parametrize("year", ["0001", "0002", "1899", "1900", "2200", "2201", "9999"])
@pytest.mark.parametrize("rest", ["-01-01T00:00:00", "-12-31T23:59:59", "-12-31T24:00:00"])
def test_whatever_is_read_can_be_shown_in_every_zone(year, rest, offset):
    moment = parse_moment(f"{year}{rest}{offset}")

    for zone in ENDS_OF_THE_WORLD:
        assert moment is None or moment.replace(tzinfo=moment.tzinfo or zone).astimezone(zone)

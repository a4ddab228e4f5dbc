"""To which day an instant belongs, also in the nights when the clocks change."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from restaurants.models import Restaurant

NIGHT_OF_23_HOURS = date(2026, 3, 28)  # Europe/Paris: 02:00 becomes 03:00 on the 29th
NIGHT_OF_25_HOURS = date(2026, 10, 24)  # Europe/Paris: 03:00 becomes 02:00 on the 25th


def restaurant(zone: str = "Europe/Paris", day_start: time = time(4)) -> Restaurant:
    return Restaurant(timezone=zone, day_start=day_start)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


class TestServiceDay:
    def test_it_works(self):
        assert restaurant().service_day(utc("2026-06-12T18:00")) == date(2026, 6, 12)

    def test_half_past_midnight_belongs_to_yesterday(self):
        assert restaurant().service_day(utc("2026-06-12T22:30")) == date(2026, 6, 12)

    def test_the_day_turns_at_the_day_start(self):
        paris = restaurant()

        assert paris.service_day(utc("2026-06-13T01:59:59")) == date(2026, 6, 12)
        assert paris.service_day(utc("2026-06-13T02:00")) == date(2026, 6, 13)

    def test_it_knows_half_hours_from_utc(self):
        kolkata = restaurant("Asia/Kolkata")

        assert kolkata.local(utc("2026-06-12T19:00")).strftime("%H:%M") == "00:30"
        assert kolkata.service_day(utc("2026-06-12T19:00")) == date(2026, 6, 12)
        assert kolkata.service_day(utc("2026-06-12T22:29")) == date(2026, 6, 12)
        assert kolkata.service_day(utc("2026-06-12T22:30")) == date(2026, 6, 13)

    @pytest.mark.parametrize(
        ("instant", "day"),
        [
            ("2026-03-28T23:30", 28),  # 00:30
            ("2026-03-29T00:59", 28),  # 01:59, the last minute of winter
            ("2026-03-29T01:00", 28),  # 03:00, the first of summer
            ("2026-03-29T01:59", 28),  # 03:59
            ("2026-03-29T02:00", 29),  # 04:00
        ],
    )
    def test_it_survives_the_short_night(self, instant, day):
        assert restaurant().service_day(utc(instant)) == date(2026, 3, day)

    @pytest.mark.parametrize(
        ("instant", "day"),
        [
            ("2026-10-24T22:30", 24),  # 00:30
            ("2026-10-25T00:30", 24),  # 02:30, the first time
            ("2026-10-25T01:30", 24),  # 02:30, the second time
            ("2026-10-25T02:59", 24),  # 03:59
            ("2026-10-25T03:00", 25),  # 04:00
        ],
    )
    def test_it_survives_the_long_night(self, instant, day):
        assert restaurant().service_day(utc(instant)) == date(2026, 10, day)

    @pytest.mark.parametrize("night", [NIGHT_OF_23_HOURS, NIGHT_OF_25_HOURS])
    @pytest.mark.parametrize("start", [time(0), time(2, 30), time(4)])
    def test_it_never_runs_backwards(self, night, start):
        paris = restaurant(day_start=start)
        midnight = datetime.combine(night, time(20), tzinfo=UTC)
        quarters = [midnight + timedelta(minutes=15 * step) for step in range(48)]

        days = [paris.service_day(instant) for instant in quarters]

        assert days == sorted(days)

    @pytest.mark.parametrize("night", [NIGHT_OF_23_HOURS, NIGHT_OF_25_HOURS])
    @pytest.mark.parametrize("start", [time(0), time(2, 30), time(4)])
    def test_it_agrees_with_the_bounds(self, night, start):
        paris = restaurant(day_start=start)
        first, last = paris.day_bounds(night)

        assert paris.service_day(first) == night
        assert paris.service_day(last - timedelta(seconds=1)) == night
        assert paris.service_day(last) == night + timedelta(days=1)


class TestDayBounds:
    def test_it_works(self):
        assert restaurant().day_bounds(date(2026, 6, 12)) == (
            utc("2026-06-12T02:00"),
            utc("2026-06-13T02:00"),
        )

    def test_a_day_has_23_or_25_hours_when_the_clocks_change(self):
        first, last = restaurant().day_bounds(NIGHT_OF_23_HOURS)
        assert last - first == timedelta(hours=23)

        first, last = restaurant().day_bounds(NIGHT_OF_25_HOURS)
        assert last - first == timedelta(hours=25)

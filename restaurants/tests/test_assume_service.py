"""Service periods and stay lengths, which an admin sets because the API has none."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
from django.db import IntegrityError

from restaurants.models import Restaurant

MONDAY = date(2026, 6, 15)


class TestServicePeriods:
    def test_it_works(self, quay):
        changed = quay.set_service_periods([(0, "Dinner", time(19), time(23))])

        assert changed
        assert [str(period) for period in quay.service_periods.all()] == ["Dinner 19:00–23:00"]

    def test_it_says_when_nothing_changed(self, quay):
        quay.set_service_periods([(0, "Dinner", time(19), time(23))])

        assert not quay.set_service_periods([(0, "Dinner", time(19), time(23))])

    def test_it_drops_what_is_no_longer_wanted(self, quay):
        quay.set_service_periods([(0, "Lunch", time(12), time(15))])

        quay.set_service_periods([(0, "Dinner", time(19), time(23))])

        assert [period.name for period in quay.service_periods.all()] == ["Dinner"]

    def test_the_database_refuses_an_empty_period(self, quay):
        with pytest.raises(IntegrityError):
            quay.service_periods.create(weekday=0, name="Never", start=time(12), end=time(12))

    def test_it_may_pass_midnight(self, quay):
        period = quay.service_periods.create(
            weekday=0, name="Night", start=time(22), end=time(1, 30)
        )

        assert period.bounds_on(MONDAY) == (
            datetime(2026, 6, 15, 20, 0, tzinfo=UTC),
            datetime(2026, 6, 15, 23, 30, tzinfo=UTC),
        )

    def test_it_may_start_after_midnight(self, quay):
        period = quay.service_periods.create(weekday=0, name="Late", start=time(1), end=time(3))

        assert period.bounds_on(MONDAY) == (
            datetime(2026, 6, 15, 23, 0, tzinfo=UTC),
            datetime(2026, 6, 16, 1, 0, tzinfo=UTC),
        )


@pytest.mark.parametrize(
    ("party_size", "minutes"),
    [(None, 90), (1, 90), (2, 90), (3, 105), (4, 105), (5, 120), (6, 120), (7, 150), (40, 150)],
)
def test_a_larger_party_stays_longer(party_size, minutes):
    assert Restaurant().stay(party_size) == timedelta(minutes=minutes)

"""Forecasts are trained once a night from the copy's own bookings, and stored."""

from datetime import UTC, date, datetime, timedelta

import numpy as np
import pytest
from django.db.models import F

from insights.expected import training
from insights.expected.models import ExpectedService, ForecastRun, PastForecast
from insights.expected.reading import bookings_by_service
from insights.expected.testing import fill
from insights.forecast.history import NEVER
from mirror.models import Change, Job
from partner.models import Connection
from reservations.models import Reservation
from reservations.testing import make_reservation
from restaurants.models import Group, Restaurant

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 6, 17, 10, tzinfo=UTC)
TODAY = date(2026, 6, 17)
DAY = timedelta(days=1)


def run_of(restaurant: Restaurant) -> ForecastRun:
    return ForecastRun.objects.get(restaurant=restaurant)


def expected(restaurant: Restaurant) -> list[tuple[date, int, int, int]]:
    held = ExpectedService.objects.filter(restaurant=restaurant).order_by("day", "service")
    return list(held.values_list("day", "covers", "lower", "upper"))


def test_it_works(quay):
    fill(quay, now=NOW, weeks=10)

    training.train_due(now=NOW)

    found = expected(quay)
    assert [day for day, *_covers in found] == [TODAY + n * DAY for n in range(28)]
    assert all(lower <= covers <= upper for _day, covers, lower, upper in found)
    assert {one.service for one in ExpectedService.objects.all()} == {"evening"}
    assert run_of(quay).morning == TODAY


def test_it_is_done_once_a_night(quay):
    fill(quay, now=NOW, weeks=7)
    training.train_due(now=NOW)

    assert training.train_due(now=NOW + timedelta(minutes=30)) == 0
    training.train_due(now=NOW + timedelta(hours=15))
    assert run_of(quay).morning == TODAY
    training.train_due(now=NOW + timedelta(hours=16))  # 04:00 in Paris
    assert run_of(quay).morning == TODAY + DAY


def test_no_shows_are_expected_only_where_arrivals_are_marked(quay):
    fill(quay, now=NOW, weeks=10)
    training.train_due(now=NOW)
    assert ExpectedService.objects.filter(no_shows=None).count() == 28

    Reservation.objects.filter(service_day__lt=TODAY).update(meal_status="LEFT")
    training.train_restaurant(quay, now=NOW)

    found = ExpectedService.objects.filter(no_shows__gt=0, no_shows__lt=F("covers"))
    assert found.filter(missed_before__gt=0, came_before__gt=F("missed_before")).count() == 28


def test_too_little_history_is_no_forecast(quay):
    fill(quay, now=NOW, weeks=3)
    training.train_due(now=NOW)

    assert run_of(quay).too_early == {"evening": 3}
    assert expected(quay) == []


def test_what_was_booked_or_happened_later_changes_nothing(quay):
    """Only what was known when the service day began."""
    fill(quay, now=NOW, weeks=8)
    training.train_due(now=NOW)
    before = expected(quay)
    for days in range(1, 20):
        late = {"created_at": NOW - timedelta(hours=1), "party_size": 40}
        make_reservation(quay, meal_at=NOW + days * DAY, **late)
    today = Reservation.objects.filter(service_day=TODAY, status="RECORDED")
    today.update(status="CANCELED", updated_at=NOW)

    training.train_restaurant(quay, now=NOW + timedelta(minutes=5))

    assert expected(quay) == before


def test_older_days_that_were_read_since_are_learnt_from_at_once(quay):
    fill(quay, now=NOW, weeks=3)
    training.train_due(now=NOW)
    fill(quay, now=NOW - timedelta(weeks=4), weeks=8)
    later = NOW + timedelta(hours=1)
    Job.objects.create(
        purpose=Job.Purpose.BACKFILL, since=TODAY, until=TODAY, started_at=NOW, ended_at=later
    )

    training.train_due(now=later + timedelta(minutes=1))

    assert len(expected(quay)) == 28


def test_older_days_of_another_account_train_nothing_again(quay, cellar):
    accounts = [Connection.objects.create(name=name, client_id=name) for name in ("one", "two")]
    for place, account in zip((quay, cellar), accounts, strict=True):
        Group.objects.filter(pk=place.group_id).update(connection=account)
    training.train_due(now=NOW)
    read = {"since": TODAY, "until": TODAY, "started_at": NOW, "ended_at": NOW + DAY / 24}
    Job.objects.create(purpose=Job.Purpose.BACKFILL, connection=accounts[1], **read)

    assert training.train_due(now=NOW + DAY / 12) == 1
    assert [run_of(place).made_at for place in (quay, cellar)] == [NOW, NOW + DAY / 12]


def test_a_killed_worker_is_followed_by_another_that_does_the_rest(quay, loft, cellar):
    died_over = ForecastRun.objects.create(restaurant=quay, lease_until=NOW + training.LEASE)

    assert training.train_due(now=NOW) == 2
    died_over.refresh_from_db()
    assert died_over.morning is None
    assert training.train_due(now=NOW + training.LEASE + timedelta(minutes=1)) == 1
    assert run_of(quay).morning == TODAY


def test_the_forecasts_of_today_are_kept_and_earlier_ones_are_worked_out(quay):
    fill(quay, now=NOW, weeks=12)
    training.train_due(now=NOW)

    made = PastForecast.objects.filter(is_walk=False)
    assert {(one.horizon, one.day) for one in made} == {
        (horizon, TODAY + (horizon - 1) * DAY) for horizon in (1, 3, 7, 14)
    }
    walked = PastForecast.objects.filter(is_walk=True)
    assert walked.filter(horizon=1).count() == 6 * 7
    assert not walked.filter(day__gte=TODAY).exists()


def test_one_that_was_made_stands_before_one_worked_out(quay):
    fill(quay, now=NOW, weeks=8)
    training.train_due(now=NOW)
    PastForecast.objects.filter(horizon=1, is_walk=False).update(covers=999)

    training.train_due(now=NOW + DAY)

    [kept] = PastForecast.objects.filter(horizon=1, day=TODAY)
    assert (kept.covers, kept.is_walk) == (999, False)


class TestReading:
    def test_it_works(self, quay):
        created = NOW - 3 * DAY
        make_reservation(quay, meal_at=NOW, created_at=created, party_size=5)
        [found] = bookings_by_service(quay, today=TODAY).values()

        assert found.covers.tolist() == [5]
        assert found.day.tolist() == [TODAY.toordinal()]
        assert found.created.tolist() == [(TODAY - 3 * DAY).toordinal()]
        assert found.cancelled.tolist() == [NEVER]

    def test_a_day_begins_when_the_restaurants_does(self, quay):
        night = datetime(2026, 6, 17, 1, 30, tzinfo=UTC)  # 03:30 in Paris
        make_reservation(quay, meal_at=NOW, created_at=night)
        make_reservation(quay, meal_at=NOW, created_at=night + timedelta(hours=1))
        make_reservation(quay, meal_at=NOW, created_at=None)
        [found] = bookings_by_service(quay, today=TODAY).values()

        today = TODAY.toordinal()
        assert sorted(found.created.tolist()) == [today - 1, today, NEVER]

    def test_a_cancellation_happened_when_it_was_read_or_earlier(self, quay):
        one = make_reservation(
            quay, meal_at=NOW, created_at=NOW - 9 * DAY, status="CANCELED", updated_at=NOW
        )
        Change.objects.create(
            kind="reservation", uuid=one.uuid, version=2, seen_at=NOW - 2 * DAY,
            field="status", before="RECORDED", after="CANCELED",
        )  # fmt: skip
        [found] = bookings_by_service(quay, today=TODAY).values()

        assert found.cancelled.tolist() == [(TODAY - 2 * DAY).toordinal()]

    def test_requests_and_deleted_bookings_are_left_out(self, quay):
        make_reservation(quay, meal_at=NOW, status="REQUESTED")
        make_reservation(quay, meal_at=NOW, status="REFUSED")
        make_reservation(quay, meal_at=NOW, presence="gone")

        assert bookings_by_service(quay, today=TODAY) == {}

    def test_it_does_not_depend_on_how_the_database_orders_rows(self, quay):
        for size in (2, 3, 4):
            make_reservation(quay, meal_at=NOW, party_size=size, created_at=NOW - size * DAY)
        [found] = bookings_by_service(quay, today=TODAY).values()

        assert np.array_equal(found.day - found.created, found.covers)

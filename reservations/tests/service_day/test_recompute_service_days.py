"""Bookings of a restaurant whose clock was corrected stand on the days of the new clock."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine

from live.models import Announcement
from mirror import service_days
from mirror.queue.store import EVERYTHING
from reservations.models import Reservation
from reservations.service_day import recompute
from reservations.testing import DINNER, make_reservation
from restaurants.models import Restaurant
from restaurants.service_days import recompute_corrected
from restaurants.testing import sign_in

BEFORE_DINNER = DINNER - timedelta(hours=4)


@pytest.fixture
def correct(quay):
    """Change the clock of the Quay, as an admin would, and recompute."""
    recompute_corrected(now=DINNER)

    def correct(**fields) -> int:
        Restaurant.objects.filter(pk=quay.pk).update(**fields)
        return recompute_corrected(now=DINNER)

    return correct


def place_of(row):
    row = Reservation.objects.get(pk=row.pk)
    return row.service_day, row.local_minutes


def test_it_works(quay, correct):
    row = make_reservation(quay)
    moved = correct(timezone="America/New_York")

    assert moved == 1
    assert place_of(row) == (date(2026, 1, 17), 14 * 60)


def test_a_later_day_start_takes_the_small_hours_along(quay, correct):
    row = make_reservation(quay, meal_at=datetime(2026, 1, 18, 4, 30, tzinfo=UTC))
    assert place_of(row)[0] == date(2026, 1, 18)
    correct(day_start=time(6))

    assert place_of(row) == (date(2026, 1, 17), 29 * 60 + 30)


def test_other_restaurants_stay_where_they_are(loft, correct):
    row = make_reservation(loft)
    correct(timezone="Asia/Kolkata")

    assert place_of(row) == (date(2026, 1, 17), 14 * 60)


def test_a_booking_without_a_time_stays_without_a_day(quay, correct):
    row = make_reservation(quay, meal_at=None)

    assert correct(timezone="Asia/Kolkata") == 0
    assert place_of(row) == (None, None)


def test_doing_it_twice_changes_nothing(quay, correct):
    make_reservation(quay)
    correct(timezone="Asia/Kolkata")

    assert recompute.recompute_service_days(Restaurant.objects.get(pk=quay.pk)) == 0


def test_many_are_moved_in_slices(quay, correct, monkeypatch):
    monkeypatch.setattr(service_days, "SLICE", 2)
    for _number in range(5):
        make_reservation(quay)

    assert correct(timezone="Asia/Kolkata") == 5


def test_the_rest_of_the_row_is_left_alone(quay, correct):
    row = make_reservation(quay, raw='{"a": 1}', restaurant_note="Window", version=7)
    correct(timezone="Asia/Kolkata")
    after = Reservation.objects.get(pk=row.pk)

    assert (after.raw, after.restaurant_note, after.version) == ('{"a": 1}', "Window", 7)


def test_open_screens_are_notified(quay, correct):
    make_reservation(quay)
    correct(timezone="Asia/Kolkata")
    line = Announcement.objects.get(kind="reservation")

    assert (line.uuid, line.restaurant_id) == (EVERYTHING, quay.pk)


def test_the_board_shows_the_new_time(bob, quay, correct):
    make_reservation(quay)
    with time_machine.travel(BEFORE_DINNER, tick=False):
        client = sign_in(bob)
        before = client.get("/", {"zoom": "list", "day": "2026-01-17"}).content.decode()
        correct(timezone="Europe/London")
        after = client.get("/", {"zoom": "list", "day": "2026-01-17"}).content.decode()

    assert "20:00, 2 people" in before
    assert "19:00, 2 people" in after

"""Under which service day and local time a booking is filed, and who may see it."""

from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest

from customers.testing import make_customer
from reservations.models import Reservation
from reservations.service_day.bookings import (
    marking_restaurants,
    measure_arrival_tracking,
    measured_restaurants,
)
from reservations.testing import DINNER, make_reservation, new_reservation
from restaurants.testing import make_restaurant


def test_it_works(quay):
    row = make_reservation(quay)

    assert row.service_day == date(2026, 1, 17)
    assert row.meal_local == datetime(2026, 1, 17, 20)  # noqa: DTZ001  # a local time


def test_half_past_midnight_belongs_to_the_evening_before(quay):
    row = make_reservation(quay, meal_at=datetime(2026, 1, 17, 23, 30, tzinfo=UTC))

    assert row.service_day == date(2026, 1, 17)
    assert row.local_minutes == 24 * 60 + 30
    assert row.meal_local == datetime(2026, 1, 18, 0, 30)  # noqa: DTZ001  # a local time


def test_the_day_rolls_over_at_the_restaurants_own_hour(quay):
    quay.day_start = time(6)
    row = new_reservation(quay, meal_at=datetime(2026, 1, 18, 4, 30, tzinfo=UTC))

    assert row.service_day == date(2026, 1, 17)


def test_each_restaurant_has_its_own_local_time(quay, loft):
    here, there = make_reservation(quay), make_reservation(loft)

    assert (here.local_minutes, there.local_minutes) == (20 * 60, 14 * 60)


def test_half_hour_zones_are_filed_to_the_minute(harbour):
    mumbai = make_restaurant(harbour, "Fort", timezone="Asia/Kolkata")

    assert new_reservation(mumbai).local_minutes == 24 * 60 + 30


@pytest.mark.parametrize(
    ("offset", "minutes"), [(2, 26 * 60 + 30), (1, 26 * 60 + 30)], ids=["first", "second"]
)
def test_the_hour_that_happens_twice_is_one_local_time(quay, offset, minutes):
    """In the night to 25 October 2026 the Paris clock shows 02:30 twice."""
    zone = timezone(timedelta(hours=offset))
    row = new_reservation(quay, meal_at=datetime(2026, 10, 25, 2, 30, tzinfo=zone))

    assert (row.service_day, row.local_minutes) == (date(2026, 10, 24), minutes)


def test_the_hour_that_never_happens_is_skipped(quay):
    """In the night to 29 March 2026 the Paris clock jumps from 02:00 to 03:00."""
    row = new_reservation(quay, meal_at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC))

    assert (row.service_day, row.local_minutes) == (date(2026, 3, 28), 27 * 60 + 30)


def test_a_booking_without_a_time_is_on_no_day(quay):
    row = make_reservation(quay, meal_at=None)

    assert row.service_day is None
    assert row.meal_local is None


class TestReach:
    def test_it_works(self, alice, quay, loft):
        make_reservation(quay)
        make_reservation(loft)

        assert Reservation.objects.visible_to(alice).count() == 2

    def test_staff_of_one_restaurant_see_that_one(self, bob, quay, loft):
        mine = make_reservation(quay)
        make_reservation(loft)

        assert list(Reservation.objects.visible_to(bob)) == [mine]

    def test_it_hides_other_groups(self, charlie, quay):
        make_reservation(quay)

        assert not Reservation.objects.visible_to(charlie).exists()


class TestGuests:
    def test_they_come_with_the_rows(self, quay, harbour, django_assert_num_queries):
        make_reservation(quay, customer=make_customer(harbour))
        make_reservation(quay, meal_at=DINNER, customer=None)

        with django_assert_num_queries(1):
            names = [str(row.customer) for row in Reservation.objects.with_guests()]

        assert sorted(names) == ["Maria Rossi", "None"]

    def test_a_guest_who_has_not_arrived_yet_is_missing(self, quay, harbour):
        make_reservation(quay, customer_id=make_customer(harbour).uuid)
        harbour.customers.all().delete()

        assert Reservation.objects.with_guests().get().customer is None


class TestArrivalTracking:
    def test_it_works(self, quay, loft):
        for restaurant, word in ((quay, "LEFT"), (loft, "")):
            make_reservation(restaurant, meal_status=word)
        measure_arrival_tracking(now=DINNER + timedelta(days=2))

        assert measured_restaurants([quay.pk, loft.pk]) == {quay.pk: True, loft.pk: False}

    def test_measuring_again_replaces_what_was_known(self, quay):
        row = make_reservation(quay)
        measure_arrival_tracking(now=DINNER + timedelta(days=2))
        Reservation.objects.filter(pk=row.pk).update(meal_status="SEATED")
        measure_arrival_tracking(now=DINNER + timedelta(days=2))

        assert measured_restaurants([quay.pk]) == {quay.pk: True}

    def test_a_restaurant_that_was_just_read_is_measured_at_once(self, quay, loft):
        make_reservation(quay, meal_status="LEFT")
        known = marking_restaurants([quay.pk, loft.pk], now=DINNER + timedelta(days=2))

        assert known == {quay.pk: True}

    def test_walk_ins_do_not_count(self, quay):
        """They are marked by being entered, and the insights leave them out as well."""
        make_reservation(quay)
        make_reservation(quay, meal_status="SEATED", reservation_channel="Walk-in")
        measure_arrival_tracking(now=DINNER + timedelta(days=2))

        assert measured_restaurants([quay.pk]) == {quay.pk: False}

    def test_old_evenings_are_forgotten(self, quay):
        make_reservation(quay)

        assert measure_arrival_tracking(now=DINNER + timedelta(days=60)) == 0

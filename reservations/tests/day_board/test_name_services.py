"""Lunch and dinner under the histogram: as an admin set them, else as the arrivals suggest."""

from datetime import UTC, date, datetime, time, timedelta

import pytest
import time_machine

from reservations.service_day.day import ServiceDay
from reservations.service_day.services import services_of
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

SATURDAY, DAY = 5, date(2026, 1, 17)
NOW = DINNER - timedelta(hours=10)


@pytest.fixture(autouse=True)
def _morning():
    with time_machine.travel(NOW, tick=False):
        yield


def labels(*restaurants, day=DAY):
    return [one.label for one in services_of(ServiceDay(list(restaurants), day, now=NOW))]


def book(restaurant, *, hours, covers=2):
    make_reservation(restaurant, meal_at=DINNER + timedelta(hours=hours), party_size=covers)


def page_of(user, **params):
    return sign_in(user).get("/", {"zoom": "list", **params}).content.decode()


class TestAsSet:
    def test_it_works(self, bob, quay):
        quay.set_service_periods([(SATURDAY, "Dîner", time(19), time(23))])
        book(quay, hours=0)

        assert labels(quay) == ["Dîner 19:00–23:00"]
        assert "Dîner 19:00–23:00" in page_of(bob)

    def test_another_weekday_has_its_own(self, quay):
        quay.set_service_periods([(SATURDAY, "Dinner", time(19), time(23))])

        assert labels(quay, day=date(2026, 1, 18)) == []

    def test_it_may_pass_midnight(self, quay):
        quay.set_service_periods([(SATURDAY, "Night", time(22), time(1, 30))])

        assert [one.span for one in services_of(ServiceDay([quay], DAY, now=NOW))] == ["1320-1530"]


class TestAsItLooks:
    def test_a_gap_of_ninety_minutes_parts_two_services(self, bob, quay):
        for hours in (-7, -6.5, 0, 1):
            book(quay, hours=hours)

        assert labels(quay) == [
            "Lunch 13:00–13:45 (inferred)",
            "Dinner 20:00–21:15 (inferred)",
        ]
        assert "Dinner 20:00–21:15 (inferred)" in page_of(bob)

    def test_a_shorter_gap_does_not(self, quay):
        for hours in (0, 1.25, 2.5):
            book(quay, hours=hours)

        assert labels(quay) == ["Dinner 20:00–22:45 (inferred)"]

    def test_a_day_without_arrivals_has_none(self, bob, quay):
        assert labels(quay) == []
        assert "inferred" not in page_of(bob)

    def test_several_restaurants_show_what_all_arrivals_suggest(self, quay, loft):
        quay.set_service_periods([(SATURDAY, "Dinner", time(19), time(23))])
        book(quay, hours=0)
        book(loft, hours=0)  # 14:00 in its local time

        assert labels(quay, loft) == [
            "Lunch 14:00–14:15 (inferred)",
            "Dinner 20:00–20:15 (inferred)",
        ]

    def test_half_past_midnight_is_part_of_the_dinner(self, quay):
        book(quay, hours=3)
        make_reservation(quay, meal_at=datetime(2026, 1, 17, 23, 15, tzinfo=UTC))

        assert labels(quay) == ["Dinner 23:00–00:30 (inferred)"]


class TestTheFilter:
    def test_a_service_shows_its_bookings(self, bob, quay):
        lunch = make_reservation(quay, meal_at=DINNER - timedelta(hours=7))
        dinner = make_reservation(quay)
        page = page_of(bob, slot="1140-1380")

        assert str(dinner.uuid) in page
        assert str(lunch.uuid) not in page
        assert "19:00–23:00" in page

    @pytest.mark.parametrize("slot", ["-", "1380-", "12:00", "99999", "1380-1140", "x" * 500])
    def test_nonsense_breaks_nothing(self, bob, quay, slot):
        make_reservation(quay)

        assert "<!doctype html>" in page_of(bob, slot=slot)

"""How long parties stay: learnt from marks of arrivals, else as configured."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine

from mirror.models import Change
from reservations.learnt_stays.learning import FEWEST, learn, learn_due
from reservations.models import ArrivalTracking, Reservation
from reservations.service_clock import length_of
from reservations.service_day.bookings import measure_arrival_tracking
from reservations.service_day.day import ServiceDay
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.testing import sign_in

NOW = datetime(2026, 6, 20, 19, tzinfo=UTC)  # a Saturday, 21:00 in Paris
EIGHT = NOW - timedelta(hours=1)
WEEK = timedelta(weeks=1)
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def mark(row: Reservation, word: str, at: datetime) -> None:
    Change.objects.create(
        kind="reservation", uuid=row.uuid, version=2, field="meal_status", after=word, seen_at=at
    )


def stay(place: Restaurant, minutes: int, at: datetime = EIGHT - WEEK, size: int = 2) -> None:
    """A party that was seated on time and left after so many minutes."""
    row = make_reservation(place, meal_at=at, party_size=size, meal_status="LEFT")
    mark(row, "SEATED", at)
    mark(row, "BILL", at + timedelta(minutes=minutes - 5))
    mark(row, "LEFT", at + timedelta(minutes=minutes))


def learnt(place: Restaurant) -> dict[str, list[int]]:
    return learn(place, today=place.service_day(NOW))


def track(place: Restaurant, **fields: Any) -> None:
    ArrivalTracking.objects.create(
        restaurant=place, bookings=100, marked=90, measured_at=NOW, **fields
    )


def assumed(place: Restaurant, size: int, at: datetime = EIGHT) -> int:
    day = ServiceDay([place], place.service_day(at), now=NOW)
    minutes = place.local(at).hour * 60
    return day.stay_length(place.pk, minutes, size).minutes


def test_it_works(quay):
    for n in range(40):
        stay(quay, 60 + n)

    assert learnt(quay)["evening.5.pairs"] == [80, 91, 40]  # median, 80th percentile, parties


def test_with_fewer_than_thirty_parties_it_is_as_configured(quay):
    for _number in range(FEWEST - 1):
        stay(quay, 70)

    assert learnt(quay) == {}
    assert length_of({}, quay, service="evening", weekday=5, party_size=2) == (90, None, 0)


def test_a_weekday_with_few_parties_takes_those_of_the_service_and_then_of_all(quay):
    for n in range(FEWEST):
        stay(quay, 70, EIGHT - WEEK - (n % 3 + 1) * DAY)
    track(quay, stays=learnt(quay))

    assert assumed(quay, 2) == 70
    assert assumed(quay, 2, EIGHT - timedelta(hours=7)) == 70  # lunch, of which nothing is known
    assert assumed(quay, 4) == 105  # of another size, as configured


def test_marks_that_were_made_late_tell_nothing(quay):
    for _number in range(FEWEST):
        stay(quay, 5)  # both read at once, after an interruption
        row = make_reservation(quay, meal_at=EIGHT - WEEK, party_size=2, meal_status="LEFT")
        mark(row, "SEATED", EIGHT - WEEK + 3 * DAY)
        mark(row, "LEFT", EIGHT - WEEK + 3 * DAY + timedelta(hours=1))

    assert learnt(quay) == {}


def test_each_restaurant_is_learnt_once_a_day_and_a_killed_worker_leaves_the_rest(quay, loft):
    track(quay, stays_at=NOW - timedelta(hours=1))
    track(loft)

    assert learn_due(now=NOW) == 1
    assert learn_due(now=NOW) == 0
    assert learn_due(now=NOW + DAY) == 2


def test_measuring_arrivals_again_keeps_what_was_learnt(quay):
    track(quay, stays={"..pairs": [70, 85, 412]}, stays_at=NOW)
    make_reservation(quay, meal_at=EIGHT - WEEK)

    measure_arrival_tracking(now=NOW)

    assert ArrivalTracking.objects.get().stays == {"..pairs": [70, 85, 412]}


class TestBoard:
    def text(self, user: Any, **address: str) -> str:
        return str(sign_in(user).get("/", {"zoom": "stays", **address}).content.decode())

    def test_it_says_what_stays_are_learnt_from(self, bob, quay):
        track(quay, stays={"..pairs": [70, 85, 412]})
        make_reservation(quay, meal_at=EIGHT, party_size=2)
        page = self.text(bob)

        assert "learnt from 412 parties" in page
        assert "until 21:10, assumed" in page
        assert "85 min" in page

    def test_or_that_they_are_as_configured(self, bob, quay):
        make_reservation(quay, meal_at=EIGHT, party_size=2)
        page = self.text(bob)

        assert "Hatched = assumed stay, as configured" in page
        assert "until 21:30, assumed" in page

    def test_the_curve_in_house_follows_them(self, quay):
        track(quay, stays={"..pairs": [30, 40, 412]})
        make_reservation(quay, meal_at=EIGHT, party_size=2)
        make_reservation(quay, meal_at=EIGHT + timedelta(minutes=45), party_size=2)
        slots = ServiceDay([quay], quay.service_day(NOW), now=NOW).slots

        assert [slot.in_house for slot in slots] == [2, 2, 0, 2]

    def test_of_several_restaurants_it_names_what_is_not_learnt(self, alice, quay, loft):
        track(quay, stays={"..pairs": [70, 85, 412]})
        make_reservation(quay, meal_at=EIGHT, party_size=2)

        assert "learnt from 412 parties, elsewhere as configured" in self.text(alice)

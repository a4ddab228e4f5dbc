"""The arrivals around now, as far as a screen is wide; the pulse from who comes next."""

from datetime import timedelta

import pytest
import time_machine

from reservations.models import ArrivalTracking
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=20)

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening():
    with time_machine.travel(NOW, tick=False):
        yield


def look(user, **address):
    return sign_in(user).get("/", {"zoom": "arrivals"} | address).context["board"]


def columns(user, **address):
    board = look(user, **address)
    return [column.label for column in board.columns], board.earlier, board.later


def test_it_works(bob, quay):
    for hours in (-6, 0, 3):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))

    labels, earlier, later = columns(bob)

    assert (labels[0], labels[-1]) == ("19:45", "22:00")
    assert (earlier, later) == (1, 1)


def test_the_whole_service_is_one_step_away(bob, quay):
    for hours in (-6, 0, 3):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))

    assert columns(bob, whole="1") == (["14:00", "20:00", "20:15", "23:00"], 0, 0)


def test_each_clock_has_its_own(alice, quay, loft):
    """Beside the lunch of the loft, where it is 14:20, that of the quay is over."""
    make_reservation(quay, meal_at=DINNER - timedelta(hours=6))
    at_lunch = make_reservation(loft)
    make_reservation(quay)
    board = look(alice)

    assert [column.label for column in board.columns] == ["14:00", "14:15", "20:00", "20:15"]
    assert [one.uuid for one in board.columns[0].bookings] == [at_lunch.uuid]
    assert (board.earlier, board.later) == (1, 0)


@pytest.mark.parametrize(("hours", "numbers"), [(-4, (1, 0)), (5, (0, 1))])
def test_what_is_on_elsewhere_leaves_it_out(alice, quay, loft, hours, numbers):
    make_reservation(quay)
    make_reservation(loft, meal_at=DINNER + timedelta(hours=hours))
    board = look(alice)

    assert [len(column.bookings) for column in board.columns] == [0, 1, 0]
    assert (board.earlier, board.later) == numbers


def test_there_is_none_while_nothing_is_on(bob, quay):
    make_reservation(quay, meal_at=DINNER - timedelta(hours=6))

    assert columns(bob) == (["14:00", "20:15"], 0, 0)


def test_before_the_guests_arrive_it_shows_the_first_two_hours_of_them(bob, quay):
    for minutes in (105, 150, 210, 300):
        make_reservation(quay, meal_at=NOW + timedelta(minutes=minutes))

    labels, earlier, later = columns(bob)

    # 20:20 now, the first guests at 22:05
    assert labels[:4] == ["19:45", "20:00", "20:15", "22:00"]
    assert labels[-1] == "23:45"
    assert (earlier, later) == (0, 1)


def test_a_booking_far_ahead_does_not_stretch_it(bob, quay):
    make_reservation(quay)
    make_reservation(quay, meal_at=NOW + timedelta(hours=3))

    labels, _earlier, later = columns(bob)

    assert (labels[-1], later) == ("22:00", 1)


def at(quay, minutes, **fields):
    return make_reservation(quay, meal_at=DINNER + timedelta(minutes=minutes), **fields)


def test_it_begins_with_the_first_slot_in_which_somebody_is_awaited(bob, quay):
    at(quay, -15, meal_status="SEATED")
    at(quay, 0, meal_status="SEATED")
    at(quay, 30)

    labels, earlier, _later = columns(bob)

    assert (labels[0], earlier) == ("20:15", 2)


def test_between_two_services_the_next_one_follows_the_seated(bob, quay):
    """At 14:27 a board of seven seated and of 47 to come from 18:30 on showed nobody."""
    at(quay, 0, meal_status="SEATED")
    for minutes in (200, 230, 400):
        at(quay, minutes)

    labels, earlier, later = columns(bob)

    # 20:20 now, the next guests at 23:20
    assert labels[:2] == ["20:15", "23:15"]
    assert (earlier, later) == (1, 1)


def test_long_after_a_service_the_next_one_follows_now(bob, quay):
    for hours in (-6, 3, 4, 6):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours), meal_status="LEFT")

    labels, earlier, later = columns(bob)

    assert labels[:2] == ["20:15", "23:00"]
    assert (earlier, later) == (1, 1)


def test_who_is_late_is_in_it_however_long(bob, quay):
    ArrivalTracking.objects.create(restaurant=quay, bookings=9, marked=9, measured_at=NOW)
    at(quay, -45, meal_status="SEATED")
    at(quay, -30)  # for 50 minutes
    at(quay, 30)

    labels, earlier, later = columns(bob)

    assert labels[0] == "19:30"
    assert (earlier, later) == (1, 0)


def test_between_two_services_the_late_one_stays(bob, quay):
    ArrivalTracking.objects.create(restaurant=quay, bookings=9, marked=9, measured_at=NOW)
    at(quay, -60, meal_status="LEFT")
    at(quay, -35)  # for 55 minutes
    at(quay, 200)

    labels, earlier, later = columns(bob)

    assert labels == ["19:15", "20:15", "23:15"]
    assert (earlier, later) == (1, 0)


def test_between_two_services_no_clock_draws_hours_of_nobody(alice, quay, loft):
    """In the loft it is six hours earlier."""
    loft.timezone = "America/New_York"
    loft.save(update_fields=["timezone"])
    for hours in (-7, 3):
        at(quay, 60 * hours, meal_status="LEFT" if hours < 0 else "")

    labels, _earlier, _later = columns(alice)

    assert labels == ["14:15", "20:15", "23:00"]


def test_long_before_the_first_service_the_whole_day_is_shown(bob, quay):
    for hours in (3, 6):
        make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))

    assert columns(bob) == (["20:15", "23:00", "02:00"], 0, 0)


def test_after_the_last_arrival_the_seated_stay(bob, quay):
    at(quay, -60, meal_status="LEFT")
    at(quay, 0, meal_status="SEATED")

    labels, earlier, later = columns(bob)

    assert (labels[0], earlier, later) == ("19:45", 1, 0)
    assert "20:00" in labels


@pytest.mark.parametrize("meal_status", ["", "ARRIVED", "PARTIALLY_ARRIVED"])
def test_who_has_no_table_yet_is_no_earlier_one(bob, quay, meal_status):
    at(quay, -15, meal_status="SEATED")
    at(quay, 0, meal_status=meal_status)
    at(quay, 0, meal_status="SEATED")

    labels, earlier, _later = columns(bob)

    assert (labels[0], earlier) == ("20:00", 1)


def test_seated_guests_stay_beside_a_late_one(bob, quay):
    at(quay, -15)
    at(quay, 0, meal_status="SEATED")

    labels, earlier, _later = columns(bob)

    assert (labels[0], earlier) == ("19:45", 0)


class TestPulse:
    """Scrolled to one column: what is over everywhere is left of it."""

    def scrolled_to(self, user):
        pulse = sign_in(user).get("/", {"zoom": "pulse"}).context["pulse"]
        return [label for label, is_here in pulse.labels if is_here]

    def test_during_a_service_it_is_now(self, alice, quay, loft):
        for minutes in (0, 15, 45):
            at(quay, minutes)

        assert self.scrolled_to(alice) == ["20:15"]

    def test_where_lunch_is_over_it_is_where_the_next_service_begins(self, alice, quay, loft):
        """It is 14:20 there, and nobody is to come before 20:00."""
        for hours in (-1, 6):
            make_reservation(loft, meal_at=DINNER + timedelta(hours=hours))
        for minutes in (0, 15, 45):
            at(quay, minutes)

        assert self.scrolled_to(alice) == ["20:00"]

    def test_who_comes_first_on_a_clock_counts_even_where_few_come(self, alice, quay, loft):
        make_reservation(loft, meal_at=DINNER + timedelta(minutes=30))
        at(quay, 15)

        assert self.scrolled_to(alice) == ["14:30"]

    def test_when_all_is_over_it_is_the_end(self, alice, quay, loft):
        for hours in (-6, -2):
            make_reservation(quay, meal_at=DINNER + timedelta(hours=hours))

        assert self.scrolled_to(alice) == ["18:00"]

"""Covers on the books by day and by days before it, and covers that came."""

from datetime import date

import numpy as np

from insights.forecast.history import NEVER, History, PastBooking, bookings_of, history_of

MONDAY = date(2026, 3, 2).toordinal()
FRIDAY = MONDAY + 4
TODAY = MONDAY + 7


def booking(*, day=FRIDAY, created=FRIDAY - 3, cancelled=NEVER, covers=4, status="RECORDED"):
    return PastBooking(day=day, created=created, cancelled=cancelled, covers=covers, status=status)


def history(*rows: PastBooking, today: int = TODAY) -> History:
    return history_of(bookings_of(rows), first=MONDAY, today=today)


def booked(known: History, day: int) -> list[float]:
    """From the morning of the day to five mornings before it."""
    return [float(covers) for covers in known.booked[:6, day - MONDAY]]


def test_it_works():
    known = history(booking())

    assert known.came.tolist() == [0, 0, 0, 0, 4, 0, 0]
    assert known.held.tolist() == [False] * 4 + [True] + [False] * 2
    assert booked(known, FRIDAY) == [4, 4, 4, 0, 0, 0]


def test_a_booking_stands_in_the_book_from_the_morning_after_it_was_made():
    assert booked(history(booking(created=FRIDAY - 1)), FRIDAY) == [4, 0, 0, 0, 0, 0]


def test_one_made_on_the_day_and_a_walk_in_came_without_being_on_the_books():
    known = history(booking(created=FRIDAY))

    assert booked(known, FRIDAY) == [0] * 6
    assert known.came[4] == 4


def test_one_whose_making_nobody_knows_came_without_being_on_the_books():
    known = history(booking(created=NEVER))

    assert booked(known, FRIDAY) == [0] * 6
    assert known.came[4] == 4


def test_a_cancellation_leaves_the_book_on_the_morning_after_it():
    known = history(booking(cancelled=FRIDAY - 2, status="CANCELED"))

    assert booked(known, FRIDAY) == [0, 0, 4, 0, 0, 0]
    assert known.came[4] == 0
    assert not known.held[4]


def test_a_cancelled_party_was_made_all_the_same():
    known = history(booking(cancelled=FRIDAY - 2, status="CANCELED"), booking())

    assert known.parties[:6, 4].tolist() == [1, 1, 2, 0, 0, 0]
    assert known.made[:6, 4].tolist() == [2, 2, 2, 0, 0, 0]


def test_a_cancellation_at_an_unknown_moment_stood_until_the_meal():
    known = history(booking(status="CANCELED"))

    assert booked(known, FRIDAY) == [4, 4, 4, 0, 0, 0]
    assert known.came[4] == 0


def test_a_no_show_was_booked_and_did_not_come_but_the_service_was_held():
    known = history(booking(status="NO_SHOW"))

    assert booked(known, FRIDAY)[0] == 4
    assert known.came[4] == 0
    assert known.held[4]


def test_parties_are_counted_beside_covers():
    known = history(booking(covers=2), booking(covers=5))

    assert known.booked[0, 4] == 7
    assert known.parties[0, 4] == 2


def test_nobody_came_yet_to_what_lies_ahead_whatever_its_status_says():
    known = history(booking(day=TODAY + 2, created=TODAY - 1))

    assert known.came.sum() == 0
    assert not known.held.any()
    assert known.booked[2, 9] == 4


def test_a_booking_of_tomorrow_is_not_known_today():
    known = history(booking(day=TODAY + 2, created=TODAY))

    assert known.booked[2].sum() == 0


def test_a_cancellation_of_tomorrow_is_not_known_today():
    known = history(booking(day=TODAY + 2, created=TODAY - 2, cancelled=TODAY, status="CANCELED"))

    assert known.booked[2, 9] == 4


def test_a_morning_sees_what_every_earlier_morning_saw():
    rows = [
        booking(day=MONDAY + day, created=MONDAY + day - lead, cancelled=MONDAY + day - gone)
        for day, lead, gone in ((3, 5, 1), (4, 2, -9), (5, 9, 3), (6, 1, -9))
    ]

    late, early = history(*rows), history(*rows, today=MONDAY + 4)

    for lag in range(3):
        assert np.array_equal(late.booked[lag, : 4 + lag], early.booked[lag, : 4 + lag])

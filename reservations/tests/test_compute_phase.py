"""The table of phases, row by row."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import translation

from reservations.phases import phase_of

MEAL_AT = datetime(2026, 1, 17, 20, tzinfo=UTC)


def tell(*, status="RECORDED", meal_status="", minutes=-120, marks_arrivals=True):
    """The phase so many minutes after the booked time."""
    return phase_of(
        status=status,
        meal_status=meal_status,
        meal_at=MEAL_AT,
        now=MEAL_AT + timedelta(minutes=minutes),
        marks_arrivals=marks_arrivals,
    )


@pytest.mark.parametrize(
    ("status", "meal_status", "minutes", "key"),
    [
        ("REQUESTED", "", -120, "requested"),
        ("REQUESTED", "", +90, "requested"),
        ("RECORDED", "", -120, "booked"),
        ("RECORDED", "", -16, "booked"),
        ("RECORDED", "", -15, "due"),
        ("RECORDED", "", 0, "due"),
        ("RECORDED", "", +15, "due"),
        ("RECORDED", "", +16, "late"),
        ("RECORDED", "", +60, "late"),
        ("RECORDED", "", +61, "unmarked"),
        ("RECORDED", "PARTIALLY_ARRIVED", +30, "partly-here"),
        ("RECORDED", "ARRIVED", -30, "here"),
        ("RECORDED", "SEATED", +30, "seated"),
        ("RECORDED", "BILL", +90, "bill"),
        ("RECORDED", "LEFT", +120, "left"),
        ("NO_SHOW", "", +120, "no-show"),
        ("NO_SHOW", "SEATED", +120, "no-show"),
        ("CANCELED", "", +30, "cancelled"),
        ("REFUSED", "", +30, "refused"),
    ],
)
def test_it_works(status, meal_status, minutes, key):
    assert tell(status=status, meal_status=meal_status, minutes=minutes).key == key


def test_it_says_how_late():
    assert tell(minutes=18).sentence == "late 18 minutes"


def test_nobody_is_late_where_arrivals_are_never_marked():
    assert tell(minutes=30, marks_arrivals=False).key == "booked"
    assert tell(minutes=600, marks_arrivals=False).key == "booked"


def test_one_mark_counts_also_where_arrivals_are_rarely_marked():
    assert tell(meal_status="SEATED", minutes=30, marks_arrivals=False).key == "seated"


def test_it_makes_an_unknown_status_readable():
    phase = tell(status="PENDING_PAYMENT")

    assert (phase.key, phase.word) == ("unknown", "Pending payment")


def test_it_makes_an_unknown_arrival_readable():
    assert tell(meal_status="AT_THE_BAR", minutes=20).word == "At the bar"


def test_it_is_booked_when_the_time_is_unknown():
    phase = phase_of(
        status="RECORDED", meal_status="", meal_at=None, now=MEAL_AT, marks_arrivals=True
    )

    assert phase.key == "booked"


def test_it_speaks_the_language_of_the_moment():
    with translation.override("en"):
        assert tell(meal_status="BILL").word == "Bill"

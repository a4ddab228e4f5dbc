"""Which restaurants have another clock than the one by which their rows are filed."""

from datetime import UTC, datetime, time, timedelta

import pytest

from restaurants import service_days
from restaurants.models import AppliedClock, Restaurant
from restaurants.service_days import SETTLES_AFTER, recompute_corrected
from restaurants.testing import make_restaurant

NOW = datetime(2026, 6, 15, 12, tzinfo=UTC)


@pytest.fixture
def recomputed(monkeypatch, cast):
    """The restaurants whose rows were recomputed; no correction is pending at first."""
    recompute_corrected(now=NOW)
    names: list[str] = []

    def recompute_service_days(restaurant: Restaurant) -> int:
        names.append(restaurant.name)
        return 1

    monkeypatch.setattr(service_days, "RECOMPUTERS", [recompute_service_days])
    return names


def correct(restaurant, **fields):
    Restaurant.objects.filter(pk=restaurant.pk).update(**fields)


def test_it_works(recomputed, quay):
    correct(quay, timezone="Europe/London")

    assert recompute_corrected(now=NOW) == 1
    assert recomputed == ["Quay"]


def test_nothing_is_due_when_nothing_changed(recomputed):
    assert recompute_corrected(now=NOW) == 0
    assert recomputed == []


def test_another_day_start_counts_too(recomputed, loft):
    correct(loft, day_start=time(6))
    recompute_corrected(now=NOW)

    assert recomputed == ["Loft"]


def test_another_name_does_not(recomputed, quay):
    correct(quay, name="Pier", phone="+33123456789")
    recompute_corrected(now=NOW)

    assert recomputed == []


def test_a_restaurant_that_is_new_is_filed_right(recomputed, harbour):
    make_restaurant(harbour, "Mill")
    recompute_corrected(now=NOW)

    assert recomputed == []
    assert AppliedClock.objects.get(restaurant__name="Mill").timezone == "Europe/Paris"


def test_it_looks_again_until_nobody_can_know_the_former_clock(recomputed, quay):
    correct(quay, timezone="Europe/London")
    recompute_corrected(now=NOW)
    recompute_corrected(now=NOW + timedelta(seconds=30))
    recompute_corrected(now=NOW + SETTLES_AFTER)
    recompute_corrected(now=NOW + 2 * SETTLES_AFTER)

    assert recomputed == ["Quay"] * 3
    assert not AppliedClock.objects.due().exists()


def test_a_second_correction_begins_anew(recomputed, quay):
    correct(quay, timezone="Europe/London")
    recompute_corrected(now=NOW)
    correct(quay, timezone="Asia/Kolkata")
    recompute_corrected(now=NOW + SETTLES_AFTER)

    assert AppliedClock.objects.due().get().restaurant == quay


def test_a_correction_that_is_taken_back_moves_everything_back(recomputed, quay):
    correct(quay, timezone="Europe/London")
    recompute_corrected(now=NOW)
    correct(quay, timezone="Europe/Paris")
    recompute_corrected(now=NOW)

    assert recomputed == ["Quay", "Quay"]

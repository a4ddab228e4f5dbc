"""Reviews of a restaurant whose clock was corrected belong to the day of the new clock."""

from datetime import UTC, date, datetime

from restaurants.models import Restaurant
from restaurants.service_days import recompute_corrected
from reviews.models import Review
from reviews.testing import make_review

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
LATE_EVENING = datetime(2026, 1, 17, 22, tzinfo=UTC)


def correct(restaurant, **fields):
    recompute_corrected(now=NOW)
    Restaurant.objects.filter(pk=restaurant.pk).update(**fields)
    return recompute_corrected(now=NOW)


def test_it_works(quay):
    review = make_review(quay, meal_at=LATE_EVENING, service_day=date(2026, 1, 17))
    correct(quay, timezone="Asia/Tokyo")

    assert Review.objects.get(pk=review.pk).service_day == date(2026, 1, 18)


def test_what_stands_right_is_left_alone(quay):
    make_review(quay, meal_at=LATE_EVENING, service_day=date(2026, 1, 17))

    assert correct(quay, timezone="Europe/London") == 0


def test_a_review_without_a_visit_has_no_day(quay):
    review = make_review(quay, meal_at=None, service_day=None)
    correct(quay, timezone="Asia/Tokyo")

    assert Review.objects.get(pk=review.pk).service_day is None

"""Sums follow when bookings move to other days because a restaurant's clock was corrected."""

from datetime import UTC, date, datetime

from insights.models import BookingCount, CountRow
from insights.sums import recount
from reservations.testing import make_reservation
from restaurants.models import Restaurant
from restaurants.service_days import recompute_corrected
from reviews.testing import make_review

NOW = datetime(2026, 1, 20, 12, tzinfo=UTC)
LATE_EVENING = datetime(2026, 1, 17, 22, tzinfo=UTC)


def days_of(restaurant):
    days = BookingCount.objects.filter(restaurant=restaurant, span=CountRow.DAY, cut=CountRow.WHOLE)
    return [(one.start, one.covers) for one in days.filter(bookings__gt=0)]


def test_it_works(quay):
    make_reservation(quay, meal_at=LATE_EVENING, party_size=4)
    make_review(quay, meal_at=LATE_EVENING, service_day=date(2026, 1, 17))
    recount.rebuild(quay, now=NOW)
    recompute_corrected(now=NOW)
    assert days_of(quay) == [(date(2026, 1, 17), 4)]

    Restaurant.objects.filter(pk=quay.pk).update(timezone="Asia/Tokyo")
    recompute_corrected(now=NOW)
    recount.count_marked(now=NOW)

    assert days_of(quay) == [(date(2026, 1, 18), 4)]

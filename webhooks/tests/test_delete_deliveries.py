"""What is kept, and for how long."""

from datetime import UTC, datetime, timedelta

import pytest

from webhooks.models import Delivery, HourlyCount
from webhooks.testing import delivery

NOW = datetime(2026, 6, 12, 18, tzinfo=UTC)
LONG_AGO = NOW - timedelta(days=31)

pytestmark = pytest.mark.django_db


class TestForgetDeliveries:
    @pytest.mark.parametrize("state", ["routed", "ignored", "odd"])
    def test_it_works(self, state):
        delivery(received_at=LONG_AGO, state=state)
        kept = delivery(received_at=NOW - timedelta(days=29), state=state)

        assert Delivery.objects.delete_old(now=NOW) == 1
        assert Delivery.objects.get() == kept

    @pytest.mark.parametrize("state", ["new", "held"])
    def test_what_still_waits_stays(self, state):
        delivery(received_at=LONG_AGO, state=state)

        assert Delivery.objects.delete_old(now=NOW) == 0

    def test_the_operator_says_how_long(self, settings):
        settings.WEBHOOK_KEEP_DAYS = 1
        delivery(received_at=NOW - timedelta(days=2), state="routed")

        assert Delivery.objects.delete_old(now=NOW) == 1

    def test_the_counts_stay_for_a_quarter(self):
        for days in (91, 93):
            HourlyCount.objects.create(hour=NOW - timedelta(days=days), what="routed", count=1)
        Delivery.objects.delete_old(now=NOW)

        assert HourlyCount.objects.get().hour == NOW - timedelta(days=91)

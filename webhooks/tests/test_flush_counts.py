"""What is counted although it has no row, and which token is at work."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError

from partner import testing as partner
from partner.models import Connection, Slot
from partner.models.webhook_tokens import KnownToken
from webhooks.models import CountKey, HourlyCount
from webhooks.worker_notifier import WorkerNotifier, flush_counts

HOUR = datetime(2026, 6, 12, 18, tzinfo=UTC)
WRONG = CountKey("wrong_token", HOUR)
# Comes last, and no database takes a count below nothing.
BAD = CountKey("~", HOUR)

pytestmark = pytest.mark.django_db


class TestFlushCounts:
    def test_it_works(self):
        flush_counts(Counter({WRONG: 3}))

        assert HourlyCount.objects.get().count == 3

    def test_it_adds_to_what_the_hour_has(self):
        flush_counts(Counter({WRONG: 3}))
        flush_counts(Counter({WRONG: 2, CountKey("oversize", HOUR): 1}))

        assert dict(HourlyCount.objects.values_list("what", "count")) == {
            "wrong_token": 5,
            "oversize": 1,
        }

    def test_it_says_which_token_was_used(self):
        used = partner.connection()
        partner.connection(name="Second")
        flush_counts(Counter([KnownToken(used.pk, Slot.CURRENT)]))

        connection = Connection.objects.get(pk=used.pk)
        assert connection.webhook_token_used_at is not None
        assert connection.previous_used_at is None
        assert Connection.objects.get(name="Second").webhook_token_used_at is None

    def test_it_needs_no_connection(self):
        flush_counts(Counter([KnownToken(1, Slot.CURRENT)]))

        assert not HourlyCount.objects.exists()

    def test_it_is_all_or_nothing(self):
        with pytest.raises(IntegrityError):
            flush_counts(Counter({WRONG: 3, BAD: -1}))

        assert not HourlyCount.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestWorkerNotifier:
    def test_what_could_not_be_written_is_written_once_later(self):
        connection = partner.connection()
        notifier = WorkerNotifier()
        notifier.notify(KnownToken(connection.pk, Slot.CURRENT))
        notifier.count(HourlyCount.What.WRONG_TOKEN)
        assert notifier._gather(timeout=None)
        notifier._counts[BAD] = -1
        notifier._flush()
        del notifier._counts[BAD]
        notifier._flush()

        assert HourlyCount.objects.get().count == 1
        assert Connection.objects.get().webhook_token_used_at is not None

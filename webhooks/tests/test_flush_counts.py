"""What is counted although it has no row, and which token is at work."""

from collections import Counter
from datetime import UTC, datetime
from functools import partial

import pytest
from django.db import IntegrityError

from partner import testing as partner
from partner.models import Connection, Slot
from partner.models.webhook_tokens import KnownToken
from webhooks import receiver
from webhooks.models import CountKey, HourlyCount
from webhooks.receiver import Inbox, flush_counts
from webhooks.tasks import route

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
class TestFollowUp:
    def test_a_worker_is_notified_of_a_burst_once(self, published):
        inbox = Inbox()
        for raw in (b"first", b"second"):
            inbox.take(partial(bytes, raw), token=KnownToken(None, Slot.CURRENT))
        inbox.follow_up()
        inbox.follow_up()

        assert published == [{"expires": receiver.NOTIFICATION_EXPIRES}]

    def test_it_goes_on_while_the_database_is_away(self, published, django_db_blocker):
        connection = partner.connection()
        inbox = Inbox()
        inbox.take(partial(bytes, b"{}"), token=KnownToken(connection.pk, Slot.CURRENT))
        with django_db_blocker.block():
            inbox.follow_up()
            inbox.refresh()
        inbox.refresh()

        assert len(published) == 1
        assert Connection.objects.get().webhook_token_used_at is not None

    def test_nobody_is_notified_of_what_is_not_stored(self, published, monkeypatch):
        monkeypatch.setattr(receiver, "LOCK_TIMEOUT", -1)
        monkeypatch.setattr(receiver, "INSERT", "INSERT INTO nowhere")
        inbox = Inbox()

        assert inbox.take(lambda: b"{}", token=KnownToken(None, Slot.CURRENT)) is False
        inbox.follow_up()
        assert published == []

    def test_a_notification_that_fails_is_counted(self, monkeypatch):
        monkeypatch.setattr(route, "apply_async", fail)
        inbox = Inbox()
        inbox.take(lambda: b"{}", token=KnownToken(None, Slot.CURRENT))
        inbox.follow_up()
        inbox.refresh()

        assert HourlyCount.objects.get().what == HourlyCount.What.NOT_NOTIFIED

    def test_what_could_not_be_written_is_written_once_later(self):
        connection = partner.connection()
        inbox = Inbox()
        inbox.take(lambda: b"{}", token=KnownToken(connection.pk, Slot.CURRENT))
        inbox.count(HourlyCount.What.WRONG_TOKEN)
        inbox._counts[BAD] = -1
        inbox.refresh()
        del inbox._counts[BAD]
        inbox.refresh()

        assert HourlyCount.objects.get().count == 1
        assert Connection.objects.get().webhook_token_used_at is not None


@pytest.fixture
def published(monkeypatch):
    """What was handed to the broker."""
    options = []
    monkeypatch.setattr(route, "apply_async", lambda **option: options.append(option))
    return options


def fail(**_options):
    raise OSError("the broker is away")

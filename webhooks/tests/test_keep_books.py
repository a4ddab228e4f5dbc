"""What is counted although it has no row, and which token is at work."""

from collections import Counter
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError

from partner import testing as partner
from partner.models import Connection, Slot
from webhooks.bell import Bell, write_books
from webhooks.models import Counted, Tally

HOUR = datetime(2026, 6, 12, 18, tzinfo=UTC)
WRONG = Counted("wrong_token", HOUR)
# Comes last, and no database takes a count below nothing.
BAD = Counted("~", HOUR)

pytestmark = pytest.mark.django_db


class TestKeepBooks:
    def test_it_works(self):
        write_books(Counter({WRONG: 3}), set())

        assert Tally.objects.get().count == 3

    def test_it_adds_to_what_the_hour_has(self):
        write_books(Counter({WRONG: 3}), set())
        write_books(Counter({WRONG: 2, Counted("oversize", HOUR): 1}), set())

        assert dict(Tally.objects.values_list("what", "count")) == {"wrong_token": 5, "oversize": 1}

    def test_it_says_which_token_was_used(self):
        partner.connection()
        write_books(Counter(), {Slot.CURRENT})

        connection = Connection.objects.get()
        assert connection.webhook_token_used_at is not None
        assert connection.previous_used_at is None

    def test_it_needs_no_connection(self):
        write_books(Counter(), {Slot.CURRENT})

        assert not Tally.objects.exists()

    def test_it_is_all_or_nothing(self):
        with pytest.raises(IntegrityError):
            write_books(Counter({WRONG: 3, BAD: -1}), set())

        assert not Tally.objects.exists()


@pytest.mark.django_db(transaction=True)
class TestBell:
    def test_what_could_not_be_written_is_written_once_later(self):
        partner.connection()
        bell = Bell()
        bell.ring(Slot.CURRENT)
        bell.count(Tally.What.WRONG_TOKEN)
        bell._counts[BAD] = -1
        bell._keep_books()
        del bell._counts[BAD]
        bell._keep_books()

        assert Tally.objects.get().count == 1
        assert Connection.objects.get().webhook_token_used_at is not None

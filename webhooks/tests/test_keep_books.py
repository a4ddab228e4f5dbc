"""What is counted although it has no row, and which token is at work."""

from collections import Counter
from datetime import UTC, datetime

import pytest

from partner import testing as partner
from partner.models import Connection, Slot
from webhooks.bell import write_books
from webhooks.models import Counted, Tally

HOUR = datetime(2026, 6, 12, 18, tzinfo=UTC)
WRONG = Counted("wrong_token", HOUR)

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

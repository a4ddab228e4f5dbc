"""Ids that become visible out of order: PostgreSQL's way, on any database."""

from live.announcements import PATIENCE
from live.poller import MOST_MISSING, Ledger

LATER = PATIENCE.total_seconds() + 1


def ledger(*ids, highest=10):
    book = Ledger(highest=highest, now=0)
    book.note(ids, now=0)
    return book


class TestLedger:
    def test_it_works(self):
        assert ledger(11, 12, 13).cursor == 13

    def test_it_holds_the_cursor_below_a_missing_id(self):
        book = ledger(11, 14)

        assert (book.cursor, set(book.missing)) == (11, {12, 13})

    def test_it_moves_on_as_they_appear(self):
        book = ledger(11, 14)
        book.note([12], now=1)
        assert book.cursor == 12
        book.note([13], now=2)
        assert book.cursor == 14

    def test_it_takes_ids_in_any_order(self):
        assert ledger(13, 11, 12).cursor == 13

    def test_it_waits_with_patience(self):
        book = ledger(11, 13)
        book.give_up(now=LATER - 2)
        assert book.cursor == 11
        book.give_up(now=LATER)
        assert book.cursor == 13

    def test_it_waits_for_each_from_its_own_beginning(self):
        book = ledger(12)
        book.note([14], now=60)
        book.give_up(now=LATER)

        assert set(book.missing) == {13}

    def test_it_says_so_when_it_cannot_wait_for_that_many(self):
        book = Ledger(highest=10, now=0)

        assert book.note([MOST_MISSING + 100], now=0) is False
        assert book.cursor == MOST_MISSING + 100

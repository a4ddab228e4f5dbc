"""Ids that become visible out of order: PostgreSQL's way, on any database."""

from live.announcements import PATIENCE
from live.poller import MOST_MISSING, GapTracker

LATER = PATIENCE.total_seconds() + 1


def after(*ids, highest=10):
    tracker = GapTracker(highest=highest, now=0)
    tracker.note(ids, now=0)
    return tracker


class TestGapTracker:
    def test_it_works(self):
        assert after(11, 12, 13).cursor == 13

    def test_it_holds_the_cursor_below_a_missing_id(self):
        tracker = after(11, 14)

        assert (tracker.cursor, set(tracker.missing)) == (11, {12, 13})

    def test_it_moves_on_as_they_appear(self):
        tracker = after(11, 14)
        tracker.note([12], now=1)
        assert tracker.cursor == 12
        tracker.note([13], now=2)
        assert tracker.cursor == 14

    def test_it_takes_ids_in_any_order(self):
        assert after(13, 11, 12).cursor == 13

    def test_it_waits_with_patience(self):
        tracker = after(11, 13)
        tracker.give_up(now=LATER - 2)
        assert tracker.cursor == 11
        tracker.give_up(now=LATER)
        assert tracker.cursor == 13

    def test_it_waits_for_each_from_its_own_beginning(self):
        tracker = after(12)
        tracker.note([14], now=60)
        tracker.give_up(now=LATER)

        assert set(tracker.missing) == {13}

    def test_it_says_so_when_it_cannot_wait_for_that_many(self):
        tracker = GapTracker(highest=10, now=0)

        assert tracker.note([MOST_MISSING + 100], now=0) is False
        assert tracker.cursor == MOST_MISSING + 100

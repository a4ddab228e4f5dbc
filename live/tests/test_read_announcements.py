"""Where a screen resumes. The lines are given their ids by hand: that is how commits get mixed."""

from datetime import UTC, datetime, timedelta

import pytest

from live.announcements import LIMIT, PATIENCE, read_after, read_recent, settled
from live.models import KEPT, Announcement
from live.testing import make_line

NOW = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
MOMENT = timedelta(seconds=1)


@pytest.fixture
def write(quay):
    def write_lines(*ids, ago=MOMENT):
        lines = [make_line(quay, pk=number, version=number, at=NOW - ago) for number in ids]
        return Announcement.objects.bulk_create(lines)

    return write_lines


def ids(reading):
    return [line.pk for line in reading.lines]


class TestReadAfter:
    def test_it_works(self, write):
        write(11, 12, 13)

        reading = read_after(11, now=NOW)

        assert (ids(reading), reading.cursor, reading.complete) == ([12, 13], 13, True)

    def test_it_stays_where_it_is_when_nothing_happened(self, write):
        write(11)

        assert read_after(11, now=NOW) == ([], 11, True)

    def test_it_waits_below_a_line_that_may_still_appear(self, write):
        write(11, 12, 14, 15)

        assert read_after(11, now=NOW).cursor == 12

    def test_it_finds_the_late_line_when_it_resumes(self, write):
        write(11, 12, 14)
        cursor = read_after(11, now=NOW).cursor
        write(13)

        assert ids(read_after(cursor, now=NOW)) == [13, 14]

    def test_it_passes_a_line_that_was_rolled_back_long_ago(self, write):
        write(11, 12, 14, ago=PATIENCE)

        assert read_after(11, now=NOW).cursor == 14

    def test_it_begins_at_zero(self, write):
        write(1, 2)

        assert ids(read_after(0, now=NOW)) == [1, 2]

    def test_it_gives_up_on_what_is_forgotten(self, write):
        write(50, 51)

        reading = read_after(20, now=NOW)

        assert (ids(reading), reading.cursor, reading.complete) == ([], 51, False)

    def test_it_gives_up_on_a_cursor_from_another_database(self, write):
        write(50)

        assert read_after(7000, now=NOW) == ([], 50, False)

    def test_it_gives_up_on_too_much(self, write):
        write(*range(1, LIMIT + 3))

        reading = read_after(1, now=NOW)

        assert (ids(reading), reading.cursor, reading.complete) == ([], LIMIT + 2, False)


class TestReadRecent:
    def test_it_works(self, write):
        write(11, ago=timedelta(seconds=60))
        write(12, ago=timedelta(seconds=2))

        reading = read_recent(timedelta(seconds=1), now=NOW)

        assert (ids(reading), reading.cursor, reading.complete) == ([12], 12, True)

    def test_it_allows_for_commits_that_take_their_time(self, write):
        write(11, ago=timedelta(seconds=4))

        assert ids(read_recent(timedelta(), now=NOW)) == [11]

    def test_it_waits_below_a_line_that_may_still_appear(self, write):
        write(11, 13)

        assert read_recent(MOMENT, now=NOW).cursor == 11

    def test_it_begins_at_the_end_of_a_quiet_day(self, write):
        write(11, ago=timedelta(hours=3))

        assert read_recent(MOMENT, now=NOW) == ([], 11, True)

    @pytest.mark.django_db
    def test_it_begins_before_anything_ever_happened(self):
        assert read_recent(MOMENT, now=NOW) == ([], 0, True)

    def test_it_gives_up_on_a_page_of_yesterday(self, write):
        write(11)

        assert read_recent(KEPT, now=NOW).complete is False


def test_it_settles_on_nothing_when_there_is_nothing():
    assert settled(7, [], now=NOW) == 7

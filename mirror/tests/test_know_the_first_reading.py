"""The first reading: of which days a screen must not say that nobody comes."""

from datetime import UTC, date, datetime, timedelta

import pytest

from mirror.health import first_reading, freshness
from mirror.models import Job, Slice
from mirror.testing import backfill_slice, complete

DAY = date(2026, 11, 20)
WEEK = (DAY - timedelta(days=3), DAY + timedelta(days=3))
NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
pytestmark = pytest.mark.django_db


def is_unread(place, day=DAY):
    first_reading.DOUBTFUL.clear()
    return first_reading.unread_on(day, [place]) == [place]


def test_a_place_that_was_never_read_is_unread(quay):
    assert is_unread(quay)


@pytest.mark.parametrize("whole_group", [True, False])
def test_a_place_that_was_read_whole_is_read_on_every_day(quay, whole_group):
    complete(quay, whole_group=whole_group)

    assert not is_unread(quay)
    assert not is_unread(quay, DAY + timedelta(days=300))


@pytest.mark.parametrize("of_group", [True, False])
def test_a_day_is_read_before_the_rest_of_a_backfill(quay, of_group):
    backfill_slice(quay, *WEEK, state="done", of_group=of_group)
    backfill_slice(quay, WEEK[1] + timedelta(days=1), WEEK[1] + timedelta(days=7))

    assert not is_unread(quay)
    assert is_unread(quay, DAY + timedelta(days=7))


@pytest.mark.parametrize("state", sorted(set(Slice.State) - {Slice.State.DONE}))
def test_a_day_that_is_listed_but_not_read_is_unread(quay, state):
    backfill_slice(quay, *WEEK, state=state)

    assert is_unread(quay)


@pytest.mark.parametrize("edge", WEEK)
def test_the_evenings_of_other_zones_lie_in_the_days_beside(quay, edge):
    backfill_slice(quay, *WEEK, state="done")

    assert is_unread(quay, edge)


def test_two_halves_make_a_day_whole(quay):
    backfill_slice(quay, WEEK[0], DAY, state="done")
    backfill_slice(quay, DAY + timedelta(days=1), WEEK[1], state="done")

    assert not is_unread(quay)


def test_a_sweep_in_the_middle_of_the_first_backfill_proves_no_day(quay):
    backfill_slice(quay, *WEEK)
    complete(quay)

    assert is_unread(quay)


def test_days_that_were_read_once_stay_read_while_they_are_read_again(quay):
    backfill_slice(quay, *WEEK, state="done")
    complete(quay)
    backfill_slice(quay, *WEEK)

    assert not is_unread(quay)


def test_a_cancelled_backfill_is_none(quay):
    backfill_slice(quay, *WEEK, job=Job.State.CANCELLED)
    complete(quay)

    assert not is_unread(quay)


def test_it_asks_nothing_where_everything_was_read(quay, django_assert_num_queries):
    complete(quay)
    assert not is_unread(quay)

    with django_assert_num_queries(0):
        first_reading.unread_on(DAY, [quay])


def test_health_says_so(quay):
    first_reading.DOUBTFUL.clear()

    assert freshness.of([quay], now=NOW)[0].is_first


class TestBeforeTheCopy:
    """Days from before the first that a backfill lists; its list is a day wider on both sides."""

    def missing(self, place, day):
        first_reading.DOUBTFUL.clear()
        return first_reading.missing_on(day, [place])

    @pytest.mark.parametrize("of_group", [True, False])
    def test_they_were_never_read(self, quay, of_group):
        backfill_slice(quay, *WEEK, state="done", of_group=of_group)
        complete(quay)

        missing = self.missing(quay, WEEK[0])
        assert missing.before_copy == [quay]
        assert missing.begins == WEEK[0] + timedelta(days=1)
        assert not self.missing(quay, WEEK[0] + timedelta(days=1)).places

    def test_what_comes_after_the_last_day_is_known_by_what_changed(self, quay):
        backfill_slice(quay, *WEEK, state="done")
        complete(quay)

        assert not self.missing(quay, DAY + timedelta(days=300)).places

    def test_another_backfill_moves_the_beginning(self, quay):
        backfill_slice(quay, *WEEK, state="done")
        complete(quay)
        backfill_slice(quay, DAY - timedelta(days=60), WEEK[0], state="done")

        assert not self.missing(quay, DAY - timedelta(days=30)).places

    def test_a_cancelled_one_does_not(self, quay):
        backfill_slice(quay, *WEEK, state="done")
        complete(quay)
        backfill_slice(quay, DAY - timedelta(days=60), WEEK[0], job=Job.State.CANCELLED)

        assert self.missing(quay, DAY - timedelta(days=30)).before_copy == [quay]

    def test_a_place_of_which_no_backfill_is_known_has_no_beginning(self, quay):
        complete(quay)

        assert not self.missing(quay, DAY - timedelta(days=3000)).places

    def test_of_several_places_those_are_named_and_dated_that_begin_later(self, quay, loft, cellar):
        backfill_slice(quay, *WEEK, state="done")
        backfill_slice(loft, DAY - timedelta(days=90), DAY, state="done")
        backfill_slice(cellar, DAY - timedelta(days=9), DAY)
        for place in (quay, loft):
            complete(place)
        first_reading.DOUBTFUL.clear()

        missing = first_reading.missing_on(DAY - timedelta(days=8), [quay, loft, cellar])
        assert missing.places == [cellar, quay]
        assert missing.begins == WEEK[0] + timedelta(days=1)
        assert missing.words.endswith(": Quay")

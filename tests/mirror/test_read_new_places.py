"""A restaurant that is set up after its group was read: it is read over the same days by itself."""

from datetime import timedelta
from uuid import uuid4

import pytest

from mirror.health import first_reading
from mirror.jobs import lifecycle, new_places
from mirror.models import Completeness, Job, Slice
from partner import testing
from partner.models import Connection
from restaurants.models import Restaurant
from tests.mirror.conftest import NOW
from tests.mirror.jobs import TODAY

pytestmark = pytest.mark.django_db
SINCE, UNTIL = TODAY - timedelta(days=30), TODAY + timedelta(days=60)


@pytest.fixture
def read(harbour):
    """The group's first copy: bookings of the whole group, reviews of each restaurant."""
    job = Job.objects.create(
        purpose=Job.Purpose.BACKFILL,
        since=SINCE,
        until=UNTIL,
        state=Job.State.DONE,
        started_at=NOW,
        connection=harbour.connection,
    )
    places = [("reservation", None), *(("review", one.uuid) for one in harbour.restaurants.all())]
    for position, (kind, restaurant) in enumerate(places):
        Slice.objects.create(
            job=job,
            position=position,
            kind=kind,
            group_uuid=harbour.uuid,
            restaurant_uuid=restaurant,
            since=SINCE - timedelta(days=1),
            until=UNTIL + timedelta(days=1),
            by="mealDate",
            state=Slice.State.DONE,
            not_before=NOW,
        )
    Completeness.objects.create(
        kind="reservation",
        group_uuid=harbour.uuid,
        restaurant_uuid=Completeness.WHOLE_GROUP,
        complete_at=NOW,
    )
    return job


@pytest.fixture
def joined(read, harbour):
    return Restaurant.objects.create(
        uuid=uuid4(), name="Pier", group=harbour, timezone="Europe/Paris"
    )


def is_unread(place):
    first_reading.DOUBTFUL.clear()
    return first_reading.unread_on(TODAY, [place]) == [place]


def test_it_works(joined, harbour):
    (job,) = new_places.read_new_places(now=NOW)

    assert (job.since, job.until, job.connection) == (SINCE, UNTIL, harbour.connection)
    pieces = Slice.objects.filter(job=job)
    assert set(pieces.values_list("kind", flat=True)) == {"reservation", "review"}
    assert set(pieces.values_list("restaurant_uuid", flat=True)) == {joined.uuid}
    assert set(pieces.values_list("group_uuid", flat=True)) == {harbour.uuid}


def test_it_is_read_once(joined):
    new_places.read_new_places(now=NOW)

    assert new_places.read_new_places(now=NOW) == []


def test_those_that_were_read_with_their_group_are_not_read_again(read):
    assert new_places.read_new_places(now=NOW) == []


def test_before_the_first_copy_nothing_is_read(quay):
    assert new_places.read_new_places(now=NOW) == []


def test_a_copy_of_single_restaurants_reads_no_others(joined, quay):
    Slice.objects.filter(restaurant_uuid=None).update(restaurant_uuid=quay.uuid)

    assert new_places.read_new_places(now=NOW) == []


def test_what_a_person_cancelled_does_not_begin_again(joined):
    new_places.read_new_places(now=NOW)
    Job.objects.update(state=Job.State.CANCELLED)

    assert new_places.read_new_places(now=NOW) == []


def test_of_a_paused_connection_nothing_is_read(joined, harbour):
    harbour.connection = testing.connection()
    harbour.save()
    Connection.objects.update(state=Connection.State.PAUSED)

    assert new_places.read_new_places(now=NOW) == []


class TestBoards:
    """Until it is read, no booking does not mean that nobody comes."""

    def test_it_works(self, joined, quay):
        assert is_unread(joined)
        assert not is_unread(quay)

    def test_while_it_is_read(self, joined, quay):
        new_places.read_new_places(now=NOW)

        assert is_unread(joined)
        assert not is_unread(quay)

    def test_a_day_is_read_before_the_rest(self, joined):
        new_places.read_new_places(now=NOW)
        bookings = Slice.objects.filter(job__state=Job.State.RUNNING, kind="reservation")
        bookings.filter(since__lte=TODAY, until__gte=TODAY).update(state=Slice.State.DONE)

        assert not is_unread(joined)

    def test_afterwards(self, joined):
        (job,) = new_places.read_new_places(now=NOW)
        Slice.objects.update(state=Slice.State.DONE)
        Job.objects.filter(pk=job.pk).update(state=Job.State.DONE)

        assert not is_unread(joined)

    def test_one_that_is_read_again_by_itself_is_not_new(self, read, quay):
        lifecycle.backfill(since=SINCE, until=UNTIL, now=NOW, restaurants=[quay])

        assert not is_unread(quay)

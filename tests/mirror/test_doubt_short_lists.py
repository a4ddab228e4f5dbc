"""A list that names far less than is known proves nothing, and people hear of it."""

from datetime import UTC, date, datetime, timedelta
from uuid import uuid4

import pytest

from customers import sync as customers
from customers.models import Customer
from customers.testing import make_customer
from mirror import kinds
from mirror.health import sections
from mirror.jobs import completeness, lifecycle, short_lists
from mirror.kinds import EntityLocation
from mirror.models import Job, Slice, SyncRequest
from mirror.queue import retry_schedule
from mirror.queue.worker_loop import process_queue
from partner import errors
from reservations import sync as reservations
from reservations.testing import make_reservation
from reviews import sync as reviews
from reviews.testing import make_review
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
KNOWN = 40


def held(location, _start, _end, _by):
    rows = Customer.objects.filter(group__uuid=location.group_uuid, presence="present")
    return rows.values_list("uuid", flat=True)


class ListedGroup:
    """A filled copy of one group, and the list that its service shows from now on."""

    def __init__(self, service, group):
        self.service, self.group, self.now = service, group, NOW
        self.service.guests = {uuid4(): f"Guest {number}" for number in range(KNOWN)}
        self.kind = kinds.get("customer")
        self.show(list(service.guests))
        object.__setattr__(self.kind, "held", held)
        self.run(
            lifecycle.backfill(since=NOW.date() - timedelta(days=3), until=NOW.date(), now=NOW)
        )
        self.sweep()

    def show(self, uuids):
        object.__setattr__(self.kind, "list", lambda *_args: iter(list(uuids)))

    def show_nothing_but(self, error):
        def refuse(*_args):
            raise error

        object.__setattr__(self.kind, "list", refuse)

    def run(self, job):
        """Read until the job ends, for a minute at most: a 404 is believed at the second read."""
        for _look in range(6):
            lifecycle.advance(now=self.now)
            process_queue(now=lambda: self.now)
            lifecycle.advance(now=self.now)
            self.now += timedelta(seconds=11)
        job.refresh_from_db()
        return job

    def sweep(self, *, after=HOUR):
        self.now += after
        return self.run(lifecycle.sweep(now=self.now))

    def slice_of(self, job):
        return job.slices.get(group_uuid=self.group.uuid)

    @property
    def proven(self):
        return completeness.proven("customer", EntityLocation(self.group.uuid))

    @property
    def present(self):
        return Customer.objects.filter(presence="present").count()

    def lists(self):
        parts = sections.sections(self.now)
        return next(part for part in parts if part.name == "lists")

    @property
    def notified(self):
        return self.lists().state == sections.LATE


@pytest.fixture
def installation(service, harbour):
    return ListedGroup(service, harbour)


class TestSweeps:
    def test_it_works(self, installation):
        before = installation.proven
        job = installation.sweep()

        assert (job.state, installation.slice_of(job).state) == (Job.State.DONE, Slice.State.DONE)
        assert installation.proven > before
        assert not installation.notified

    @pytest.mark.parametrize("named", [0, 5, 19])
    def test_nothing_is_concluded_from_a_short_list(self, installation, named):
        before, reads = installation.proven, len(installation.service.reads)
        installation.show(list(installation.service.guests)[:named])
        job = installation.sweep()
        piece = installation.slice_of(job)

        assert (job.state, piece.state) == (Job.State.DONE, Slice.State.SHORT)
        assert (piece.found, piece.held) == (named, KNOWN)
        assert "far less than is known" in piece.sentence
        assert installation.proven == before
        assert installation.present == KNOWN
        assert len(installation.service.reads) == reads + named

    def test_people_are_notified_until_a_sweep_lists_it_whole(self, installation):
        installation.show([])
        installation.sweep()
        assert installation.notified
        assert "1 list of the service" in installation.lists().sentence

        installation.show(list(installation.service.guests))
        before = installation.proven
        installation.sweep()
        assert not installation.notified
        assert installation.proven > before

    def test_the_next_sweep_reaches_back_to_what_is_proven(self, installation):
        installation.show([])
        for _sweep in range(3):
            installation.sweep(after=timedelta(days=1))
        installation.show(list(installation.service.guests))
        job = installation.sweep()

        assert installation.slice_of(job).since <= NOW.date()

    @pytest.mark.parametrize("named", [20, 35, KNOWN])
    def test_a_list_that_names_most_is_believed(self, installation, named):
        installation.show(list(installation.service.guests)[:named])

        assert installation.slice_of(installation.sweep()).state == Slice.State.DONE

    def test_other_places_are_not_held_up(self, installation, hill):
        installation.show([])
        job = installation.sweep()

        assert job.slices.get(group_uuid=hill.uuid).state == Slice.State.DONE


class TestListsThatStayShort:
    """After hours the records are requested one by one, and their own answers count."""

    def test_what_is_gone_is_marked_by_its_own_404(self, installation):
        installation.show([])
        gone = list(installation.service.guests)[:30]
        for uuid in gone:
            del installation.service.guests[uuid]
        installation.show(installation.service.guests)
        installation.sweep()
        installation.sweep()
        assert installation.present == KNOWN
        before = installation.proven

        job = installation.sweep()
        assert installation.present == KNOWN - len(gone)
        assert installation.slice_of(job).state == Slice.State.DONE
        assert installation.proven > before
        assert not installation.notified

    def test_what_exists_stays_and_the_list_proves_nothing(self, installation):
        installation.show([])
        before = installation.proven
        for _sweep in range(3):
            installation.sweep()
        reads = len(installation.service.reads)

        assert installation.present == KNOWN
        assert installation.proven == before
        assert installation.notified
        installation.sweep()
        assert len(installation.service.reads) == reads  # not every hour, but every few

    def test_three_lists_within_minutes_are_not_hours(self, installation):
        installation.show([])
        reads = len(installation.service.reads)
        for _sweep in range(4):
            installation.sweep(after=timedelta(minutes=5))

        assert len(installation.service.reads) == reads


class TestBackfills:
    def backfill(self, installation):
        day = installation.now.date()
        return installation.run(lifecycle.backfill(since=day, until=day, now=installation.now))

    def test_it_lists_again_itself(self, installation):
        installation.show([])
        job = self.backfill(installation)
        assert (job.state, installation.slice_of(job).state) == (
            Job.State.RUNNING,
            Slice.State.WAITING,
        )
        assert installation.notified

        installation.show(list(installation.service.guests))
        installation.now += short_lists.AGAIN
        assert installation.run(job).state == Job.State.DONE
        assert not installation.notified

    def test_it_ends_although_the_list_stays_short(self, installation):
        installation.show([])
        job = self.backfill(installation)
        for _listing in range(3):
            installation.now += short_lists.AGAIN * 1.5
            installation.run(job)

        assert job.state == Job.State.DONE
        assert installation.present == KNOWN


class TestAnswersThatAreNoList:
    @pytest.mark.parametrize(
        "error", [errors.Foreign(method="GET", code="NOT_A_LIST"), errors.EndpointHeld()]
    )
    def test_a_sweep_lists_again_and_leaves_it_to_the_next(self, installation, error):
        before = installation.proven
        installation.show_nothing_but(error)
        job = installation.sweep()
        assert installation.slice_of(job).state == Slice.State.WAITING
        assert "something else" in installation.slice_of(job).sentence

        for _try in range(retry_schedule.MOST_MALFORMED):
            installation.now += timedelta(minutes=20)
            installation.run(job)
        assert (job.state, installation.slice_of(job).state) == (Job.State.DONE, Slice.State.FAILED)
        assert installation.proven == before

    def test_a_backfill_waits_for_as_long_as_it_takes(self, installation):
        installation.show_nothing_but(errors.Foreign(method="GET", code="NOT_A_LIST"))
        day = installation.now.date()
        job = lifecycle.backfill(since=day, until=day, now=installation.now)
        for _try in range(retry_schedule.MOST_MALFORMED * 2):
            installation.now += timedelta(minutes=20)
            installation.run(job)
        assert job.state == Job.State.RUNNING

        installation.show(list(installation.service.guests))
        installation.now += timedelta(minutes=20)
        assert installation.run(job).state == Job.State.DONE
        assert not SyncRequest.objects.exclude(state=SyncRequest.State.SETTLED).exists()


@pytest.mark.parametrize(
    ("found", "known", "is_short"),
    [
        (0, 0, False),
        (0, 19, False),
        (0, 20, True),
        (20, 39, False),
        (19, 40, True),
        (20, 40, False),
    ],
)
def test_the_share_and_the_number_count(found, known, is_short):
    assert short_lists.is_short(found, held=known) is is_short


def test_both_are_settings(settings):
    settings.MIRROR_SHORT_LIST_PERCENT, settings.MIRROR_SHORT_LIST_MISSING = 90, 5
    assert short_lists.is_short(80, held=100)

    settings.MIRROR_SHORT_LIST_PERCENT = 0
    assert not short_lists.is_short(0, held=100_000)


class TestWhatAListMustName:
    """Only what is present, in these UTC days, at this place."""

    DAY = date(2026, 11, 20)
    IN, OUT = datetime(2026, 11, 20, 23, 59, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)

    def named(self, sync, place, by="mealDate", *, restaurant=True):
        location = EntityLocation(place.group.uuid, place.uuid if restaurant else None)
        return set(sync.held(location, self.DAY, self.DAY, by))

    @pytest.mark.parametrize(
        ("by", "field"), [("mealDate", "meal_at"), ("updatedDate", "updated_at")]
    )
    def test_bookings(self, quay, loft, cellar, by, field):
        here = make_reservation(quay, **{field: self.IN})
        sibling = make_reservation(loft, **{field: self.IN})
        make_reservation(quay, **{field: self.OUT})
        make_reservation(quay, presence="gone", **{field: self.IN})
        make_reservation(cellar, **{field: self.IN})

        assert self.named(reservations, quay, by) == {here.uuid}
        assert self.named(reservations, quay, by, restaurant=False) == {here.uuid, sibling.uuid}

    def test_guests(self, quay, hill):
        here = make_customer(quay.group, last_update_date=self.IN)
        make_customer(quay.group, last_update_date=self.OUT)
        make_customer(quay.group, last_update_date=None)
        make_customer(hill, last_update_date=self.IN)

        assert self.named(customers, quay, "updatedDate") == {here.uuid}

    def test_reviews(self, quay, cellar):
        here = make_review(quay, meal_at=self.IN)
        commented = make_review(quay, meal_at=self.IN, comment_status="PUBLISHED")
        make_review(quay, meal_at=self.IN, comment_status="NOT_REVIEWED")
        make_review(quay, meal_at=self.IN, is_valid=False)
        make_review(quay, meal_at=self.OUT)
        make_review(cellar, meal_at=self.IN)

        assert self.named(reviews, quay) == {here.uuid, commented.uuid}

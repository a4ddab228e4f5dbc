"""Bookings of the days to come that the service names no more, without an event.

Deleted there, or moved to another account, whose key is another: they must not stay on the boards.
"""

import copy
from dataclasses import replace
from datetime import timedelta
from functools import partial
from types import SimpleNamespace
from uuid import uuid4

import pytest

from mirror import kinds
from mirror.jobs import completeness, lifecycle, short_lists
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, Slice, SyncRequest
from mirror.queue import parked, sync_requests
from mirror.queue.worker_loop import process_queue
from partner import errors, testing
from partner.payloads.paging import COUNTED_MORE, MORE_THAN_SHOWN, TOO_MANY_PAGES
from reservations.models import Reservation
from reservations.testing import make_reservation
from restaurants import directory
from restaurants.models import Group
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db


class Bookings:
    """A service that names some bookings, and answers the read of each as a test sets it."""

    def __init__(self):
        self.named, self.answers, self.reads = [], {}, []
        self.list_fault = None
        self.readable = set()

    def list(self, _client, _location, _start, _end, by):
        if self.list_fault:
            raise self.list_fault
        return iter(self.named if by == "mealDate" else [])

    def fetch(self, _client, uuid):
        self.reads.append(uuid)
        if uuid in self.readable:
            return SimpleNamespace(raw="{}", payload={}, drift=(), started_at=NOW)
        raise self.answers.get(uuid, errors.NotOurs(status=401))

    def sweep(self, *, after=timedelta(0)):
        """With what follows within an hour: second looks, and reads that are repeated."""
        now = NOW + after
        job = lifecycle.sweep(now=now)
        for minutes in (0, 1, 3, 10, 20, 40):
            at = now + timedelta(minutes=minutes)
            parked.retry_passing(now=at)
            lifecycle.advance(now=at)
            process_queue(now=partial(lambda at: at, at))
            lifecycle.advance(now=at)
        return job


@pytest.fixture
def bookings(monkeypatch, quay):
    testing.connection()
    directory.clear()
    service = Bookings()
    kind = replace(
        kinds.get("reservation"),
        list=service.list,
        fetch=service.fetch,
        build=lambda _answer, _location, existing: copy.copy(existing),
    )
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    yield service
    directory.clear()


@pytest.fixture
def booking(bookings, quay):
    return booked(quay)


@pytest.fixture
def other(bookings, quay):
    """Another booking of the restaurant, which the list names as long as it may be read."""
    row = booked(quay)
    bookings.named = [row.uuid]
    return row


def booked(restaurant):
    restaurant.group.refresh_from_db()
    row = make_reservation(restaurant, meal_at=NOW + timedelta(days=2))
    ref = EntityRef("reservation", row.uuid, EntityLocation(restaurant.group.uuid, restaurant.uuid))
    sync_requests.request([ref], priority=Priority.BACKFILL, now=NOW - timedelta(days=9))
    SyncRequest.objects.update(state="settled", served=1, settled_at=NOW - timedelta(days=9))
    return row


def presence(booking):
    return Reservation.objects.get(pk=booking.pk).presence


@pytest.mark.parametrize("answer", [errors.NotOurs(status=401), errors.NotFound(status=404)])
def test_it_works(bookings, booking, other, answer):
    bookings.answers[booking.uuid] = answer
    bookings.sweep()

    assert presence(booking) == "gone"
    assert SyncRequest.objects.get(uuid=booking.uuid).problem == "gone"
    assert not parked.rows().exists()
    assert presence(other) == "present"


class TestARestaurantOfWhichNothingIsNamed:
    """The right to read it is lost, rather than every booking moved."""

    @pytest.fixture
    def lost(self, bookings, quay, loft):
        bookings.named = [booked(loft).uuid]
        return [booked(quay) for _ in range(5)]

    def test_its_bookings_stay_and_their_reads_are_shown(self, bookings, lost):
        for hour in range(3):
            bookings.sweep(after=timedelta(hours=hour))

        assert {presence(row) for row in lost} == {"present"}
        assert parked.rows().count() == 5

    def test_when_the_right_returns_nothing_is_left_to_do(self, bookings, lost):
        bookings.sweep()
        bookings.named += [row.uuid for row in lost]
        bookings.readable = {row.uuid for row in lost}
        bookings.sweep(after=timedelta(hours=2))

        assert {presence(row) for row in lost} == {"present"}
        assert not parked.rows().exists()

    def test_those_that_do_not_exist_go(self, bookings, lost):
        bookings.answers = dict.fromkeys((row.uuid for row in lost), errors.NotFound(status=404))
        bookings.sweep()

        assert {presence(row) for row in lost} == {"gone"}


class TestNamedAgain:
    """What was marked gone, and the list names, returns without an event."""

    @pytest.fixture
    def gone(self, bookings, booking, other):
        bookings.sweep()
        assert presence(booking) == "gone"
        bookings.reads.clear()
        bookings.named.append(booking.uuid)
        return booking

    def test_it_returns(self, bookings, gone):
        bookings.readable.add(gone.uuid)
        bookings.sweep(after=timedelta(hours=1))

        assert presence(gone) == "present"
        assert bookings.reads == [gone.uuid]

    def test_also_from_a_list_that_leaves_out_most(self, bookings, gone, quay):
        for _ in range(30):
            make_reservation(quay, uuid=uuid4(), meal_at=NOW + timedelta(days=3))
        bookings.readable.add(gone.uuid)
        bookings.sweep(after=timedelta(hours=1))

        assert presence(gone) == "present"
        assert bookings.reads == [gone.uuid]

    def test_what_does_not_exist_stays_gone(self, bookings, gone):
        bookings.answers[gone.uuid] = errors.NotFound(status=404)
        bookings.sweep(after=timedelta(hours=1))

        assert presence(gone) == "gone"

    def test_so_many_of_one_list_are_read(self, bookings, gone, quay, monkeypatch):
        """The last to go first: they may return, and one that never can stands in no way."""
        monkeypatch.setattr(short_lists, "MOST_RETURNING", 1)
        old = make_reservation(quay, presence="gone", meal_at=NOW + timedelta(days=2))
        bookings.named.append(old.uuid)
        bookings.readable.add(gone.uuid)
        bookings.sweep(after=timedelta(hours=1))

        assert set(bookings.reads) == {gone.uuid}


def test_one_that_is_named_is_not_even_read(bookings, booking):
    bookings.named = [booking.uuid]
    bookings.sweep()

    assert bookings.reads == []
    assert presence(booking) == "present"


@pytest.mark.parametrize(
    "fault", [errors.Unavailable(status=503), errors.Malformed(), errors.MissingScope(status=403)]
)
def test_no_answer_and_no_right_say_nothing(bookings, booking, fault):
    bookings.answers[booking.uuid] = fault
    bookings.sweep()

    assert presence(booking) == "present"


def test_refused_but_named_it_stays(bookings, booking, quay):
    """As far as the list goes it is the account's own."""
    bookings.named = [booking.uuid]
    ref = EntityRef("reservation", booking.uuid, EntityLocation())
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    bookings.sweep()

    assert len(bookings.reads) == 3
    assert presence(booking) == "present"


def test_refused_long_after_a_list_that_left_it_out_it_stays(bookings, booking):
    bookings.answers[booking.uuid] = errors.MissingScope(status=403)
    bookings.sweep()
    del bookings.answers[booking.uuid]
    bookings.named = [booking.uuid]
    ref = EntityRef("reservation", booking.uuid, EntityLocation())
    later = NOW + timedelta(hours=5)
    sync_requests.request([ref], priority=Priority.EVENT, now=later)
    bookings.sweep(after=timedelta(hours=5))

    assert presence(booking) == "present"


@pytest.mark.parametrize("fault", [errors.NotOurs(status=401), errors.Unavailable(status=503)])
def test_without_a_list_nothing_is_concluded(bookings, booking, fault):
    bookings.list_fault = fault
    bookings.sweep()

    assert bookings.reads == []
    assert presence(booking) == "present"


def test_a_list_that_is_probably_falsely_empty_says_nothing(bookings, booking, quay):
    for _ in range(30):
        make_reservation(quay, uuid=uuid4(), meal_at=NOW + timedelta(days=3))
    bookings.sweep()

    assert bookings.reads == []


def test_a_list_that_counts_too_many_is_left_out_for_this_sweep(bookings, booking):
    walks = []

    def cut(_client, _location, _start, _end, by):
        if by == "mealDate":
            walks.append(by)
            raise errors.Malformed(method="GET", code=COUNTED_MORE)
        return iter(())

    object.__setattr__(kinds.get("reservation"), "list", cut)
    job = bookings.sweep()

    left_out = job.slices.filter(by=completeness.UNNAMED)
    assert {piece.state for piece in left_out} == {Slice.State.SHORT}
    assert all(piece.sentence for piece in left_out)
    assert len(walks) == left_out.count() == Group.objects.count()
    assert bookings.reads == []
    assert presence(booking) == "present"


@pytest.mark.parametrize("code", [MORE_THAN_SHOWN, TOO_MANY_PAGES])
def test_a_list_of_which_a_part_is_shown_is_cut_until_the_whole_is(bookings, booking, code):
    """The service shows five days at most: what it names no more is noticed all the same."""

    def capped(_client, _location, start, end, by):
        if by == "mealDate" and end - start > timedelta(days=5):
            raise errors.Malformed(method="GET", code=code)
        return iter(())

    object.__setattr__(kinds.get("reservation"), "list", capped)
    job = bookings.sweep()

    cut = job.slices.filter(by=completeness.UNNAMED)
    assert max(piece.until - piece.since for piece in cut) <= timedelta(days=5)
    assert {piece.state for piece in cut} & {Slice.State.FAILED, Slice.State.SHORT} == set()
    assert booking.uuid in bookings.reads


def test_it_proves_nothing_of_what_has_changed(bookings, booking, quay):
    """And where it fails the changes are proven all the same."""
    place = EntityLocation(quay.group.uuid)
    bookings.sweep()

    assert completeness.proven("reservation", place) == NOW

"""A booking without a date, made before the product was set up, is found by a backfill."""

import json
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID, uuid4

import pytest

from mirror.jobs import lifecycle
from mirror.models import Job, Slice
from mirror.queue.worker_loop import process_queue
from partner.testing import FakeTransport, recorded, speak_through
from reservations.models import Reservation
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db
TODAY = NOW.date()


class Bookings:
    """A service that lists by meal date only what has one, as it must."""

    def __init__(self, place):
        self.place = place
        self.dates: dict[str, str | None] = {}

    def add(self, meal_date):
        uuid = str(uuid4())
        self.dates[uuid] = meal_date
        return UUID(uuid)

    def list(self, request):
        query = parse_qs(urlsplit(request.path).query)
        first, last = query["startDate"][0], query["endDate"][0]
        by_meal = query["filterBy"] == ["mealDate"]
        named = [
            uuid
            for uuid, at in self.dates.items()
            if (at and first <= at[:10] <= last if by_meal else first <= str(TODAY) <= last)
        ]
        page = named if query["page"] == ["1"] else []
        return 200, {"data": page, "totalCount": len(named), "page": 1, "limit": 100}

    def read(self, request):
        uuid = request.path.rpartition("/")[2]
        known = {"reservationUuid": uuid, "restaurantUuid": str(self.place.uuid)}
        known |= {"mealDate": self.dates[uuid], "customerUuid": None}
        return 200, json.dumps(recorded("get_reservation") | known)


@pytest.fixture
def bookings(quay):
    return Bookings(quay)


@pytest.fixture
def transport(bookings):
    transport = FakeTransport(list_reservations=bookings.list, get_reservation=bookings.read)
    speak_through(transport)
    return transport


def finish(job):
    for _ in range(10):
        lifecycle.advance(now=NOW)
        process_queue(now=lambda: NOW)
    job.refresh_from_db()
    return job


def backfill(**options):
    known = {"since": TODAY - timedelta(days=40), "until": TODAY + timedelta(days=20), "now": NOW}
    return finish(lifecycle.backfill(**known | options, kind_names=["reservation"]))


def test_it_works(transport, bookings):
    dated, undated = bookings.add(f"{TODAY}T20:00:00+01:00"), bookings.add(None)

    assert backfill().state == Job.State.DONE
    assert set(Reservation.objects.values_list("uuid", flat=True)) == {dated, undated}
    assert Reservation.objects.undated().get().uuid == undated


def test_nothing_is_read_twice(transport, bookings):
    for days in range(-3, 4):
        bookings.add(f"{TODAY + timedelta(days=days)}T20:00:00+01:00")
    bookings.add(None)
    backfill()

    paths = [request.path for request in transport.sent("get_reservation")]
    assert len(paths) == len(set(paths)) == 8


def test_today_is_read_before_it(transport, bookings):
    job = lifecycle.backfill(since=TODAY, until=TODAY, now=NOW, kind_names=["reservation"])

    bys = list(job.slices.values_list("by", flat=True))
    assert bys == ["mealDate", "mealDate", "undated", "undated"]  # of two groups


def test_no_day_to_come_is_requested_by_update(transport, bookings):
    job = lifecycle.backfill(
        since=TODAY + timedelta(days=30),
        until=TODAY + timedelta(days=60),
        now=NOW,
        kind_names=["reservation"],
    )

    assert not job.slices.filter(by="undated").exists()


def test_one_restaurant_is_listed_by_itself(transport, bookings, quay, loft):
    bookings.add(None)
    job = backfill(restaurants=[quay])

    undated = job.slices.filter(by="undated")
    assert set(undated.values_list("restaurant_uuid", flat=True)) == {quay.uuid}
    assert not undated.exclude(state=Slice.State.DONE).exists()

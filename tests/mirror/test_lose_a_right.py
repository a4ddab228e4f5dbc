"""A restaurant that the service refuses: its boards say so, and recover when the right returns."""

from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.rights import Role
from mirror.health import freshness, refused_places, sections
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, Slice, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import sync_requests
from partner import errors, testing
from partner.models import Budget, Connection, Token
from reservations.models import Reservation
from restaurants.testing import make_member, make_restaurant, sign_in
from tests.mirror.conftest import NOW
from tests.mirror.test_notice_unnamed import booked, bookings  # noqa: F401  # a fixture

pytestmark = pytest.mark.django_db
LATER = NOW + timedelta(hours=2)


@pytest.fixture
def lost(bookings, quay, loft):  # noqa: F811
    """The account's list names another restaurant's bookings only; their reads are refused."""
    Budget.objects.create(connection=Connection.objects.get(), rate=5)
    bookings.named = [booked(loft).uuid]
    bookings.readable = set(bookings.named)
    return [booked(quay) for _ in range(5)]


def freshness_at(place, *, at):
    """While events of the account's other restaurants arrive."""
    heartbeat.beat(heartbeat.of_events(Connection.objects.get().pk), now=at)
    refused_places.REFUSED.clear()
    with time_machine.travel(at, tick=False):
        (found,) = (one for one in freshness.of_accounts([], now=at) if one.uuid == place.uuid)
        return found.state, found.words


def board(client, place, *, at):
    refused_places.REFUSED.clear()
    with time_machine.travel(at, tick=False):
        page = client.get(f"{reverse('live:alerts')}?scope={place.uuid}")
    return page.content.decode()


def test_it_works(bookings, lost, quay, loft):  # noqa: F811
    bookings.sweep()

    assert freshness_at(quay, at=NOW + timedelta(minutes=50)) == ("stale", "Not read since 20:00")
    assert freshness_at(loft, at=NOW + timedelta(minutes=50)) == ("live", "Live")


def test_everybody_reads_what_did_not_happen(bookings, lost, quay, loft, cast):  # noqa: F811
    bookings.sweep()
    client = sign_in(cast.alice)

    assert f"{quay.name}: not read since 20:00" in board(client, quay, at=NOW)
    assert "not read" not in board(client, loft, at=NOW)
    with time_machine.travel(NOW + timedelta(minutes=50), tick=False):
        everywhere = client.get("/?scope=").content.decode()
    assert f"{quay.name}: not read since 20:00 UTC+1, because" in everywhere
    assert "Not read since 20:00 UTC+1<" in everywhere


@pytest.mark.parametrize(
    ("token", "problem"),
    [({"suspect_since": NOW}, "not-ours"), ({"scopes": "svc-restaurant:customers"}, "scope")],
    ids=["refused everywhere", "without the right to bookings"],
)
def test_of_a_refused_key_the_advice_names_the_key(bookings, lost, alice, token, problem):  # noqa: F811
    bookings.sweep()
    SyncRequest.objects.filter(problem="not-ours").update(problem=problem)
    account = Connection.objects.get()
    Token.objects.update_or_create(connection=account, identity=account.identity, defaults=token)
    shown = board(sign_in(alice), lost[0].restaurant, at=NOW)

    assert f"{lost[0].restaurant.name}: not read since 20:00" in shown
    assert "refuses the key" in shown
    assert "compares the identifier" not in shown


def test_of_two_accounts_each_has_the_advice_of_its_own(bookings, lost, quay, hill, alice):  # noqa: F811
    hill.connection = testing.connection(name="Second", scopes="svc-restaurant:offers")
    hill.save()
    make_member(alice, hill, Role.MANAGER)
    mill = make_restaurant(hill)
    rows = [booked(mill).uuid for _ in range(2)]
    bookings.sweep()
    SyncRequest.objects.filter(uuid__in=rows).update(state="parked", problem="scope")
    refused_places.REFUSED.clear()
    shown = sign_in(alice).get(f"{reverse('live:alerts')}?scope=").content.decode()

    assert "Mill: not read since" in shown
    assert f"{quay.name}: not read since" in shown
    assert "refuses the key" in shown
    assert "compares the identifier" in shown


def test_two_stay_refused_while_one_of_them_is_read_again(bookings, lost, quay):  # noqa: F811
    """Once an hour: it waits, or is being read, while the other is parked."""
    Reservation.objects.filter(pk__in=[row.pk for row in lost[2:]]).delete()
    bookings.sweep()
    for state in (SyncRequest.State.WAITING, SyncRequest.State.WORKING):
        SyncRequest.objects.filter(uuid=lost[0].uuid).update(state=state)
        found = freshness_at(quay, at=NOW + timedelta(minutes=50))
        assert found == ("stale", "Not read since 20:00")


def test_health_names_it(bookings, lost, quay):  # noqa: F811
    bookings.sweep()
    refused_places.REFUSED.clear()
    with time_machine.travel(NOW + timedelta(minutes=50)):
        (part,) = (one for one in sections.sections(NOW) if one.name == "freshness")

    assert part.state == "late"
    assert (quay.label, "Not read since 20:00") in part.rows


def test_when_the_right_returns_it_is_live_with_the_first_answer(bookings, lost, quay):  # noqa: F811
    bookings.sweep()
    bookings.named += [row.uuid for row in lost]
    bookings.readable |= {row.uuid for row in lost}
    bookings.sweep(after=timedelta(hours=2))

    assert freshness_at(quay, at=LATER + timedelta(minutes=50)) == ("live", "Live")


def test_also_if_only_events_were_refused(bookings, lost, quay):  # noqa: F811
    bookings.named += [row.uuid for row in lost]  # the list names them all the same
    refs = [EntityRef("reservation", row.uuid, location(quay)) for row in lost[:2]]
    sync_requests.request(refs, priority=Priority.EVENT, now=NOW)
    bookings.sweep()
    assert freshness_at(quay, at=NOW + timedelta(minutes=50))[0] == "stale"

    bookings.readable |= {row.uuid for row in lost}
    bookings.sweep(after=timedelta(hours=2))
    assert freshness_at(quay, at=LATER + timedelta(minutes=50)) == ("live", "Live")


def location(place):
    return EntityLocation(place.group.uuid, place.uuid)


def test_a_booking_that_alone_is_refused_has_moved(bookings, lost, quay):  # noqa: F811
    bookings.named += [row.uuid for row in lost]
    ref = EntityRef("reservation", lost[0].uuid, location(quay))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    bookings.sweep()

    assert SyncRequest.objects.get(uuid=lost[0].uuid).problem == "not-ours"
    assert freshness_at(quay, at=NOW + timedelta(minutes=50)) == ("live", "Live")


def test_the_only_booking_that_is_refused_has_moved(bookings, lost, quay):  # noqa: F811
    """Another account has it now: nothing that is still to come is held besides."""
    Reservation.objects.filter(pk__in=[row.pk for row in lost[1:]]).delete()
    ref = EntityRef("reservation", lost[0].uuid, location(quay))
    sync_requests.request([ref], priority=Priority.EVENT, now=NOW)
    bookings.sweep()

    assert SyncRequest.objects.get(uuid=lost[0].uuid).problem == "not-ours"
    assert freshness_at(quay, at=NOW + timedelta(minutes=50)) == ("live", "Live")


def test_the_refused_list_of_its_reviews_says_it_of_one_booking(bookings, lost, quay, loft):  # noqa: F811
    """The bookings of a group are one list, which leaves out what is lost; reviews are not."""
    Reservation.objects.filter(pk__in=[row.pk for row in lost[1:]]).delete()
    bookings.sweep()
    refused_list(quay, kind="review", by="mealDate")

    assert freshness_at(quay, at=NOW + timedelta(minutes=50)) == ("stale", "Not read since 20:00")
    assert freshness_at(loft, at=NOW + timedelta(minutes=50)) == ("live", "Live")


def refused_list(place, **facts):
    """One of the last comparison."""
    job, group = Job.objects.latest("pk"), place.group.uuid
    facts |= {"group_uuid": group, "restaurant_uuid": place.uuid, "was_refused": True}
    times = {
        "since": NOW.date(),
        "until": NOW.date(),
        "listing_began_at": NOW,
        "done_at": NOW,
        "not_before": NOW,
    }
    Slice.objects.create(
        job=job, position=Slice.objects.count(), state=Slice.State.FAILED, **facts, **times
    )


def test_many_cost_a_query_more_than_none(bookings, lost, quay, django_assert_num_queries):  # noqa: F811
    bookings.sweep()
    for place in [quay, *(make_restaurant(quay.group) for _ in range(5))]:
        refused_list(place, kind="review", by="mealDate")
    refused_places.REFUSED.clear()

    with time_machine.travel(NOW), django_assert_num_queries(6):
        assert len(refused_places.REFUSED.value()) == 6


def test_two_have_moved_where_a_third_is_read(bookings, lost, quay):  # noqa: F811
    bookings.named += [row.uuid for row in lost]
    bookings.readable.add(lost[2].uuid)
    refs = [EntityRef("reservation", row.uuid, location(quay)) for row in lost[:2]]
    sync_requests.request(refs, priority=Priority.EVENT, now=NOW)
    bookings.sweep()
    Reservation.objects.filter(pk=lost[2].pk).update(read_at=NOW + timedelta(minutes=5))

    assert freshness_at(quay, at=NOW + timedelta(minutes=50)) == ("live", "Live")


def test_a_list_that_is_refused_says_it_too(bookings, lost, quay, loft):  # noqa: F811
    bookings.list_fault = errors.NotOurs(status=401)
    bookings.sweep()
    assert freshness_at(quay, at=NOW + timedelta(minutes=50))[0] == "stale"

    bookings.list_fault = None
    bookings.named += [row.uuid for row in lost]
    bookings.sweep(after=timedelta(hours=2))
    assert freshness_at(quay, at=LATER + timedelta(minutes=50)) == ("live", "Live")


def test_no_request_that_is_settled_is_read_for_it(lost, django_assert_num_queries):
    """Every page may wait for these queries, and of settled requests there are millions."""
    refused_places.REFUSED.clear()
    with django_assert_num_queries(5) as queries:
        refused_places.REFUSED.value()

    assert connection.vendor != "sqlite" or {
        "request_parked",
        "request_waiting",
        "request_working",
    } == {index for query in queries for index in indexes_of(query["sql"])}


def test_an_open_screen_costs_no_query_where_nothing_is_refused(cast):
    client = sign_in(cast.alice)
    client.get(reverse("live:alerts"))
    with CaptureQueriesContext(connection) as queries:
        client.get(reverse("live:alerts"))

    assert not [one for one in queries if 'FROM "restaurants_restaurant"' in one["sql"]]


def indexes_of(sql):
    """Those by which SQLite reads requests."""
    if connection.vendor != "sqlite" or 'FROM "mirror_syncrequest"' not in sql:
        return []
    with connection.cursor() as cursor:
        plan = cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()
    return [
        step[3].split("USING INDEX ")[-1].split()[0] for step in plan if "mirror_sync" in step[3]
    ]

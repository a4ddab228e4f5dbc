"""How old what a screen shows may be: in four states, and in words."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mirror.health import freshness, sections
from mirror.health.account_sections import freshness_section
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Completeness, Priority, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import sync_requests
from partner import testing
from partner.models import Budget, Connection
from restaurants.models import Group
from restaurants.testing import sign_in

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)  # 20:00 in Paris
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def connected():
    Budget.objects.create(connection=testing.connection(), rate=5)


def freshness_at(place):
    return next(one for one in freshness.of_accounts([], now=NOW) if one.uuid == place.uuid)


def state_of(place):
    found = freshness_at(place)
    return found.state, found.words


def hear(*, ago):
    name = heartbeat.of_events(Connection.objects.get().pk)
    heartbeat.beat(name, now=NOW - ago)


def complete(place, *, ago, kind="reservation", whole_group=False):
    Completeness.objects.create(
        kind=kind,
        group_uuid=place.group.uuid,
        restaurant_uuid=Completeness.WHOLE_GROUP if whole_group else place.uuid,
        complete_at=NOW - ago,
    )


def ask(place, *, ago, priority=Priority.EVENT):
    location = EntityLocation(None, place.uuid if place else None)
    ref = EntityRef("reservation", uuid4(), location)
    sync_requests.request([ref], priority=priority, now=NOW - ago)


def test_it_works(quay):
    hear(ago=timedelta(minutes=1))

    assert state_of(quay) == ("live", "Live")


def test_it_is_one_query_for_all_and_one_for_their_names(quay, cellar, django_assert_num_queries):
    with django_assert_num_queries(2):
        freshness.of_accounts([], now=NOW)


def test_it_polls_where_events_are_silent(quay):
    hear(ago=timedelta(minutes=50))
    complete(quay, ago=timedelta(minutes=5))

    assert state_of(quay) == ("polling", "Polling · complete to 19:55")


def test_it_is_stale_where_nothing_proves_the_silence(quay):
    complete(quay, ago=timedelta(hours=4))

    assert state_of(quay) == ("stale", "Stale · complete to 16:00")


def test_it_says_so_before_the_first_read(quay):
    assert state_of(quay) == ("stale", "Not synced yet")


def test_health_counts_who_shows_an_old_copy(quay, loft):
    account = Connection.objects.get()

    assert [
        freshness_section(account, [freshness_at(one) for one in places]).sentence
        for places in ([quay], [quay, loft])
    ] == ["1 restaurant shows an old copy.", "2 restaurants show an old copy."]


def test_it_is_stale_while_an_event_waits_to_be_read(quay, loft):
    ask(quay, ago=timedelta(minutes=3))
    hear(ago=timedelta())

    assert state_of(quay) == ("stale", "Stale · 3 min behind")
    assert state_of(loft) == ("live", "Live")


def test_a_read_that_was_refused_makes_no_screen_stale(quay):
    """A guest of another client: it names no restaurant, so that it would count for all of them."""
    hear(ago=timedelta())
    ask(None, ago=timedelta(minutes=3))
    SyncRequest.objects.update(problem="not-ours", attempts=1)

    assert state_of(quay)[0] == "live"
    assert {part.name: part.state for part in sections.sections(NOW)}["queue"] == "good"


def test_an_event_of_nobody_knows_where_concerns_all(quay, loft):
    ask(None, ago=timedelta(minutes=3))

    assert state_of(quay)[0] == state_of(loft)[0] == "stale"


def test_an_event_that_was_read_keeps_nothing_behind(quay):
    ask(quay, ago=timedelta(minutes=3))
    hear(ago=timedelta())
    SyncRequest.objects.update(state="settled", served=1)

    assert state_of(quay) == ("live", "Live")


def test_a_backfill_leaves_a_screen_live(quay):
    hear(ago=timedelta(minutes=1))
    ask(quay, ago=timedelta(minutes=30), priority=Priority.BACKFILL)

    assert state_of(quay) == ("live", "Live")


def test_a_group_that_is_complete_makes_its_restaurants_so(quay, cellar):
    complete(quay, ago=timedelta(minutes=9), whole_group=True)
    complete(quay, ago=timedelta(minutes=40))

    assert freshness_at(quay).complete_at == NOW - timedelta(minutes=9)
    assert freshness_at(cellar).complete_at is None


def test_guests_and_reviews_make_no_evening_complete(quay):
    complete(quay, ago=timedelta(minutes=5), kind="customer")

    assert freshness_at(quay).complete_at is None


def test_it_is_an_offline_copy_while_the_service_is_away(quay):
    complete(quay, ago=timedelta(minutes=5))
    Budget.objects.update(open_until=NOW.timestamp())

    assert state_of(quay) == ("offline", "Offline copy 19:55")


def test_without_a_connection_it_is_offline(quay):
    Group.objects.update(connection=None)
    Connection.objects.all().delete()

    assert state_of(quay) == ("offline", "Offline")


def test_the_copy_of_a_paused_connection_is_not_called_live(quay):
    hear(ago=timedelta())
    complete(quay, ago=timedelta())
    Connection.objects.get().pause()

    assert freshness_at(quay).state == "offline"


def test_a_connection_that_was_never_used_is_not_away(quay):
    Budget.objects.all().delete()
    hear(ago=timedelta())

    assert state_of(quay) == ("live", "Live")


def test_a_screen_reads_nothing_of_other_accounts(cast):
    other = testing.connection(name="Second")
    Group.objects.filter(pk=cast.hill.pk).update(connection=other)
    for place in (cast.quay, cast.cellar):
        complete(place, ago=timedelta(minutes=1))
    heartbeat.beat(heartbeat.of_events(other.pk), now=NOW)

    facts = freshness._facts([cast.quay])

    assert set(facts.complete) == {cast.quay.uuid}
    assert facts.heard == {}
    assert other.pk not in facts.answering


@pytest.mark.skipif(connection.vendor != "sqlite", reason="a small table is read whole there")
def test_reads_that_wait_for_another_account_are_not_looked_at(quay):
    freshness.of([quay], now=NOW)  # compiled once
    with CaptureQueriesContext(connection) as queries:
        freshness.of([quay], now=NOW)
    [sql] = [query["sql"] for query in queries if "mirror_syncrequest" in query["sql"]]
    with connection.cursor() as cursor:
        plan = [row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {sql}").fetchall()]
    steps = [step for step in plan if "mirror_syncrequest" in step]

    waiting = "request_waiting (connection_id=? AND priority<?)"
    assert [step.split("INDEX ")[-1] for step in steps][:2] == [waiting, waiting]
    assert "request_working" in steps[2]


class TestOpenPage:
    """A board stays open all evening: what its page showed when it was made grows old."""

    @pytest.fixture(autouse=True)
    def _now(self):
        with time_machine.travel(NOW, tick=False):
            yield

    def dot(self, user, **query):
        return sign_in(user).get("/live/freshness/", query).content.decode()

    def test_it_works(self, bob):
        hear(ago=timedelta(minutes=1))

        assert 'data-freshness="live"' in self.dot(bob)

    def test_an_outage_shows_on_it(self, bob):
        hear(ago=timedelta(minutes=1))
        Budget.objects.update(open_until=NOW.timestamp() + 60)

        dot = self.dot(bob)

        assert 'data-freshness="offline"' in dot
        assert "Offline copy 19:59" in dot

    def test_the_page_that_is_opened_fetches_it(self, bob):
        page = sign_in(bob).get("/").content.decode()

        assert 'hx-get="/live/freshness/"' in page

    def test_it_goes_on_being_that_of_the_chosen_restaurant(self, bob, quay):
        page = sign_in(bob).get("/", {"scope": quay.uuid}).text

        assert f'hx-get="/live/freshness/?scope={quay.uuid}"' in page

    def test_it_takes_a_sign_in(self, client):
        assert client.get("/live/freshness/").headers["Location"].startswith("/accounts/login/")

"""Insights and exports are read from a replica that is not late; everything else never is."""

from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

import psycopg
import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from bin.servers import private_copy, private_replica
from customers.testing import make_customer
from insights.sums import recount
from lib.database.replica import ALIAS, Rest
from reservations.testing import make_reservation
from restaurants.testing import sign_in
from reviews.testing import make_review

pytestmark = [
    pytest.mark.django_db(transaction=True, databases=["default", ALIAS]),
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no replica."),
]
CATCH_UP_SECONDS = 60.0  # a limit and no pause
NEVER = ("/", "/?zoom=list", "/?zoom=pulse", "/customers/", "/reviews/", "/reservations/requests/")
# More subtransactions than a server lists. A replica opens only after they have ended.
CROWDED = """
CREATE TEMPORARY TABLE crowd (number int);
DO $$ BEGIN
    FOR number IN 1..100 LOOP
        BEGIN INSERT INTO crowd VALUES (number); EXCEPTION WHEN OTHERS THEN NULL; END;
    END LOOP;
END $$"""


@pytest.fixture(scope="module")
def shared(django_db_setup):
    """The server of all workers, while one has a transaction there that keeps replicas shut."""
    url = "postgres://{USER}@{HOST}:{PORT}/{NAME}".format(**connection.settings_dict)
    with closing(psycopg.connect(url)) as neighbour:
        neighbour.execute(CROWDED)
        yield url


@pytest.fixture(scope="module")
def primary(shared):
    """A server of its own, so that the replica replays and waits for nothing but these tests."""
    before = {name: connection.settings_dict[name] for name in ("NAME", "PORT")}
    with private_copy(shared) as own:
        lead_default_to(NAME="postgres", PORT=urlsplit(own).port)
        yield
        lead_default_to(**before)


def lead_default_to(**place):
    default: Any = connections["default"]
    default.close()
    default.close_pool()
    default.settings_dict.update(place)


def start_replica():
    server = connection.settings_dict
    return private_replica(port=int(server["PORT"]), user=server["USER"])


@pytest.fixture(scope="module", autouse=True)
def port(primary):
    """A replica that the settings name. Django must know it before it permits a test to use it."""
    server = connection.settings_dict
    options = {name: value for name, value in server["OPTIONS"].items() if name != "pool"}
    mirror = {"OPTIONS": options, "TEST": server["TEST"] | {"MIRROR": "default"}}
    with start_replica() as port:
        connections.databases[ALIAS] = server | mirror | {"PORT": port}
        yield port
        connections[ALIAS].close()
        del connections.databases[ALIAS], connections[ALIAS]


@pytest.fixture(autouse=True)
def replica(port, transactional_db, settings):
    settings.DATABASE_ROUTERS = ["lib.database.replica.ReplicaRouter"]
    settings.REPLICA_WAIT = CATCH_UP_SECONDS
    Rest.until = 0.0
    yield connections[ALIAS]
    lead_to(port)


def lead_to(port):
    connections[ALIAS].close()
    connections[ALIAS].settings_dict["PORT"] = port


def rows_read(queries):
    return [one["sql"] for one in queries if " FROM " in one["sql"]]


def covers(user, replica):
    with CaptureQueriesContext(replica) as queries:
        response = sign_in(user).get(reverse("insights:show", args=["fullness"]))
    return response.context["answer"].number, rows_read(queries)


def book(quay, *, days):
    """In the past at any hour and in any zone, and within the four weeks that are shown."""
    last = datetime.now(UTC) - timedelta(days=3)
    for day in range(days):
        make_reservation(quay, meal_at=last - timedelta(days=day), party_size=4)
    recount.rebuild(quay, now=datetime.now(UTC))


def test_insights_are_read_there_with_what_was_just_written(alice, quay, replica):
    for times in (1, 2):
        book(quay, days=14)
        number, there = covers(alice, replica)

        assert number == str(4 * 14 * times)
        assert there


def test_a_late_replica_is_not_read(alice, quay, replica, settings):
    settings.REPLICA_WAIT = 0.1
    with replica.cursor() as cursor:
        cursor.execute("SELECT pg_wal_replay_pause()")
    book(quay, days=14)
    number, there = covers(alice, replica)
    with replica.cursor() as cursor:
        cursor.execute("SELECT pg_wal_replay_resume()")

    assert (number, there) == (str(4 * 14), [])


def test_one_that_was_promoted_is_not_read(alice, quay, replica, port, settings):
    settings.REPLICA_WAIT = 0.1
    book(quay, days=14)
    with start_replica() as own:
        lead_to(own)
        with replica.cursor() as cursor:
            cursor.execute("SELECT pg_promote()")
        number, there = covers(alice, replica)
        lead_to(port)

    assert (number, there) == (str(4 * 14), [])


def test_one_that_is_away_rests(alice, quay):
    lead_to(1)
    book(quay, days=14)
    response = sign_in(alice).get(reverse("insights:show", args=["fullness"]))

    assert response.context["answer"].number == str(4 * 14)
    assert Rest.until > 0


def test_files_of_guests_and_reviews_are_read_there(alice, quay, replica):
    make_customer(quay.group, last_name="Replicated")
    with transaction.atomic():
        make_review(quay)
    for name in ("customers:export_csv", "reviews:export_csv"):
        with CaptureQueriesContext(replica) as queries:
            response: Any = sign_in(alice).get(reverse(name))
            lines = b"".join(response.streaming_content).splitlines()

        assert len(lines) == 2
        assert rows_read(queries)


def test_boards_and_lists_are_never_read_there(alice, quay, replica):
    booking = make_reservation(quay)
    with CaptureQueriesContext(replica) as queries:
        for path in (*NEVER, reverse("reservations:show", args=[booking.uuid])):
            assert sign_in(alice).get(path).status_code == 200

    assert list(queries) == []

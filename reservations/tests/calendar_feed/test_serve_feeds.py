"""The calendar feed of a restaurant: its content, its readers, and its secret address."""

from datetime import UTC, date, datetime, timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
import time_machine
from auditlog.models import LogEntry
from cryptography.fernet import Fernet
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.rights import Role
from customers.testing import make_customer
from mirror.models import Mirrored
from reservations.calendar_feed import feed as feeds
from reservations.models import Feed
from reservations.testing import DINNER, make_reservation
from restaurants.models import Membership
from restaurants.testing import make_emergency_access, make_member, make_restaurant, sign_in

PAGE = "/reservations/feeds/"
NOW = DINNER - timedelta(hours=4)


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def address(quay, alice):
    """The path and query of the Quay's feed."""
    parts = urlsplit(Feed.make(quay, by=alice, now=NOW).address)
    return f"{parts.path}?{parts.query}"


def lines_of(address):
    answer = Client().get(address)
    assert answer.status_code == 200
    return answer.content.decode().replace("\r\n ", "").split("\r\n")


def test_it_works(address, quay):
    row = make_reservation(quay, party_size=4)
    answer = Client().get(address)
    lines = lines_of(address)

    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    assert f"UID:{row.uuid}" in lines
    assert "SUMMARY:4 people" in lines
    assert "DTSTART:20260117T190000Z" in lines
    assert "DTEND:20260117T204500Z" in lines  # four stay 105 minutes, assumed
    assert "STATUS:CONFIRMED" in lines
    assert "NAME:Quay: bookings" in lines


def test_it_tells_nothing_about_the_guest(address, quay, harbour):
    guest = make_customer(
        harbour,
        email="maria@example.org",
        phone="+33612345678",
        allergies_and_intolerances=["nuts"],
        is_vip=True,
    )
    notes = {"customer_note": "Window table", "restaurant_note": "Difficult last time"}
    make_reservation(quay, customer=guest, **notes)
    text = "\n".join(lines_of(address))

    personal = ("Maria", "Rossi", "maria@", "612345678", "nuts", "Window", "Difficult", "VIP")
    assert [word for word in personal if word in text] == []
    assert str(guest.uuid) not in text


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, "CONFIRMED"),
        ({"status": "REQUESTED"}, "TENTATIVE"),
        ({"status": "CANCELED"}, "CANCELLED"),
        ({"status": "REFUSED"}, "CANCELLED"),
        ({"presence": Mirrored.Presence.GONE}, "CANCELLED"),
        ({"status": "PENDING_PAYMENT"}, "TENTATIVE"),
    ],
)
def test_each_status_has_its_word(address, quay, fields, status):
    make_reservation(quay, **fields)

    assert f"STATUS:{status}" in lines_of(address)


def test_a_change_is_a_later_revision_of_the_same_event(address, quay):
    row = make_reservation(quay)
    before = lines_of(address)
    row.version, row.meal_at = 2, DINNER + timedelta(minutes=30)
    row.save()
    after = lines_of(address)

    assert f"UID:{row.uuid}" in before
    assert f"UID:{row.uuid}" in after
    assert "SEQUENCE:1" in before
    assert "SEQUENCE:2" in after


def test_it_reaches_from_yesterday_to_two_months_ahead(address, quay):
    rows = {
        days: make_reservation(quay, meal_at=DINNER + timedelta(days=days))
        for days in (-2, -1, 0, 60, 61)
    }
    lines = lines_of(address)

    assert [days for days, row in rows.items() if f"UID:{row.uuid}" in lines] == [-1, 0, 60]


def test_other_restaurants_are_not_in_it(address, loft):
    row = make_reservation(loft)

    assert f"UID:{row.uuid}" not in lines_of(address)


def test_erased_bookings_are_not_in_it(address, quay):
    row = make_reservation(quay, presence=Mirrored.Presence.ERASED)

    assert f"UID:{row.uuid}" not in lines_of(address)


def test_it_speaks_the_language_of_who_made_it(quay, alice):
    Feed.make(quay, by=alice, now=NOW)
    Feed.objects.update(language="fr")
    make_reservation(quay, party_size=4)
    feed = Feed.objects.get()

    assert "SUMMARY:4 personnes" in feeds.write(feed, now=NOW).decode()


def test_an_enormous_restaurant_has_a_bounded_feed(address, quay, monkeypatch):
    monkeypatch.setattr(feeds, "MOST", 3)
    for minutes in range(5):
        make_reservation(quay, meal_at=DINNER + timedelta(minutes=minutes))

    assert lines_of(address).count("BEGIN:VEVENT") == 3


class TestTheSecret:
    def test_without_it_there_is_nothing(self, address):
        path = address.split("?")[0]
        for wrong in ("", "?token=", "?token=wrong", f"?token={'x' * 5000}"):
            assert Client().get(path + wrong).status_code == 404

    def test_a_wrong_one_and_an_unknown_restaurant_cost_the_same(self, address, loft):
        path = address.split("?")[0]
        elsewhere = path.replace(path.split("/")[3], str(loft.uuid))
        queries = []
        for wrong in (f"{path}?token=wrong", f"{elsewhere}?token=wrong"):
            with CaptureQueriesContext(connection) as seen:
                assert Client().get(wrong).status_code == 404
            queries.append(
                [q["sql"].split(" WHERE ")[0] for q in seen if "reservations_feed" in q["sql"]]
            )

        assert queries[0] == queries[1] != []

    def test_that_of_one_restaurant_opens_no_other(self, address, loft, alice):
        Feed.make(loft, by=alice, now=NOW)
        token = parse_qs(urlsplit(address).query)["token"][0]

        assert (
            Client().get(f"/reservations/feeds/{loft.uuid}/bookings.ics?token={token}").status_code
            == 404
        )

    def test_it_is_not_in_the_database_as_it_is(self, address):
        token = parse_qs(urlsplit(address).query)["token"][0]
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM reservations_feed")
            assert token not in str(cursor.fetchall())

    def test_it_is_in_no_log_line(self, address, log_lines):
        Client().get(address)
        token = parse_qs(urlsplit(address).query)["token"][0]

        assert "bookings.ics" in log_lines()
        assert token not in log_lines()

    def test_it_is_given_in_clear_to_nobody(self, address, settings):
        """A redirect would hide for years that the token travels by plain http."""
        settings.SECURE_SSL_REDIRECT = True

        assert Client().get(address).status_code == 403
        assert Client().get(address, secure=True).status_code == 200

    def test_who_asks_too_often_waits(self, address, monkeypatch):
        monkeypatch.setattr(feeds, "OF_ADDRESS", 2)
        answers = [Client().get(address) for _number in range(3)]

        assert [one.status_code for one in answers] == [200, 200, 429]
        assert answers[2].headers["Retry-After"] == "60"

    def test_guessing_is_slowed_down_too(self, address, monkeypatch):
        monkeypatch.setattr(feeds, "OF_ADDRESS", 2)
        wrong = address.split("?")[0] + "?token=wrong"

        assert [Client().get(wrong).status_code for _number in range(3)] == [404, 404, 429]

    def test_a_feed_is_read_so_often_and_no_more(self, address, monkeypatch):
        monkeypatch.setattr(feeds, "OF_FEED", 1)

        assert [Client().get(address).status_code for _number in range(2)] == [200, 429]

    def test_no_cache_keeps_it(self, address):
        assert "no-store" in Client().get(address).headers["Cache-Control"]


class TestWhoMadeIt:
    """The address holds no more than its maker may take away today."""

    @pytest.fixture
    def alices(self, alice):
        return Membership.objects.filter(user=alice)

    @pytest.mark.parametrize("lost", ["right", "place", "account", "everything"])
    def test_it_ends_with_what_they_lose(self, address, alice, alices, hill, lost):
        lose = {
            "right": lambda: alices.update(role=Role.STAFF),
            "place": lambda: alices.update(group=hill),
            "account": alice.deactivate,
            "everything": alice.delete,
        }
        lose[lost]()

        assert Client().get(address).status_code == 404
        assert Feed.objects.get().used_at is None

    def test_a_narrower_role_that_suffices_keeps_it(self, address, alice, alices, quay, loft):
        alices.update(group=None, restaurant=quay)
        make_member(alice, loft)

        assert Client().get(address).status_code == 200

    def test_it_answers_again_with_the_role(self, address, alices):
        alices.update(role=Role.STAFF)
        assert Client().get(address).status_code == 404

        alices.update(role=Role.MANAGER)
        assert Client().get(address).status_code == 200

    def test_emergency_access_takes_it_along_even_if_no_worker_runs(self, quay, harbour):
        access = make_emergency_access(harbour, role=Role.MANAGER)
        parts = urlsplit(Feed.make(quay, by=access.person, now=NOW).address)
        address = f"{parts.path}?{parts.query}"
        assert Client().get(address).status_code == 200

        with time_machine.travel(access.ends_at, tick=False):
            assert Client().get(address).status_code == 404

    def test_the_page_says_so_in_place_of_the_address(self, address, alices, dora):
        alices.update(role=Role.STAFF)
        page = sign_in(dora).get(PAGE).content.decode()

        assert "This address no longer answers" in page
        assert "bookings.ics" not in page

    def test_the_page_reads_the_rights_of_each_person_once(self, quay, loft, alice, dora):
        for place in (quay, loft):
            Feed.make(place, by=alice, now=NOW)
        with CaptureQueriesContext(connection) as seen:
            sign_in(dora).get(PAGE)
        begin = 'SELECT "restaurants_membership"."role"'
        rights = [query for query in seen if query["sql"].lstrip("(").startswith(begin)]

        assert len(rights) == 2  # of Dora, of Alice


class TestThePage:
    def test_it_works(self, alice, quay):
        client = sign_in(alice)
        client.post(f"{PAGE}{quay.uuid}/make/")
        page = client.get(PAGE).content.decode()

        assert Feed.objects.get().restaurant == quay
        assert f"/reservations/feeds/{quay.uuid}/bookings.ics?token=" in page
        assert "not read yet" in page

    def test_it_says_when_it_was_last_read(self, alice, address):
        Client().get(address)

        assert "last read now" in sign_in(alice).get(PAGE).content.decode()

    def test_a_new_address_ends_the_one_before(self, alice, quay, address):
        sign_in(alice).post(f"{PAGE}{quay.uuid}/make/")

        assert Client().get(address).status_code == 404

    def test_revoking_ends_it(self, alice, quay, address):
        sign_in(alice).post(f"{PAGE}{quay.uuid}/revoke/")

        assert Client().get(address).status_code == 404
        assert not Feed.objects.exists()

    @pytest.mark.parametrize("verb", ["make", "revoke"])
    def test_it_is_written_down_without_the_token(self, alice, quay, address, verb):
        sign_in(alice).post(f"{PAGE}{quay.uuid}/{verb}/")
        token = parse_qs(urlsplit(address).query)["token"][0]
        written = [
            str((e.additional_data, e.changes, e.object_repr)) for e in LogEntry.objects.all()
        ]

        assert any(f"reservations.{verb}_feed" in line for line in written)
        assert not any(token in line for line in written)

    @pytest.mark.parametrize("verb", ["make", "revoke"])
    def test_outsiders_find_nothing(self, charlie, quay, address, verb):
        assert sign_in(charlie).post(f"{PAGE}{quay.uuid}/{verb}/").status_code == 404
        assert Client().get(address).status_code == 200

    @pytest.mark.parametrize("verb", ["make", "revoke"])
    def test_staff_may_not(self, bob, quay, address, verb):
        assert sign_in(bob).get(PAGE).status_code == 403
        assert sign_in(bob).post(f"{PAGE}{quay.uuid}/{verb}/").status_code == 403
        assert Client().get(address).status_code == 200

    @pytest.mark.parametrize("verb", ["make", "revoke"])
    def test_looking_changes_nothing(self, alice, quay, address, verb):
        answer = sign_in(alice).get(f"{PAGE}{quay.uuid}/{verb}/", headers={"Accept": "text/html"})

        assert answer.status_code == 405
        assert "Nothing was done" in answer.text
        assert Client().get(address).status_code == 200

    def test_a_lost_key_is_reported(self, alice, address, settings):
        settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

        assert "No key opens this address any more" in sign_in(alice).get(PAGE).content.decode()


@pytest.mark.parametrize(
    ("local", "written"),
    [
        (datetime(2026, 3, 29, 0, 30, tzinfo=UTC), "20260329T003000Z"),
        (datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "20260329T013000Z"),
    ],
    ids=["before the skipped hour", "after it"],
)
def test_the_night_that_skips_an_hour_is_in_utc(address, quay, local, written):
    make_reservation(quay, meal_at=local)
    with time_machine.travel(datetime(2026, 3, 28, 12, tzinfo=UTC), tick=False):
        assert f"DTSTART:{written}" in lines_of(address)


def test_a_half_hour_zone_reaches_as_far_as_its_own_days(harbour, alice):
    fort = make_restaurant(harbour, "Fort", timezone="Asia/Kolkata")
    row = make_reservation(fort)
    parts = urlsplit(Feed.make(fort, by=alice, now=NOW).address)

    assert row.service_day == date(2026, 1, 17)
    assert f"UID:{row.uuid}" in lines_of(f"{parts.path}?{parts.query}")

"""A booking without a date is on no board, so it is found everywhere else, and can be changed."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
import time_machine

from customers.privacy import retention
from customers.testing import make_customer
from mirror.kinds import EntityLocation
from outbox import engine
from outbox.models import Intent
from partner.testing import FakeTransport, recorded, speak_through
from reservations.changes.forms import pack_snapshot
from reservations.models import ENDED, Reservation
from reservations.testing import DINNER, make_reservation
from reservations.tests.test_sync_reservations import build
from reservations.words import STATUSES
from restaurants.testing import sign_in

NUMBER = "+33199001234"
OPEN = [*(status for status in STATUSES if status not in ENDED), "PENDING", ""]
# What the service may send in place of a date: null, or something that is none.
UNDATED = [None, "tomorrow", "9999-12-31T23:59:59-14:00", 20261204, ""]
NOW = DINNER - timedelta(hours=4)
LATER = "2026-01-17T20:30:00+01:00"


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def jo(harbour):
    fields = {"first_name": "Jo", "last_name": "Martin"}
    return make_customer(harbour, phone=NUMBER, phone_e164=NUMBER, **fields)


@pytest.fixture
def read_booking(quay, jo):
    """Store a booking as a read of the service would have."""

    def read_booking(**fields):
        row = build(quay, **{"customerUuid": str(jo.pk), "status": "REQUESTED"} | fields)
        row.save(force_insert=True)
        return row

    return read_booking


@pytest.fixture
def row(quay, jo):
    return make_reservation(quay, meal_at=None, status="REQUESTED", customer=jo)


@pytest.fixture
def api(db):
    transport = FakeTransport()
    speak_through(transport)
    return transport


def page(user, address, *, htmx=False, **query):
    headers = {"hx-request": "true"} if htmx else {}
    response = sign_in(user).get(address, query, headers=headers)
    assert response.status_code == 200
    return unescape(response.content.decode())


def screens(user, row):
    """The screens on which somebody would look for a booking of this guest."""
    call = {"number": NUMBER, "restaurant": str(row.restaurant.uuid)}
    heard = sign_in(user).post("/phone/look-up/", call, headers={"hx-request": "true"})
    return {
        "worklist": page(user, "/reservations/requests/"),
        "guest": page(user, f"/customers/{row.customer_id}/"),
        "search": page(user, "/customers/find/", htmx=True, q="martin"),
        "call": unescape(heard.content.decode()),
    }


class TestFind:
    @pytest.mark.parametrize("status", OPEN)
    def test_it_is_found_in_whatever_state_it_is(self, alice, read_booking, status):
        row = read_booking(mealDate=None, status=status)

        for name, html in screens(alice, row).items():
            assert row.get_absolute_url() in html, name
            assert "No date yet" in html, name

    @pytest.mark.parametrize("sent", UNDATED)
    def test_it_is_found_whatever_stands_in_place_of_the_date(self, alice, read_booking, sent):
        row = read_booking(mealDate=sent)

        for name, html in screens(alice, row).items():
            assert row.get_absolute_url() in html, name

    def test_a_date_that_cannot_be_read_is_shown_as_it_was_sent(self, alice, read_booking):
        row = read_booking(mealDate="tomorrow")

        assert "Unreadable date: tomorrow" in page(alice, row.get_absolute_url())
        assert "Unreadable date: tomorrow" in page(alice, "/reservations/requests/")

    @pytest.mark.parametrize("status", ENDED)
    def test_one_that_has_ended_waits_for_nobody(self, alice, read_booking, status):
        row = read_booking(mealDate=None, status=status)
        found = screens(alice, row)

        assert row.get_absolute_url() in found["guest"]
        assert row.get_absolute_url() not in found["worklist"]
        assert row.get_absolute_url() in page(alice, "/customers/find/", htmx=True, q=str(row.uuid))

    def test_it_is_counted_beside_the_menus(self, alice, row, loft):
        make_reservation(loft, meal_at=None, status="RECORDED")
        make_reservation(loft, meal_at=None, status="CANCELED")
        menu = page(alice, "/customers/")

        assert '<span class="topbar__wide">No date yet</span>' in menu
        assert '<span class="count">2</span>' in menu
        here = page(alice, "/customers/", scope=str(row.restaurant.uuid))
        assert '<span class="count">1</span>' in here

    def test_the_count_in_the_menu_of_a_phone_follows(self, alice, row):
        assert "No date yet" in page(alice, "/customers/")
        Reservation.objects.filter(pk=row.pk).update(status="REFUSED")

        assert "No date yet" not in page(alice, "/customers/")

    def test_what_has_a_date_is_not_listed_twice(self, alice, quay):
        dated = make_reservation(quay, status="REQUESTED")

        html = page(alice, "/reservations/requests/")

        assert html.count(dated.get_absolute_url()) == 1
        assert "No date yet" not in html

    def test_it_stands_first_among_many_visits(self, alice, quay, jo, row):
        for number in range(60):
            make_reservation(quay, customer=jo, meal_at=DINNER - timedelta(days=number))

        assert row.get_absolute_url() in page(alice, f"/customers/{jo.pk}/")

    def test_outsiders_find_nothing(self, charlie, bob, loft, row):
        assert row.get_absolute_url() not in page(charlie, "/reservations/requests/")
        elsewhere = make_reservation(loft, meal_at=None, status="REQUESTED")
        assert elsewhere.get_absolute_url() not in page(bob, "/reservations/requests/")

    def test_it_moves_to_its_day_once_there_is_one(self, alice, row):
        row.meal_at = DINNER
        row.set_service_day()
        row.save()

        assert "No date yet" not in page(alice, "/reservations/requests/")

    def test_a_guest_who_waits_for_a_date_is_not_forgotten(self, harbour, jo, row, settings):
        settings.GUEST_RETENTION_MONTHS = 1
        jo.creation_date = NOW - timedelta(days=400)
        Reservation.objects.filter(pk=row.pk).update(updated_at=NOW - timedelta(days=2))

        until = retention.keep_until(jo, now=NOW)

        assert until is not None
        assert until > NOW + timedelta(days=20)


class TestPage:
    @pytest.mark.parametrize("sent", UNDATED)
    @pytest.mark.parametrize("verb", ["", "card/", "change/", "note/", "cancel/", "changes/"])
    def test_every_page_of_it_opens(self, api, alice, read_booking, sent, verb):
        row = read_booking(mealDate=sent, partySize=None)

        html = page(alice, f"{row.get_absolute_url()}{verb}")

        assert "0 people" not in html
        assert not re.search(r"\bNone\b(?! since)", html)

    def test_a_day_is_chosen_before_a_time(self, api, alice, row):
        html = page(alice, f"{row.get_absolute_url()}change/")

        assert "Choose a day" in html
        assert not api.sent("list_timeslots")


class TestChange:
    """The contract demands date and size of every change, and leaves alone what is not sent."""

    def send(self, user, row, verb, **fields):
        known = {"key": uuid4(), "seen": pack_snapshot(row)}
        response = sign_in(user).post(f"{row.get_absolute_url()}{verb}/", known | fields)
        assert response.status_code == 302, response.content.decode()
        return Intent.objects.get()

    def is_now(self, api, row, **fields):
        known = {"reservationUuid": str(row.uuid)} | fields
        api.reply("get_reservation", (200, recorded("get_reservation") | known))

    def work(self, api, row, intent, **fields):
        known = {"mealDate": None, "partySize": row.party_size, "restaurantNote": None}
        self.is_now(api, row, **known | fields)
        api.reply("update_reservation", 200)
        engine.work(now=NOW + timedelta(seconds=1))
        intent.refresh_from_db()
        assert intent.state == Intent.State.DONE, intent.sentence
        return api.bodies("update_reservation")[0]

    def test_a_note_keeps_it_without_a_date(self, api, bob, row):
        intent = self.send(bob, row, "note", note="Call back on Monday")

        body = self.work(api, row, intent)

        assert body == {"mealDate": None, "partySize": 2, "restaurantNote": "Call back on Monday"}

    def test_an_unknown_size_is_not_made_up(self, api, bob, quay):
        row = make_reservation(quay, meal_at=None, party_size=None)
        intent = self.send(bob, row, "note", note="Call back")

        body = self.work(api, row, intent)

        assert body == {"mealDate": None, "restaurantNote": "Call back"}

    def test_a_date_that_cannot_be_read_stays_as_it_is(self, api, bob, quay):
        row = make_reservation(quay, meal_at=None, meal_date_text="tomorrow")
        intent = self.send(bob, row, "note", note="Call back")

        body = self.work(api, row, intent, mealDate="tomorrow")

        assert body == {"partySize": 2, "restaurantNote": "Call back"}

    def test_it_gets_a_date(self, api, bob, row):
        intent = self.send(bob, row, "change", slot=LATER, size=2)

        assert self.work(api, row, intent) == {"mealDate": LATER, "partySize": 2}

    def test_it_gets_a_date_and_a_size_that_was_unknown(self, api, bob, quay):
        row = make_reservation(quay, meal_at=None, party_size=None)
        intent = self.send(bob, row, "change", slot=LATER, size=3)

        assert self.work(api, row, intent) == {"mealDate": LATER, "partySize": 3}

    def test_another_size_leaves_it_without_a_date(self, api, bob, row):
        intent = self.send(bob, row, "change", slot="", size=5)

        assert self.work(api, row, intent) == {"mealDate": None, "partySize": 5}

    def test_a_date_given_meanwhile_is_not_wiped(self, api, bob, row):
        intent = self.send(bob, row, "note", note="Call back")

        body = self.work(api, row, intent, mealDate=LATER)

        assert body["mealDate"] == LATER

    def test_somebody_else_may_give_it_a_date_first(self, api, bob, row):
        intent = self.send(bob, row, "change", slot=LATER, size=2)
        other = "2026-01-18T20:00:00+01:00"
        self.is_now(api, row, mealDate=other, partySize=2)
        engine.work(now=NOW + timedelta(seconds=1))
        intent.refresh_from_db()

        assert not api.sent("update_reservation")
        assert "now Sun 18 Jan, 20:00" in intent.sentence

    def test_somebody_else_may_take_the_date_away_first(self, api, bob, quay):
        row = make_reservation(quay, meal_date_text="2026-01-17T20:00:00+01:00")
        intent = self.send(bob, row, "change", slot=LATER, size=2)
        self.is_now(api, row, mealDate=None)
        engine.work(now=NOW + timedelta(seconds=1))
        intent.refresh_from_db()

        assert not api.sent("update_reservation")
        assert "now without a date" in intent.sentence


class TestNulls:
    """Whatever else is null, absent or unreadable, a booking stands on its board."""

    FIELDS = (
        "customerUuid",
        "partySize",
        "mealStatus",
        "status",
        "reservationChannel",
        "offerUuid",
        "offerDetails",
        "customerNote",
        "restaurantNote",
        "customFields",
        "utmTrackingInformation",
        "billAmount",
        "createdAt",
        "updatedAt",
    )

    def board(self, user, zoom):
        return page(user, "/", day="2026-01-17", zoom=zoom)

    @pytest.mark.parametrize("field", FIELDS)
    @pytest.mark.parametrize("sent", [None, {"odd": 1}])
    def test_it_is_on_the_boards(self, alice, read_booking, field, sent):
        row = read_booking(**{"status": "RECORDED", field: sent})

        for zoom in ("arrivals", "list"):
            assert row.get_absolute_url() in self.board(alice, zoom), zoom
        assert page(alice, row.get_absolute_url())

    def test_all_of_them_at_once(self, alice, read_booking):
        row = read_booking(**dict.fromkeys(self.FIELDS))

        for zoom in ("arrivals", "list"):
            assert row.get_absolute_url() in self.board(alice, zoom), zoom
        html = page(alice, row.get_absolute_url())
        assert "Party of unknown size" in html
        assert "Unknown" in html

    def test_a_booking_without_a_restaurant_gets_that_of_the_event(self, alice, quay):
        row = build(quay, location=EntityLocation(quay.group.uuid, quay.uuid), restaurantUuid=None)
        row.save(force_insert=True)

        assert row.get_absolute_url() in self.board(alice, "list")

    def test_a_request_of_nobody_is_not_waited_for(self, alice, read_booking):
        read_booking(customerUuid=None)

        html = page(alice, "/reservations/requests/")
        assert "No guest" in html
        assert "Guest not read yet" not in html

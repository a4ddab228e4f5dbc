"""What bookings add to a guest's page, to the guest list and to the search."""

import gc
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from customers.models import Customer
from customers.testing import make_customer, new_customer
from mirror.models import Mirrored
from reservations.guest_panels import next_bookings
from reservations.guest_panels.list_columns import measure_returning_guests
from reservations.models import ReturningGuest
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def came(restaurant, guest, *, days, **fields):
    return make_reservation(
        restaurant, customer=guest, meal_at=DINNER - timedelta(days=days), **fields
    )


def show(user, guest):
    return sign_in(user).get(f"/customers/{guest.uuid}/").text


def cells(user, guest, **address):
    answer = sign_in(user).get("/customers/", address)
    rows = answer.context["guests"].rows
    return {column.key: value for row in rows for column, value in row.cells if row.guest == guest}


class TestProfile:
    def test_it_works(self, bob, quay, guest):
        make_reservation(quay, customer=guest, party_size=5)
        came(quay, guest, days=30, party_size=3)
        words = show(bob, guest)

        assert "Saturday 17 January, 20:00" in words
        assert "5 people" in words
        assert "18 Dec 2025" in words

    def test_a_long_memory_is_forgotten_with_its_page(self, bob, quay, harbour, guest):
        client = sign_in(bob)
        for days in range(1, 200):
            came(quay, guest, days=days)

        def left_behind(person):
            page = client.get(f"/customers/{person.uuid}/")
            del page.context  # the client of the tests keeps what was drawn
            return gc.collect()

        left_behind(guest)  # what is learnt once

        assert left_behind(guest) < left_behind(make_customer(harbour)) + 200

    def test_the_numbers_say_how_much_they_know(self, bob, quay, guest):
        came(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        came(quay, guest, days=2, bill_amount=Decimal(110), bill_currency="EUR")
        came(quay, guest, days=3)
        came(quay, guest, days=4, status="NO_SHOW")
        words = show(bob, guest)

        assert "Average spend per visit, EUR" in words
        assert ">100.00<" in words
        assert "Bills known: 67 %" in words
        assert "25 %" in words

    def test_money_of_two_countries_is_not_added(self, alice, quay, loft, guest):
        came(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        came(loft, guest, days=2, bill_amount=Decimal(40), bill_currency="USD")
        words = show(alice, guest)

        assert "Average spend per visit, EUR" in words
        assert "Average spend per visit, USD" in words

    def test_another_restaurant_of_the_group_shows_the_visit_alone(self, bob, loft, guest):
        booking = came(loft, guest, days=9, bill_amount=Decimal(40), bill_currency="USD")
        words = show(bob, guest)

        assert "8 Jan 2026" in words
        assert "40.00" not in words
        assert booking.get_absolute_url() not in words

    def test_visits_at_another_group_are_none_of_theirs(self, bob, cellar, guest):
        came(cellar, guest, days=9)

        assert "8 Jan 2026" not in show(bob, guest)

    def test_a_first_visit_is_marked(self, bob, guest):
        assert "No visit is known yet" in show(bob, guest)

    def test_older_bookings_are_folded_away(self, bob, quay, guest):
        for days in range(1, 28):
            came(quay, guest, days=days)

        every = sign_in(bob).get(f"/customers/{guest.uuid}/", {"all": "visits"}).text

        assert "2 older bookings" in show(bob, guest)
        assert "21 Dec 2025" not in show(bob, guest)
        assert "21 Dec 2025" in every

    def test_its_queries_do_not_grow(self, bob, quay, guest, django_assert_max_num_queries):
        for days in range(1, 40):
            came(quay, guest, days=days)
        client = sign_in(bob)
        with django_assert_max_num_queries(20):
            client.get(f"/customers/{guest.uuid}/")


class TestLedger:
    """What a concierge or another promoter brings, month by month."""

    def test_it_works(self, bob, quay, harbour):
        promoter = make_customer(harbour, is_promoter=True)
        for days in (1, 2):
            money = {"bill_amount": Decimal(90), "bill_currency": "EUR"}
            came(quay, promoter, days=days, party_size=4, **money)
        came(quay, promoter, days=3, status="NO_SHOW")
        answer = sign_in(bob).get(f"/customers/{promoter.uuid}/")
        (ledger,) = [
            shown for shown in answer.context["profile"].main if shown.panel.name == "ledger"
        ]
        (month,) = ledger.facts

        assert (month.bookings, month.covers, month.no_shows) == (3, 8, 1)
        assert month.spent == [("EUR", Decimal(180))]
        assert "January 2026" in answer.text

    def test_other_guests_have_none(self, bob, quay, guest):
        came(quay, guest, days=1)

        assert "Guests they brought" not in show(bob, guest)


class TestList:
    def test_it_works(self, bob, quay, guest):
        came(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        came(quay, guest, days=2, status="NO_SHOW")
        shown = cells(bob, guest)

        assert shown["visits"] == 1
        assert shown["no-shows"] == 1
        assert shown["last"] == "16 Jan 2026"
        assert shown["spend"] == "90.00 EUR"

    def test_what_bookings_know_takes_the_right_to_see_them(self, bob, quay, guest, without_right):
        came(quay, guest, days=1)
        without_right("reservations.view_reservation")

        assert cells(bob, guest).keys() & {"visits", "no-shows", "last", "spend"} == set()
        assert "visits" not in cells(bob, guest, columns="visits")

    def test_bills_follow_the_reach(self, bob, quay, loft, guest):
        came(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        came(loft, guest, days=2, bill_amount=Decimal(400), bill_currency="EUR")
        shown = cells(bob, guest)

        assert (shown["visits"], shown["spend"]) == (2, "90.00 EUR")

    def test_who_arrives_today(self, bob, quay, loft, harbour, guest):
        make_reservation(quay, customer=guest)
        make_reservation(loft, customer=make_customer(harbour, last_name="OtherRestaurants"))
        make_reservation(
            quay, customer=make_customer(harbour, last_name="Cancelled"), status="CANCELED"
        )
        answer = sign_in(bob).get("/customers/", {"show": "arriving"})

        assert [row.guest for row in answer.context["guests"].rows] == [guest]

    def test_who_stays_away(self, bob, quay, harbour, guest):
        often = make_customer(harbour, last_name="Still coming")
        for days in (200, 300, 400):
            came(quay, guest, days=days)
            came(quay, often, days=days - 190)
        measure_returning_guests(now=DINNER)
        answer = sign_in(bob).get("/customers/", {"show": "lapsed"})

        assert [row.guest for row in answer.context["guests"].rows] == [guest]

    def test_who_has_booked_again_does_not_stay_away(self, bob, quay, guest):
        for days in (200, 300, 400):
            came(quay, guest, days=days)
        make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=14))
        measure_returning_guests(now=DINNER)
        answer = sign_in(bob).get("/customers/", {"show": "lapsed"})

        assert answer.context["guests"].rows == []
        assert ReturningGuest.objects.get().visits == 3

    def test_measuring_twice_changes_nothing(self, quay, guest):
        for days in (200, 300, 400):
            came(quay, guest, days=days)

        assert measure_returning_guests(now=DINNER) == measure_returning_guests(now=DINNER) == 1
        assert ReturningGuest.objects.get().visits == 3


class TestSearch:
    def ask(self, user, text):
        headers = {"HX-Request": "true"}
        return sign_in(user).get("/customers/find/", {"q": text}, headers=headers)

    def find(self, user, text):
        return self.ask(user, text).text

    def order(self, user, text):
        return [found.guest for found in self.ask(user, text).context["search"].lines]

    def booked(self, user, text):
        lines = self.ask(user, text).context["search"].lines
        return [booking.words for found in lines for booking in found.bookings]

    def test_it_works(self, bob, quay, guest):
        booking = make_reservation(quay, customer=guest)

        assert booking.get_absolute_url() in self.find(bob, "rossi")
        assert booking.get_absolute_url() in self.find(bob, str(booking.uuid))

    def test_it_hides_other_groups(self, charlie, quay, guest):
        booking = make_reservation(quay, customer=guest)

        assert booking.get_absolute_url() not in self.find(charlie, str(booking.uuid))

    def test_what_is_gone_is_not_found(self, bob, quay, guest):
        booking = make_reservation(quay, customer=guest, presence=Mirrored.Presence.GONE)

        assert booking.get_absolute_url() not in self.find(bob, "rossi")

    def test_it_says_when_and_where_the_next_booking_is(self, bob, quay, guest):
        make_reservation(quay, customer=guest, party_size=5)
        later = {"meal_at": DINNER + timedelta(days=8), "status": "REQUESTED"}
        make_reservation(quay, customer=guest, **later)

        assert self.booked(bob, "rossi") == [
            "today, 20:00 · Quay · 5 people",
            "Sun 25 Jan, 20:00 · Quay · 2 people · Requested",
        ]

    def test_a_guest_of_today_who_is_late_is_still_shown(self, bob, quay, guest):
        came(quay, guest, days=1)
        make_reservation(quay, customer=guest, meal_at=DINNER - timedelta(hours=6))

        assert self.booked(bob, "rossi") == ["today, 14:00 · Quay · 2 people"]

    def test_it_names_no_restaurant_beyond_reach(self, bob, loft, guest):
        make_reservation(loft, customer=guest)

        assert self.booked(bob, "rossi") == []

    def test_who_ended_is_not_expected(self, bob, quay, guest):
        make_reservation(quay, customer=guest, status="CANCELED")

        assert self.booked(bob, "rossi") == []

    @pytest.mark.parametrize("text", ["5678", "rossi"])
    def test_guests_with_a_booking_come_first(self, bob, quay, harbour, text):
        ends = make_customer(harbour, first_name="Al", phone="+33199005678")
        holds = make_customer(harbour, first_name="Bo", phone="+33199567811")
        tonight = make_customer(harbour, first_name="Cy", phone="+33199567822")
        make_reservation(quay, customer=tonight)

        assert self.order(bob, text) == [tonight, ends, holds]
        assert [
            row.guest for row in sign_in(bob).get("/customers/", {"q": text}).context["guests"].rows
        ] == [tonight, ends, holds]

    @pytest.mark.parametrize("text", ["5678", "rossi"])
    def test_of_equal_matches_who_comes_sooner_is_first(self, bob, quay, harbour, text):
        guests = [
            make_customer(harbour, first_name=name, phone="+33199005678") for name in ("Al", "Bo")
        ]
        for guest, days in zip(guests, (8, 0), strict=True):
            make_reservation(quay, customer=guest, meal_at=DINNER + timedelta(days=days))

        assert self.order(bob, text) == guests[::-1]

    @pytest.mark.parametrize("text", ["ma", "martin", "5678"])
    def test_who_is_expected_today_is_found_under_the_commonest_name(
        self, bob, quay, harbour, text
    ):
        next_bookings.read_expected.cache_clear()
        many = {"last_name": "Martin", "phone": "+33199005678"}
        Customer.objects.bulk_create(new_customer(harbour, **many) for _number in range(130))
        tonight = make_customer(harbour, first_name="Zoé", **many)
        make_reservation(quay, customer=tonight)

        assert self.order(bob, text)[0] == tonight

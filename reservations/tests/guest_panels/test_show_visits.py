"""What bookings add to a guest's page and to the sheet of bookings."""

import gc
from datetime import timedelta
from decimal import Decimal

import pytest
import time_machine

from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation, make_visit
from restaurants.testing import sign_in


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def guest(harbour):
    return make_customer(harbour)


def show(user, guest):
    return sign_in(user).get(f"/customers/{guest.uuid}/").text


class TestProfile:
    def test_it_works(self, bob, quay, guest):
        make_reservation(quay, customer=guest, party_size=5)
        make_visit(quay, guest, days=30, party_size=3)
        words = show(bob, guest)

        assert "Saturday 17 January, 20:00" in words
        assert "5 people" in words
        assert "18 Dec 2025" in words

    def test_a_long_memory_is_forgotten_with_its_page(self, bob, quay, harbour, guest):
        client = sign_in(bob)
        for days in range(1, 200):
            make_visit(quay, guest, days=days)

        def left_behind(person):
            page = client.get(f"/customers/{person.uuid}/")
            del page.context  # the client of the tests keeps what was drawn
            return gc.collect()

        left_behind(guest)  # what is learnt once

        assert left_behind(guest) < left_behind(make_customer(harbour)) + 200

    def test_the_numbers_say_how_much_they_know(self, bob, quay, guest):
        make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        make_visit(quay, guest, days=2, bill_amount=Decimal(110), bill_currency="EUR")
        make_visit(quay, guest, days=3)
        make_visit(quay, guest, days=4, status="NO_SHOW")
        words = show(bob, guest)

        assert "Average spend per visit, EUR" in words
        assert ">100.00<" in words
        assert "Bills known: 67 %" in words
        assert "25 %" in words

    def test_what_is_known_is_of_the_visits_whose_bills_one_may_see(self, bob, quay, loft, guest):
        make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        for days in range(2, 6):
            make_visit(loft, guest, days=days)

        assert "Bills known: 100 %" in show(bob, guest)

    def test_money_of_two_countries_is_not_added(self, alice, quay, loft, guest):
        make_visit(quay, guest, days=1, bill_amount=Decimal(90), bill_currency="EUR")
        make_visit(loft, guest, days=2, bill_amount=Decimal(40), bill_currency="USD")
        words = show(alice, guest)

        assert "Average spend per visit, EUR" in words
        assert "Average spend per visit, USD" in words

    def test_another_restaurant_of_the_group_shows_the_visit_alone(self, bob, loft, guest):
        booking = make_visit(loft, guest, days=9, bill_amount=Decimal(40), bill_currency="USD")
        words = show(bob, guest)

        assert "8 Jan 2026" in words
        assert "40.00" not in words
        assert booking.get_absolute_url() not in words

    def test_visits_at_another_group_are_none_of_theirs(self, bob, cellar, guest):
        make_visit(cellar, guest, days=9)

        assert "8 Jan 2026" not in show(bob, guest)

    def test_a_first_visit_is_marked(self, bob, guest):
        assert "No visit is known yet" in show(bob, guest)

    @pytest.mark.parametrize(
        ("late", "visits"), [((20, ""), 0), ((61, ""), 1), ((20, "SEATED"), 1)]
    )
    def test_a_party_that_is_late_counts_once_it_has_come(self, bob, quay, guest, late, visits):
        minutes, meal_status = late
        at = DINNER - timedelta(hours=4, minutes=minutes)
        make_reservation(quay, customer=guest, meal_at=at, meal_status=meal_status, party_size=5)
        page = sign_in(bob).get(f"/customers/{guest.uuid}/")
        panels = {one.panel.name: one.facts for one in page.context["profile"].top}
        facts = panels["numbers"]

        assert (len(facts.came), facts.covers, facts.no_show_share) == (
            (1, 5, 0) if visits else (0, 0, None)
        )
        assert ("Next booking" in page.text) is not bool(visits)
        assert ("visit-dot--came" in page.text) is bool(visits)

    def test_older_bookings_are_folded_away(self, bob, quay, guest):
        for days in range(1, 28):
            make_visit(quay, guest, days=days)

        every = sign_in(bob).get(f"/customers/{guest.uuid}/", {"all": "visits"}).text

        assert "2 older bookings" in show(bob, guest)
        assert "21 Dec 2025" not in show(bob, guest)
        assert "21 Dec 2025" in every

    def test_its_queries_do_not_grow(self, bob, quay, guest, django_assert_max_num_queries):
        for days in range(1, 40):
            make_visit(quay, guest, days=days)
        client = sign_in(bob)
        with django_assert_max_num_queries(20):
            client.get(f"/customers/{guest.uuid}/")


class TestLedger:
    """What a concierge or another promoter brings, month by month."""

    def test_it_works(self, bob, quay, harbour):
        promoter = make_customer(harbour, is_promoter=True)
        for days in (1, 2):
            money = {"bill_amount": Decimal(90), "bill_currency": "EUR"}
            make_visit(quay, promoter, days=days, party_size=4, **money)
        make_visit(quay, promoter, days=3, status="NO_SHOW")
        answer = sign_in(bob).get(f"/customers/{promoter.uuid}/")
        (ledger,) = [
            shown for shown in answer.context["profile"].main if shown.panel.name == "ledger"
        ]
        (month,) = ledger.facts

        assert (month.bookings, month.covers, month.no_shows) == (3, 8, 1)
        assert month.spent == [("EUR", Decimal(180))]
        assert "January 2026" in answer.text

    def test_other_guests_have_none(self, bob, quay, guest):
        make_visit(quay, guest, days=1)

        assert "Guests they brought" not in show(bob, guest)

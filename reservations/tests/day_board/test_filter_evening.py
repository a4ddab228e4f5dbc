"""The filters, the search and the orders of an evening."""

from datetime import timedelta

import pytest
import time_machine

from customers.testing import make_customer
from reservations.models import Reservation
from reservations.testing import DINNER, make_reservation, new_reservation
from restaurants.testing import sign_in

NOW = DINNER + timedelta(minutes=20)


@pytest.fixture(autouse=True)
def _evening():
    with time_machine.travel(NOW, tick=False):
        yield


def look(user, *, part="", **address):
    headers = {"HX-Request": "true", "HX-Target": part} if part else {}
    return sign_in(user).get("/", address, headers=headers)


def text_of(response):
    return response.content.decode()


class TestFilters:
    def test_cancelled_bookings_show_only_by_a_filter(self, bob, quay):
        row = make_reservation(quay, status="CANCELED")

        assert str(row.uuid) not in text_of(look(bob, zoom="list"))
        assert str(row.uuid) in text_of(look(bob, zoom="list", show="out"))

    def test_two_filters_narrow_together(self, bob, quay, harbour):
        vip = make_customer(harbour, is_vip=True)
        large = make_reservation(quay, customer=vip, party_size=9)
        small = make_reservation(quay, customer=vip, party_size=2)
        page = text_of(look(bob, zoom="list", show=["vip", "large"]))

        assert str(large.uuid) in page
        assert str(small.uuid) not in page

    def test_words_are_found_without_accents_and_in_any_order(self, bob, quay, harbour):
        zoe = make_customer(harbour, first_name="Zoë", last_name="Lefèvre")
        row = make_reservation(quay, customer=zoe)

        assert str(row.uuid) in text_of(look(bob, zoom="list", q="LEFEVRE zoe"))
        assert "No booking matches these filters" in text_of(look(bob, zoom="list", q="Rossi"))

    def test_a_slot_shows_its_quarter_of_an_hour(self, bob, quay):
        inside = make_reservation(quay, meal_at=DINNER + timedelta(minutes=14))
        outside = make_reservation(quay, meal_at=DINNER + timedelta(minutes=15))
        page = text_of(look(bob, zoom="list", slot=20 * 60))

        assert str(inside.uuid) in page
        assert str(outside.uuid) not in page

    @pytest.mark.parametrize(
        "address",
        [{"zoom": "moon"}, {"show": "everything"}, {"sort": "x"}, {"slot": "-1"}, {"day": "soon"}],
    )
    def test_nonsense_is_ignored(self, bob, quay, address):
        assert look(bob, **address).status_code == 200

    @pytest.mark.parametrize("sort", ["time", "party", "name", "phase", "channel", "restaurant"])
    def test_every_order_works(self, bob, quay, harbour, sort):
        make_reservation(quay, party_size=None, meal_at=DINNER)
        make_reservation(quay, customer=make_customer(harbour), party_size=60)

        assert look(bob, zoom="list", sort=sort).status_code == 200


def test_a_long_list_has_pages(bob, quay):
    Reservation.objects.bulk_create(new_reservation(quay) for _number in range(301))

    assert text_of(look(bob, zoom="list")).count('id="r-') == 300
    assert text_of(look(bob, zoom="list", page=2)).count('id="r-') == 1

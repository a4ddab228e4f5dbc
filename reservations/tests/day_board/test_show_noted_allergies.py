"""An allergy that stands in a note only, on the cards of the boards."""

from datetime import timedelta

import pytest
import time_machine

from customers.models import InternalNote
from customers.testing import make_customer
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

NOW = DINNER - timedelta(hours=2)
ZOOMS = ("arrivals", "stays", "list")


@pytest.fixture(autouse=True)
def _afternoon():
    with time_machine.travel(NOW, tick=False):
        yield


def board(user, **address):
    query = {"day": "2026-01-17", "zoom": "arrivals", **address}
    return sign_in(user).get("/", query).content.decode()


@pytest.mark.parametrize("zoom", ZOOMS)
def test_it_works(bob, quay, zoom):
    make_reservation(quay, customer_note="One of us is allergic to nuts (carries an EpiPen)")

    assert "Allergy in a note: Nuts" in board(bob, zoom=zoom)


@pytest.mark.parametrize("zoom", ZOOMS)
def test_what_stands_where_a_long_note_is_cut_is_marked_too(bob, quay, zoom):
    make_reservation(quay, customer_note=f"{'Window table please. ' * 20}Allergic to nuts.")

    assert "Allergy in a note: Nuts" in board(bob, zoom=zoom)


def test_a_hint_is_marked_as_one(bob, quay):
    make_reservation(quay, restaurant_note="no onions please")
    page = board(bob)

    assert "Perhaps an allergy: ask: Onion" in page
    assert "Allergy in a note: " not in page


@pytest.mark.parametrize(
    "fields",
    [
        {"notes": "Coeliac"},
        {"fav_food": "Anything, allergic to gluten"},
        {"custom_fields": [{"label": "Allergies", "value": "gluten"}]},
        {"custom_fields": [{"label": "Gluten allergy", "value": True}]},
        {"other_tags": ["Regular", "Gluten allergy"]},
    ],
)
def test_the_guest_profile_is_read_too(bob, quay, harbour, fields):
    make_reservation(quay, customer=make_customer(harbour, **fields))

    assert "Allergy in a note: Cereals containing gluten" in board(bob)


def test_the_internal_note_is_read_too(bob, quay, harbour):
    guest = make_customer(harbour)
    booking = make_reservation(quay, customer=guest)
    InternalNote.objects.create(customer_uuid=guest.pk, text="Coeliac, by phone", changed_at=NOW)

    assert "Allergy in a note: Cereals containing gluten" in board(bob)
    assert "Internal note" in sign_in(bob).get(booking.get_absolute_url()).text


@pytest.mark.parametrize("fields", [{"fav_food": "Prawns"}, {"other_tags": ["Prawns"]}])
def test_a_favourite_or_a_tag_of_a_food_is_no_hint(bob, quay, harbour, fields):
    make_reservation(quay, customer=make_customer(harbour, **fields))

    assert 'data-mark="allergy' not in board(bob)


def test_a_tag_and_a_note_stand_beside_each_other(bob, quay, harbour):
    guest = make_customer(harbour, allergies_and_intolerances=["Fish"], notes="Allergic to nuts")
    make_reservation(quay, customer=guest)

    assert "Allergy: Fish, Allergy in a note: Nuts" in board(bob)


def test_a_diet_in_a_note_is_named(bob, quay):
    make_reservation(quay, customer_note="2 of us are vegan")

    assert "Diet: Vegan" in board(bob)


def test_a_tagged_diet_is_named_too_beside_an_allergy(bob, quay, harbour):
    guest = make_customer(harbour, dietary_restrictions=["Halal"], notes="Allergic to nuts")
    make_reservation(quay, customer=guest)

    assert "Allergy in a note: Nuts, Diet: Halal" in board(bob)


def test_nobody_reads_them_without_the_right(bob, quay, without_right):
    without_right("customers.view_health")
    make_reservation(quay, customer_note="allergic to nuts")

    assert 'data-mark="allergy' not in board(bob)


def test_a_filter_finds_them(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour, last_name="Noted", notes="Coeliac"))
    make_reservation(quay, customer=make_customer(harbour, last_name="Careless"))
    page = board(bob, show="noted")

    assert "Noted" in page
    assert "Careless" not in page


def test_a_changed_note_changes_the_card(bob, quay):
    row = make_reservation(quay, customer_note="allergic to nuts")
    assert "Allergy in a note: Nuts" in board(bob)
    type(row).objects.filter(pk=row.pk).update(customer_note="not allergic any more")

    assert 'data-mark="allergy' not in board(bob)


def test_a_tag_is_named_in_the_readers_language(bob, quay, harbour):
    bob.language = "fr"
    bob.save()
    tags = {"allergies_and_intolerances": ["Soy"], "dietary_restrictions": ["Halal"]}
    make_reservation(quay, customer=make_customer(harbour, **tags))
    page = board(bob, zoom="list")

    assert "Soja (Soy)" in page
    assert "Halal" in page

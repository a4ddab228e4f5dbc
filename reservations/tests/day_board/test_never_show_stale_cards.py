"""What was drawn once is kept, and shown again only for the same facts, reader and moment.

Each test looks, changes one thing that a drawing depends on, and looks again.
"""

from datetime import timedelta

import pytest
import time_machine
from django.contrib.auth.models import Group as AuthGroup
from django.contrib.auth.models import Permission

from accounts.rights import Role
from customers.models import Customer
from customers.testing import make_customer
from reservations.models import ArrivalTracking, Reservation
from reservations.testing import DINNER, make_reservation
from restaurants.models import Restaurant
from restaurants.testing import make_member, make_user, sign_in

NOW = DINNER + timedelta(minutes=20)
# Each zoom, and what a card ends with there.
ENDS = {"arrivals": "</li>", "list": "</tr>", "stays": "</div>"}

pytestmark = pytest.mark.parametrize("zoom", ENDS)


@pytest.fixture(autouse=True)
def clock():
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, allergies_and_intolerances=["nuts"])


@pytest.fixture
def row(quay, guest):
    ArrivalTracking.objects.create(restaurant=quay, bookings=100, marked=90, measured_at=NOW)
    return make_reservation(quay, customer=guest, party_size=4)


@pytest.fixture
def look(bob, row):
    """The card of the one booking as a person sees it, by default Bob."""

    def card(user=bob, *, zoom, **address):
        known = {"day": "2026-01-17", "whole": "1", "zoom": zoom}
        page = sign_in(user).get("/", known | address).content.decode()
        _before, found, rest = page.partition(f'id="r-{row.uuid}"')
        return found + rest.partition(ENDS[zoom])[0]

    return card


def change(thing, **fields):
    type(thing).objects.filter(pk=thing.pk).update(**fields)


def test_it_works(look, zoom):
    assert "Rossi M." in look(zoom=zoom)
    assert look(zoom=zoom) == look(zoom=zoom)


def test_a_new_version_is_shown(look, row, zoom):
    look(zoom=zoom)
    change(row, version=2, party_size=7)

    assert 'data-version="2"' in look(zoom=zoom)
    assert "7 people" in look(zoom=zoom)


def test_a_guest_who_changed_is_shown_though_the_booking_did_not(look, guest, zoom):
    look(zoom=zoom)
    change(guest, last_name="Verdi", is_vip=True, allergies_and_intolerances=["eggs"])
    card = look(zoom=zoom)

    assert "Verdi M." in card
    assert "Rossi" not in card
    assert 'data-mark="vip"' in card
    assert ("eggs" in card, "nuts" in card) == (True, False)


def test_an_erased_guest_is_gone(look, guest, zoom):
    look(zoom=zoom)
    Customer.objects.filter(pk=guest.pk).delete()

    assert "Rossi" not in look(zoom=zoom)


def test_a_booking_that_is_gone_is_gone(look, row, zoom):
    look(zoom=zoom)
    change(row, presence=Reservation.Presence.GONE)

    assert look(zoom=zoom) == ""


def test_the_minutes_of_a_late_guest_run_on(look, clock, zoom):
    assert "late 20 minutes" in look(zoom=zoom)

    clock.shift(timedelta(minutes=1))
    assert "late 21 minutes" in look(zoom=zoom)


def test_the_phase_changes_with_the_clock_alone(look, clock, zoom):
    clock.shift(timedelta(minutes=-36))
    assert 'data-phase="booked"' in look(zoom=zoom)

    clock.shift(timedelta(minutes=2))
    assert 'data-phase="due"' in look(zoom=zoom)


def test_an_arrival_is_shown(look, row, zoom):
    look(zoom=zoom)
    change(row, meal_status="SEATED")

    assert 'data-phase="seated"' in look(zoom=zoom)


def test_nobody_is_late_any_more_where_marks_are_no_longer_made(look, quay, zoom):
    look(zoom=zoom)
    ArrivalTracking.objects.filter(restaurant=quay).update(marked=0)

    assert 'data-phase="booked"' in look(zoom=zoom)


def test_each_reader_has_their_own_language(look, bob, zoom):
    assert "late 20 minutes" in look(zoom=zoom)
    change(bob, language="fr")
    french = look(zoom=zoom)

    assert "late 20 minutes" not in french
    assert "20 minutes" in french


def test_a_reader_without_the_right_sees_no_health(look, without_right, zoom):
    assert "nuts" in look(zoom=zoom)
    without_right("customers.view_health")

    assert "nuts" not in look(zoom=zoom)


def test_a_reader_with_the_right_sees_it_after_one_without(look, bob, quay, without_right, zoom):
    dora = make_user("dora-in-chief@example.org")
    make_member(dora, quay.group, Role.ADMIN)
    without_right("customers.view_health")
    AuthGroup.objects.get(name=Role.ADMIN).permissions.add(
        Permission.objects.get(codename="view_health", content_type__app_label="customers")
    )

    assert "nuts" not in look(zoom=zoom)
    assert "nuts" in look(dora, zoom=zoom, scope=str(quay.uuid))


def test_a_reader_without_a_place_sees_nothing(look, charlie, bob, zoom):
    look(zoom=zoom)

    assert look(charlie, zoom=zoom) == ""


def test_a_reader_who_left_sees_nothing_from_then_on(look, bob, zoom):
    look(zoom=zoom)
    bob.memberships.all().delete()

    assert look(zoom=zoom) == ""


def test_a_restaurant_that_was_renamed_and_painted_is_shown_so(look, alice, quay, loft, zoom):
    assert "Quay" in look(alice, zoom=zoom) or zoom == "stays"
    Restaurant.objects.filter(pk=quay.pk).update(name="Pier", colour="#00ff00")
    card = look(alice, zoom=zoom)

    assert "Quay" not in card
    assert ("Pier" in card) == (zoom != "stays")
    assert ("#00ff00" in card) == (zoom == "arrivals")


def test_beside_other_restaurants_a_card_names_its_own(look, alice, quay, loft, zoom):
    alone, beside = look(alice, zoom=zoom, scope=str(quay.uuid)), look(alice, zoom=zoom)

    assert "Quay" not in alone
    assert ("Quay" in beside) == (zoom != "stays")


def test_the_same_card_serves_every_theme(look, quay, zoom):
    readers = [make_user(f"{theme}@example.org", theme=theme) for theme in ("light", "dark")]
    for reader in readers:
        make_member(reader, quay)

    light, dark = (look(reader, zoom=zoom) for reader in readers)
    assert light == dark

from datetime import UTC, datetime
from typing import Any

import pytest
from django.utils.translation import gettext_lazy as _

from customers.models import InternalNote
from customers.profile import pages as profile
from customers.testing import make_customer
from restaurants.testing import sign_in

NOW = datetime(2026, 11, 20, 17, 0, tzinfo=UTC)


def show(user, guest):
    return sign_in(user).get(f"/customers/{guest.uuid}/")


def test_it_works(bob, harbour):
    guest = make_customer(harbour, fav_drinks="Old Barolo", other_tags=["Regular"])
    answer = show(bob, guest)

    assert "Maria Rossi" in answer.text
    assert "Old Barolo" in answer.text
    assert "Regular" in answer.text
    assert f"{guest.read_at:%H:%M} UTC<" in answer.text  # of the server, unlike a booking's


def test_an_outsider_finds_nobody(charlie, harbour):
    assert show(charlie, make_customer(harbour)).status_code == 404


def test_a_colleague_without_the_right_is_refused(bob, harbour, without_right):
    without_right("customers.view_customer")

    assert show(bob, make_customer(harbour)).status_code == 403


def test_an_unknown_guest_is_not_found(bob):
    assert sign_in(bob).get("/customers/not-a-uuid/").status_code == 404


def test_contacts_are_masked(bob, harbour):
    guest = make_customer(harbour, phone="+33612345678", email="maria@example.org")
    words = show(bob, guest).text

    assert "•••• 5678" in words
    assert "m•••@example.org" in words
    assert "+33612345678" not in words
    assert "maria@example.org" not in words


def test_both_ranks_are_labelled(bob, harbour):
    words = show(bob, make_customer(harbour, rank="gold", computed_rank="platinum")).text

    assert "Rank: Gold" in words
    assert "Computed: platinum" in words


def test_custom_fields_keep_their_types(bob, harbour):
    values = {"Pet": True, "Parking": False, "Children": 2, "Table": "", "Car": "Lada"}
    fields = [{"label": label, "value": value} for label, value in values.items()]
    words = show(bob, make_customer(harbour, custom_fields=fields)).text

    for word in ('Pet</dt><dd dir="auto">Yes', 'Parking</dt><dd dir="auto">No', ">2<", "empty"):
        assert word in words


class TestHealth:
    def test_risks_come_first(self, bob, harbour):
        guest = make_customer(harbour, allergies_and_intolerances=["nuts"], notes="Peanut!")
        words = show(bob, guest).text

        assert words.index("nuts") < words.index("Contact")

    def test_they_take_a_right(self, bob, harbour, without_right):
        without_right("customers.view_health")
        guest = make_customer(
            harbour,
            allergies_and_intolerances=["nuts"],
            dietary_restrictions=["vegan"],
            risk_level=["loud"],
            notes="Peanut!",
            custom_fields=[{"label": "Does not eat", "value": "Lupin"}],
        )
        words = show(bob, guest).text

        assert not any(word in words for word in ("nuts", "vegan", "loud", "Peanut!", "Lupin"))


class TestNotes:
    """Allergies that stand in a note only."""

    @pytest.mark.parametrize(
        "fields",
        [
            {"notes": "Coeliac. Likes table 4"},
            {"fav_food": "Anything, but allergic to gluten"},
            {"custom_fields": [{"label": "Allergies", "value": "gluten"}]},
            {"other_tags": ["Gluten allergy"]},
        ],
    )
    def test_they_stand_above_the_facts(self, bob, harbour, fields):
        words = show(bob, make_customer(harbour, **fields)).text

        assert words.index("In a note:") < words.index("Contact")

    def test_the_internal_note_is_read_too(self, bob, harbour):
        guest = make_customer(harbour)
        InternalNote.objects.create(customer_uuid=guest.pk, text="Allergic to nuts", changed_at=NOW)

        assert "In a note:" in show(bob, guest).text

    def test_they_take_a_right(self, bob, harbour, without_right):
        without_right("customers.view_health")

        assert "In a note:" not in show(bob, make_customer(harbour, notes="Coeliac")).text


class TestPanels:
    """What an app above adds to the page."""

    @pytest.fixture
    def with_section(self, monkeypatch):
        monkeypatch.setattr(profile.PANELS, "entries", list(profile.PANELS))

        def add(**fields):
            known: dict[str, Any] = {
                "name": "extra",
                "title": _("Something more"),
                "place": 5,
                "template": "customers/_notes.html",
                "facts": lambda shown: f"for {shown.guest}",
            }
            profile.PANELS.fill((profile.GuestPanel(**known | fields),))

        return add

    def test_it_works(self, bob, harbour, with_section):
        with_section()
        words = show(bob, make_customer(harbour)).text

        assert "Something more" in words
        assert "for Maria Rossi" in words

    def test_the_place_orders_them(self, bob, harbour, with_section):
        with_section(name="late", title="Later", place=90)
        with_section(name="soon", title="Sooner", place=80)
        words = show(bob, make_customer(harbour)).text

        assert words.index("Sooner") < words.index("Later")

    def test_one_with_nothing_to_say_is_left_out(self, bob, harbour, with_section):
        with_section(facts=lambda _shown: None)

        assert "Something more" not in show(bob, make_customer(harbour)).text

    def test_one_may_take_a_right(self, bob, harbour, with_section):
        with_section(right="insights.view_insights")

        assert "Something more" not in show(bob, make_customer(harbour)).text

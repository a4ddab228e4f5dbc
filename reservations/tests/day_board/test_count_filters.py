"""Above the boards: each filter with the number of bookings that it shows."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.utils.translation import override

from customers.testing import make_customer
from lib.templatetags.ui import SYMBOLS
from reservations.day_board.forms import FILTERS
from reservations.testing import DINNER, make_reservation
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def evening():
    with time_machine.travel(DINNER, tick=False):
        yield


def board_of(user, **address):
    return sign_in(user).get("/", {"zoom": "list"} | address).context["board"]


def test_it_works(bob, quay, harbour):
    vip = make_customer(harbour, is_vip=True)
    make_reservation(quay, customer=vip, party_size=9)
    make_reservation(quay, status="REQUESTED")

    counts = board_of(bob).filter_counts

    assert (counts["vip"], counts["large"], counts["requests"], counts["late"]) == (1, 1, 1, 0)


@pytest.mark.parametrize("key", FILTERS)
def test_a_filter_shows_as_many_as_it_says(bob, quay, harbour, key):
    tagged = make_customer(harbour, allergies_and_intolerances=["nuts"], is_vip=True)
    make_reservation(quay, customer=tagged, meal_status="SEATED")
    make_reservation(quay, customer_note="Allergic to nuts", party_size=9)
    make_reservation(quay, customer_note="Fish?", status="REQUESTED")
    make_reservation(quay, customer=tagged, status="CANCELED")
    make_reservation(quay, status="NO_SHOW", offer_type="MENU")
    make_reservation(quay, meal_at=DINNER - timedelta(minutes=30))
    number = board_of(bob).filter_counts[key]

    assert number, f"Make a booking here that show={key} shows."
    assert number == len(board_of(bob, show=key).picked)


@pytest.mark.parametrize("key", ["allergy", "noted", "maybe", "vip"])
def test_the_pulse_counts_what_its_list_shows(bob, quay, harbour, key):
    """Requests and unknown statuses may come; nobody greets or cooks for a no-show."""
    guest = make_customer(harbour, allergies_and_intolerances=["nuts"], is_vip=True)
    notes = {"customer": guest, "customer_note": "Allergic to nuts. Fish?"}
    for status in ("RECORDED", "REQUESTED", "POSTPONED", "NO_SHOW", "CANCELED", "REFUSED"):
        make_reservation(quay, status=status, **notes)
    number = board_of(bob, zoom="pulse").filter_counts[key]

    assert number == len(board_of(bob, show=key).picked)
    assert number == board_of(bob).filter_counts[key]
    assert key == "maybe" or number == 3


def test_no_shows_can_be_narrowed_further(bob, quay, harbour):
    vip = make_customer(harbour, is_vip=True)
    lost = make_reservation(quay, customer=vip, status="NO_SHOW")
    make_reservation(quay, status="NO_SHOW")

    assert [one.uuid for one in board_of(bob, show=["no-show", "vip"]).picked] == [lost.uuid]
    assert board_of(bob, show="vip").picked == []


def test_allergies_come_before_what_calls_for_nobody():
    """A row of a phone ends after three of them; the others scroll."""
    assert list(FILTERS)[:5] == ["late", "requests", "allergy", "noted", "maybe"]


def test_a_filter_of_nothing_stands_behind_those_that_show_something(bob, quay, harbour):
    """“Late 0” and “Requests 0” would push the number of allergies off a phone's screen."""
    make_reservation(quay, customer=make_customer(harbour, allergies_and_intolerances=["nuts"]))

    chips = board_of(bob).chips

    assert (chips[0].label, chips[0].number) == ("Allergy, tagged", 1)
    assert [chip.label for chip in chips if not chip.number][:2] == ["Late", "Requests"]


@pytest.mark.parametrize(
    ("language", "number", "words"),
    [("en", 1, "Request"), ("en", 0, "Requests"), ("fr", 1, "Demande"), ("fr", 2, "Demandes")]
    + [("fr", 0, "Demande"), ("es", 1, "Solicitud"), ("es", 2, "Solicitudes")],
)
def test_a_label_agrees_with_its_number(language, number, words):
    """A phone reads “1 Request”."""
    with override(language):
        assert FILTERS["requests"].label % {"n": number} == words


def test_a_filter_that_is_on_keeps_its_place_when_it_shows_nothing(bob, quay):
    make_reservation(quay, customer_note="I am allergic to fish")
    chips = [chip for chip in board_of(bob, show="late").chips if chip.number or chip.is_on]

    assert [chip.label for chip in chips] == ["Late", "Allergy in a note", "With a note"]


def test_no_key_is_taken_twice_and_the_help_names_those_of_filters(bob, quay):
    make_reservation(quay)
    page = sign_in(bob).get("/", {"zoom": "list"}).text
    keys = re.findall(r'data-shortcut="(.)"', page)

    assert [key for key in keys if keys.count(key) > 1] == []
    # The sheet also has those that scripts alone know: `j` and `k` walk, `p` prints.
    listed = [key for line in lines_of_help(page.split("This board")[1]) for key in line]
    assert [key for key in listed if listed.count(key) > 1] == []
    assert {one.shortcut for one in FILTERS.values() if one.shortcut} <= {*listed}


def lines_of_help(page):
    """The keys of each line; a sequence, and one with Ctrl, is a key of its own."""
    lines = [re.findall(r"<kbd>(.*?)</kbd>", line) for line in re.findall(r"<dd>.*?</dd>", page)]
    return [[" ".join(one)] if one[:1] in (["g"], ["Ctrl"]) else one for one in lines]


def test_every_filter_has_a_symbol():
    assert {one.icon for one in FILTERS.values()} <= {*SYMBOLS}


def test_three_certainties_are_never_added_up(bob, quay, harbour):
    make_reservation(quay, customer=make_customer(harbour, allergies_and_intolerances=["nuts"]))
    make_reservation(quay, customer_note="I am allergic to fish")
    counts = board_of(bob).filter_counts

    assert (counts["allergy"], counts["noted"], counts["maybe"]) == (1, 1, 0)


def test_without_the_right_nothing_of_health_is_counted(bob, quay, harbour, without_right):
    without_right("customers.view_health")
    make_reservation(quay, customer=make_customer(harbour, allergies_and_intolerances=["nuts"]))
    make_reservation(quay, customer_note="I am allergic to fish")
    counts = board_of(bob).filter_counts

    assert (counts["allergy"], counts["noted"], counts["maybe"]) == (0, 0, 0)


def test_a_tap_on_the_pulse_leads_to_the_list(alice, quay, loft):
    make_reservation(quay, status="REQUESTED")
    chips = {chip.shortcut: chip.url for chip in board_of(alice, zoom="pulse").chips}

    assert "zoom=list" in chips["l"]


def test_numbers_and_filters_come_together(bob, quay):
    """One answer for both, so that they never differ."""
    make_reservation(quay)
    answer = sign_in(bob).get(
        "/", {"zoom": "list"}, headers={"HX-Request": "true", "HX-Target": "tiles"}
    )
    page = answer.content.decode()

    assert 'id="tiles"' in page
    assert 'id="numbers" hx-swap-oob="true"' in page


def test_what_is_cancelled_can_be_narrowed_further(bob, quay, harbour):
    vip = make_customer(harbour, is_vip=True)
    gone = make_reservation(quay, customer=vip, status="CANCELED")
    make_reservation(quay, status="CANCELED")

    assert [one.uuid for one in board_of(bob, show=["out", "vip"]).picked] == [gone.uuid]
    assert board_of(bob).filter_counts["vip"] == 0

"""The kind of an offer, and who alone may use it, stand wherever somebody meets the offer."""

import csv
import io
from datetime import timedelta
from html import unescape
from uuid import UUID

import pytest
import time_machine
from django.utils.translation import override

from partner.testing import FakeTransport, speak_through
from partner.wording import vocabulary
from reservations.testing import DINNER, make_reservation
from reservations.tests.new_booking.steps import TIME, slot
from reservations.words import MENU_TYPES, OFFER_TYPES, offer_kind, offer_restriction
from restaurants.testing import sign_in

MENU = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")
KINDS = [*sorted(vocabulary.MENU_TYPES), "tasting_flight"]
LANGUAGES = ["en", "fr", "es"]


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture
def api(db):
    transport = FakeTransport(
        list_party_sizes=(200, [2, 4]),
        list_availabilities=(200, [{"date": "2026-01-17", "offerList": [str(MENU)]}]),
        list_timeslots=(200, [slot(TIME, offers=[str(MENU)])]),
        list_offers=(200, [{"uuid": str(MENU), "name": "Winter table", "price": 65}]),
    )
    speak_through(transport)
    return transport


@pytest.fixture
def booked(quay):
    def booked(kind, **fields):
        offer = {"offer_uuid": MENU, "offer_type": "presetMenu", "offer_menu_type": kind}
        return make_reservation(quay, **offer | {"offer_name": {"en": "Winter table"}} | fields)

    return booked


def html(user, address, **query):
    response = sign_in(user).get(address, query)
    assert response.status_code == 200
    return unescape(response.content.decode())


def screens(user, row):
    """Every screen on which an offer is shown or chosen."""
    here = {"scope": str(row.restaurant.uuid)}
    at = here | {"day": "2026-01-17", "size": "4", "slot": TIME}
    return {
        "booking": html(user, row.get_absolute_url()),
        "choices": html(user, "/reservations/new/", **at),
        "chosen": html(user, "/reservations/new/", **at, offer=str(MENU)),
        "on sale": html(user, "/reservations/offers/", **here),
    }


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_shown_in_words(api, alice, booked, kind, language):
    alice.language = language
    alice.save()
    row = booked(kind)

    for name, page in screens(alice, row).items():
        with override(language):
            assert offer_kind("presetMenu", kind) in page, name
            assert (offer_restriction("card_brand") in page) == (kind == "card_brand"), name
        assert f">{kind}<" not in page, name


@pytest.mark.parametrize("kind", KINDS)
def test_the_kind_is_in_the_sheet(alice, booked, kind):
    booked(kind)
    response = sign_in(alice).get("/reservations/export.csv", {"day": "2026-01-17"})
    (line,) = csv.DictReader(io.StringIO(response.getvalue().decode(), newline=""))

    assert line["Kind of offer"] == offer_kind("presetMenu", kind)


@pytest.mark.parametrize("kind", ["", *KINDS])
def test_an_offer_without_a_name_is_not_called_the_same_twice(alice, booked, kind):
    page = html(alice, booked(kind, offer_name={}).get_absolute_url())

    assert "Set menu · Set menu" not in page


def test_every_word_of_the_contract_has_a_label():
    assert MENU_TYPES.keys() == vocabulary.MENU_TYPES
    assert OFFER_TYPES.keys() == vocabulary.OFFER_TYPES

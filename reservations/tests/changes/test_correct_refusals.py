"""A refused change is corrected in its own form, filled in, with the refusal at its field."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
import time_machine

from customers.testing import make_customer
from outbox.models import Intent, say_error
from partner.errors import InvalidRequest, Refused
from partner.testing import FakeTransport, speak_through
from reservations import actions
from reservations.testing import DINNER, make_intent, make_reservation
from restaurants.testing import sign_in

TIME = "2026-01-17T20:00:00+01:00"
LATER = "2026-01-17T20:30:00+01:00"
MENU = "5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11"
GUEST = {
    "email": "jo@example.com",
    "first_name": "Jo",
    "last_name": "Martin",
    "phone": "+33199001234",
    "locale": "tl",
    "civility": "mx",
}
BOOKING = {
    "meal_date": TIME,
    "party_size": 4,
    "customer": GUEST,
    "guest": "",
    "offer_uuid": MENU,
    "without_slot": False,
    "customer_note": "By the window",
    "restaurant_note": "Cake at ten",
}
SWITCH = {"day": "2026-01-17", "start_time": "19:00", "end_time": "21:30", "is_open": False}
STATE = Intent.State

# The id of the element that shows the refusal of each field.
OF_BOOKING = {
    "INVALID_CUSTOMER_EMAIL": "id_email_error",
    "INVALID_EMAIL": "id_email_error",
    "INVALID_CUSTOMER_FIRST_NAME": "id_first_name_error",
    "INVALID_CUSTOMER_LASTNAME": "id_last_name_error",
    "INVALID_CUSTOMER_LOCALE": "id_locale_error",
    "INVALID_CUSTOMER_CIVILITY": "id_civility_error",
    "INVALID_CUSTOMER_PHONE": "id_phone_error",
    "INVALID_CUSTOMER_OPTINS_RESTAURANT_NEWSLETTER": "id_newsletter_error",
    "INVALID_CUSTOMER_NOTE": "id_customer_note_error",
    "INVALID_RESTAURANT_NOTE": "id_restaurant_note_error",
    "INVALID_MEAL_DATE": "refused-meal_date",
    "INVALID_PARTY_SIZE": "refused-party_size",
    "INVALID_OFFER_UUID": "refused-offer_uuid",
}
OF_SWITCH = {
    "INVALID_DATE": "id_day_error",
    "INVALID_START_TIME": "id_start_error",
    "INVALID_ENDTIME": "id_end_error",
}
OF_CHANGE = {"INVALID_MEAL_DATE": "refused-meal_date", "INVALID_PARTY_SIZE": "refused-party_size"}
OF_NO_FIELD = ["INVALID_TABLE_NUMBER", "INVALID_CUSTOMER", "INVALID_BODY"]


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture(autouse=True)
def _service(db):
    slot = {
        "hasPaymentGuaranteeRequirement": False,
        "guaranteeRequirementList": [],
        "offers": [MENU],
        "hasNormalStock": True,
    }
    answers = FakeTransport(
        list_party_sizes=(200, [2, 4]),
        list_availabilities=(200, [{"date": "2026-01-17", "hasNormalStock": True}]),
        list_timeslots=(200, [slot | {"datetime": text} for text in (TIME, LATER)]),
        list_offers=(200, [{"uuid": MENU, "name": "Tasting menu", "price": 65}]),
    )
    speak_through(answers)


@pytest.fixture
def row(quay):
    return make_reservation(quay, meal_date_text=TIME, party_size=4, restaurant_note="Old")


def refused(place, action, payload, code, **fields):
    error = Refused(code=code, method="POST", path="/v1/x", status=400)
    known = {"state": STATE.REFUSED, "problem": code, "message": say_error(error)}
    return make_intent(place, action=action, payload=payload, **known | fields)


def page_of(client, address):
    answer = client.get(address)
    assert answer.status_code == 200
    return unescape(answer.content.decode())


def correct_it(client, intent, address=""):
    """Press “Correct it” on the page of the change, or of what it is about."""
    page = page_of(client, address or f"/reservations/changes/{intent.key}/")
    (href,) = re.findall(r'href="([^"]+correct=[^"]+)"', page)
    return page_of(client, href)


def text_beside(page, element):
    """The text of the element with that id."""
    found = re.search(rf'<p class="field__error" id="{element}".*?<span>(.*?)</span>', page)
    return found[1] if found else None


class TestBooking:
    @pytest.mark.parametrize(("code", "element"), OF_BOOKING.items())
    def test_the_refusal_stands_at_its_field(self, bob, quay, code, element):
        intent = refused(quay, actions.CREATE, BOOKING, code, uuid=None)
        page = correct_it(sign_in(bob), intent)

        assert text_beside(page, element) == intent.sentence
        assert page.count('class="field__error"') == 1

    @pytest.mark.parametrize("code", OF_NO_FIELD)
    def test_an_unknown_field_is_named_above_the_form(self, bob, quay, code):
        intent = refused(quay, actions.CREATE, BOOKING, code, uuid=None)

        assert f"<li>{intent.sentence}</li>" in correct_it(sign_in(bob), intent)

    def test_our_own_check_before_the_service_counts_as_well(self, bob, quay):
        error = InvalidRequest(field="email", sentence="This is not an e-mail address.")
        fields = {"uuid": None, "message": say_error(error)}
        intent = refused(quay, actions.CREATE, BOOKING, error.code, **fields)

        page = correct_it(sign_in(bob), intent)
        words = "This is not an e-mail address. Nothing was changed."
        assert text_beside(page, "id_email_error") == words

    def test_everything_is_filled_in_as_before(self, bob, quay):
        intent = refused(quay, actions.CREATE, BOOKING, "INVALID_CUSTOMER_EMAIL", uuid=None)
        page = correct_it(sign_in(bob), intent)

        for words in ("jo@example.com", "Martin", "By the window", "Cake at ten", 'value="tl"'):
            assert words in page
        assert "Book for 4 people" in page

    def test_the_corrected_booking_is_a_new_change(self, bob, quay):
        client = sign_in(bob)
        intent = refused(quay, actions.CREATE, BOOKING, "INVALID_CUSTOMER_EMAIL", uuid=None)
        page = correct_it(client, intent)
        (address,) = re.findall(r'novalidate action="([^"]+)"', page)
        typed = GUEST | {"locale": "fr_FR", "email": "jo@exämple.de", "step": "confirm"}
        client.post(f"/reservations/new/{address}", typed | {"key": uuid4()})

        sent = Intent.objects.exclude(pk=intent.pk).get()
        assert sent.payload["customer"]["email"] == "jo@xn--exmple-cua.de"

    def test_for_a_known_guest_only_the_refused_field_is_shown_and_nothing_revealed(
        self, bob, quay
    ):
        guest = make_customer(quay.group, **GUEST | {"locale": "fr_FR"})
        payload = BOOKING | {"guest": str(guest.pk)}
        client = sign_in(bob)
        intent = refused(quay, actions.CREATE, payload, "INVALID_CUSTOMER_EMAIL", uuid=None)
        page = correct_it(client, intent)

        assert text_beside(page, "id_email_error")
        assert "jo@example.com" not in page
        assert "id_last_name" not in page
        (address,) = re.findall(r'novalidate action="([^"]+)"', page)
        typed = {"guest": guest.pk, "email": "better@example.com", "step": "confirm"}
        client.post(f"/reservations/new/{address}", typed | {"key": uuid4()})
        sent = Intent.objects.exclude(pk=intent.pk).get()
        assert sent.payload["customer"]["email"] == "better@example.com"
        assert sent.payload["customer"]["last_name"] == "Martin"

    def test_of_an_erased_guest_nothing_is_left_to_correct(self, bob, quay):
        rest = {k: v for k, v in BOOKING.items() if k not in ("customer", "guest")}
        intent = refused(quay, actions.CREATE, rest, "INVALID_CUSTOMER_EMAIL", uuid=None)

        page = page_of(sign_in(bob), f"/reservations/changes/{intent.key}/")
        assert "correct=" not in page
        page_of(sign_in(bob), f"/reservations/new/?scope={quay.uuid}&correct={intent.key}")

    def test_the_bookings_of_others_are_not_opened(self, charlie, quay):
        intent = refused(quay, actions.CREATE, BOOKING, "INVALID_CUSTOMER_EMAIL", uuid=None)

        page = page_of(sign_in(charlie), f"/reservations/new/?correct={intent.key}&size=4")
        assert "jo@example.com" not in page


class TestChange:
    @pytest.mark.parametrize(("code", "element"), OF_CHANGE.items())
    def test_the_refusal_stands_at_its_field(self, bob, row, code, element):
        payload = {"changes": {"meal_date": LATER, "party_size": 2}, "base": {}}
        intent = refused(row.restaurant, actions.UPDATE, payload, code, uuid=row.uuid)
        page = correct_it(sign_in(bob), intent, row.get_absolute_url())

        assert text_beside(page, element) == intent.sentence
        assert 'id="pick-size" type="number" name="size" min="1" value="2"' in page

    def test_an_unknown_field_is_named_above_the_form(self, bob, row):
        payload = {"changes": {"party_size": 2}, "base": {}}
        code = "INVALID_TABLE_NUMBER"
        intent = refused(row.restaurant, actions.UPDATE, payload, code, uuid=row.uuid)
        page = correct_it(sign_in(bob), intent, row.get_absolute_url())

        assert text_beside(page, "refused-") == intent.sentence

    def test_a_refused_note_is_kept_in_its_form(self, bob, row):
        payload = {"changes": {"restaurant_note": "A long note"}, "base": {}}
        code = "INVALID_RESTAURANT_NOTE"
        intent = refused(row.restaurant, actions.UPDATE, payload, code, uuid=row.uuid)
        page = correct_it(sign_in(bob), intent, row.get_absolute_url())

        assert text_beside(page, "id_note_error") == intent.sentence
        assert "A long note</textarea>" in page


class TestSwitch:
    @pytest.mark.parametrize(("code", "element"), OF_SWITCH.items())
    def test_the_refusal_stands_at_its_field(self, alice, quay, code, element):
        about = {"kind": "availability", "uuid": quay.uuid}
        intent = refused(quay, actions.OVERRIDE, SWITCH, code, **about)
        page = correct_it(sign_in(alice), intent)

        assert text_beside(page, element) == intent.sentence
        assert 'value="2026-01-17"' in page

    def test_what_is_no_field_is_named_above_the_form(self, alice, quay):
        about = {"kind": "availability", "uuid": quay.uuid}
        intent = refused(quay, actions.OVERRIDE, SWITCH, "INVALID_IS_OPEN", **about)

        assert f"<li>{intent.sentence}</li>" in correct_it(sign_in(alice), intent)


def test_a_refusal_for_lack_of_tables_is_not_corrected_in_the_form(bob, quay):
    intent = refused(quay, actions.CREATE, BOOKING, "NO_AVAILABILITY", uuid=None)

    assert "correct=" not in page_of(sign_in(bob), f"/reservations/changes/{intent.key}/")

"""Tolerant reading: nothing that the partner may send stops a refresh."""

import copy
import json
from datetime import UTC, date, datetime
from decimal import Decimal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner import schemas
from partner.http.protocol import DriftItem
from partner.payloads.reading import Entity, read, read_list
from partner.testing import recorded

ENTITIES: dict[str, type[Entity]] = {
    "get_reservation": schemas.ReservationPayload,
    "get_customer": schemas.CustomerPayload,
    "get_review": schemas.ReviewPayload,
    "create_reservation": schemas.BookedReservation,
    "cancel_reservation": schemas.BookedReservation,
    "reply_to_review": schemas.ReplyAnswer,
    "find_customer_by_phone": schemas.PhoneMatch,
    "override_availability": schemas.Override,
    "upload_logo": schemas.PosInstance,
}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.mark.parametrize("endless", ["1e999999999", "-1e999999999", "NaN", "sNaN", "-Infinity"])
def test_an_amount_beyond_any_column_is_left_out_alone(endless):
    payload = recorded("get_reservation")
    payload["billAmount"]["totalPrice"] = endless

    reservation, drift = read(schemas.ReservationPayload, payload)

    assert reservation.bill_amount
    assert reservation.bill_amount.total_price is None
    assert reservation.party_size == 4
    assert drift == (DriftItem("wrong type", "billAmount.totalPrice"),)


def test_it_works():
    reservation, drift = read(schemas.ReservationPayload, recorded("get_reservation"))

    assert drift == ()
    assert reservation.party_size == 4
    assert reservation.meal_date == datetime(2026, 12, 4, 19, 15, tzinfo=UTC)
    assert str(reservation.meal_date).endswith("+01:00")
    assert reservation.model_dump(include={"bill_amount", "custom_fields", "offer_details"}) == {
        "bill_amount": {"total_price": Decimal("268.4"), "currency": "EUR"},
        "custom_fields": [
            {
                "label_uuid": UUID("9a1f2f7c-51a0-4a0a-9be5-1c5b0d2e7a10"),
                "label": "Terrace",
                "type": "boolean",
                "value": True,
                "value_uuid": None,
            }
        ],
        "offer_details": {
            "offer_type": "presetMenu",
            "name": {"en": "Tasting menu", "fr": "Menu dégustation"},
            "discount_percentage": None,
            "preset_menu_type": "experience",
            "price": Decimal(65),
            "currency": "EUR",
        },
    }


@pytest.mark.parametrize("number", [10**12, -(10**12), 10**30, 1e300], ids=str)
def test_a_number_that_no_page_can_round_is_unreadable(number):
    offer, drift = read(schemas.OfferPayload, {"price": number})

    assert offer.price is None
    assert drift == (DriftItem("wrong type", "price"),)


@pytest.mark.parametrize(("operation", "model"), ENTITIES.items())
def test_every_recorded_answer_is_free_of_drift(operation, model):
    assert read(model, recorded(operation))[1] == ()


def test_a_guest_is_read():
    guest, _ = read(schemas.CustomerPayload, recorded("get_customer"))

    assert guest.birth_date == date(1984, 2, 29)
    assert guest.secondary_phone == "01 99 00 12 35"
    assert guest.risk_level is None
    assert guest.allergies_and_intolerances == ["peanuts"]


def test_reading_does_not_change_the_payload():
    payload = recorded("get_reservation") | {"partySize": "four", "customFields": [1]}
    before = copy.deepcopy(payload)

    read(schemas.ReservationPayload, payload)

    assert payload == before


@pytest.mark.parametrize(
    ("change", "item"),
    [
        ({"allergens": ["fish"]}, DriftItem("unknown field", "allergens")),
        ({"status": "CONFIRMED"}, DriftItem("unknown word", "status", "CONFIRMED")),
        (  # words of this field have spaces
            {"reservationChannel": "Booking Agent"},
            DriftItem("unknown word", "reservationChannel", "Booking Agent"),
        ),
        ({"partySize": "4"}, DriftItem("wrong type", "partySize")),
        ({"partySize": "four"}, DriftItem("wrong type", "partySize")),
        ({"mealDate": "tomorrow"}, DriftItem("wrong type", "mealDate")),
        ({"createdAt": "2026-12-01T09:12:44"}, DriftItem("naive time", "createdAt")),
        ({"customFields": {}}, DriftItem("wrong type", "customFields")),
        ({"customFields": [None]}, DriftItem("wrong type", "customFields.[]")),
        ({"billAmount": {"totalPrice": "much"}}, DriftItem("wrong type", "billAmount.totalPrice")),
        ({"billAmount": {"tip": 1}}, DriftItem("unknown field", "billAmount.tip")),
        (
            {"utmTrackingInformation": [{"key": "utm_term"}]},
            DriftItem("unknown word", "utmTrackingInformation.key", "utm_term"),
        ),
    ],
)
def test_drift_is_reported_and_the_rest_is_kept(change, item):
    reservation, drift = read(schemas.ReservationPayload, recorded("get_reservation") | change)

    assert item in drift
    assert reservation.restaurant_note == "Called from the hotel desk"


def test_unknown_words_are_kept_as_they_are():
    reservation, _ = read(schemas.ReservationPayload, {"status": "CONFIRMED"})

    assert reservation.status == "CONFIRMED"


@pytest.mark.parametrize("text", ["Zoë is allergic", "jo@example.com", "+33199001234", "x" * 61])
def test_drift_names_words_and_never_a_text(text):
    _, drift = read(schemas.CustomerPayload, {"civility": text})

    assert drift == (DriftItem("unknown word", "civility", "(text)"),)


@pytest.mark.parametrize("text", ["Maria Rossi", "Booking of Maria Rossi", "Booking Zoë", "Cross "])
def test_drift_names_several_words_only_beside_one_that_the_contract_has(text):
    _, drift = read(schemas.ReservationPayload, {"reservationChannel": text})

    assert DriftItem("unknown word", "reservationChannel", "(text)") in drift


def test_a_naive_time_is_utc():
    reservation, _ = read(schemas.ReservationPayload, {"createdAt": "2026-12-01T09:12:44"})

    assert reservation.created_at == datetime(2026, 12, 1, 9, 12, 44, tzinfo=UTC)


def test_good_items_of_a_list_stay_when_others_go():
    guest, drift = read(schemas.CustomerPayload, {"otherTags": ["a", 1, "b", None]})

    assert guest.other_tags == ["a", "b"]
    assert drift == (DriftItem("wrong type", "otherTags.[]"),)


def test_an_empty_object_is_an_entity():
    for model in ENTITIES.values():
        entity, _ = read(model, {})
        assert set(entity.model_dump().values()) == {None}


def test_a_representation_shows_no_guest():
    guest, _ = read(schemas.CustomerPayload, recorded("get_customer"))

    assert repr(guest) == str(guest) == "<CustomerPayload>"


def test_real_names_are_read_as_the_neutral_ones(settings):
    settings.PARTNER_NAMES = {"Marketplace": "Brandname"}

    reservation, drift = read(schemas.ReservationPayload, {"reservationChannel": "Brandname"})

    assert reservation.reservation_channel == "Marketplace"
    assert drift == ()


def test_what_is_not_an_object_in_a_list_is_left_out():
    offers, drift = read_list(schemas.OfferPayload, [{"name": "Menu"}, 7])

    assert [offer.name for offer in offers] == ["Menu"]
    assert drift == (DriftItem("wrong type", "[]"),)


class TestGuarantee:
    OFFER = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")

    def slot(self):
        return read_list(schemas.Timeslot, recorded("list_timeslots"))[0][0]

    def test_it_depends_on_the_size(self):
        assert self.slot().guarantee_for(5) is None
        assert self.slot().guarantee_for(6) == self.slot().guarantee_requirement_list[0]

    def test_it_depends_on_the_offer(self):
        rule = self.slot().guarantee_for(2, offer_uuid=self.OFFER)

        assert rule == self.slot().guarantee_requirement_list[1]

    def test_the_slots_time_stays_text(self):
        assert self.slot().datetime == "2026-12-04T20:00:00+01:00"


@st.composite
def mutated(draw):
    """A recorded answer with some of its values, at any depth, replaced by anything."""
    operation = draw(st.sampled_from(sorted(ENTITIES)))
    payload = recorded(operation)
    for _ in range(draw(st.integers(1, 4))):
        node = payload
        while True:
            keys = list(node) if isinstance(node, dict) else range(len(node))
            key = draw(st.sampled_from(list(keys) or [0]))
            inner = node[key] if keys else None
            if isinstance(inner, dict | list) and inner and draw(st.booleans()):
                node = inner
                continue
            if keys:
                node[key] = draw(ANYTHING)
            break
    return operation, payload


@settings(max_examples=100)
@given(mutated())
def test_no_mutation_raises_or_changes_the_payload(case):
    operation, payload = case
    before = json.dumps(payload)

    read(ENTITIES[operation], payload)

    assert json.dumps(payload) == before


@settings(max_examples=100)
@given(
    st.sampled_from(sorted(ENTITIES)), st.dictionaries(st.text(max_size=8), ANYTHING, max_size=5)
)
def test_every_unknown_field_is_kept_and_reported(operation, payload):
    entity, drift = read(ENTITIES[operation], payload)

    known = {field.alias for field in ENTITIES[operation].model_fields.values()}
    unknown = set(payload) - known
    assert set(entity.model_extra or {}) == unknown
    assert {f.path for f in drift if f.kind == "unknown field"} == unknown

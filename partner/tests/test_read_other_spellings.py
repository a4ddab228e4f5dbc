"""Values that are spelt in another way than the contract has them: moments, integers, dates."""

import json
from datetime import UTC, datetime
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from partner import schemas
from partner.http.protocol import DriftItem
from partner.payloads.reading import Entity, read

# One moment in the forms of ISO 8601; the contract names the norm and none of them.
QUARTER_PAST_SEVEN = datetime(2026, 12, 4, 19, 15, tzinfo=UTC)


FORMS = {
    "RFC 3339": "2026-12-04T19:15:00Z",
    "small letters": "2026-12-04t19:15:00z",
    "basic": "20261204T191500Z",
    "basic in small letters": "20261204t191500z",
    "basic with offset": "20261204T201500+0100",
    "an offset of hours": "2026-12-04T20:15:00+01",
    "an offset without colon": "2026-12-04T20:15:00+0100",
    "an offset of a quarter": "2026-12-05T09:00:00+13:45",
    "the sign of minus": "2026-12-04T15:45:00\N{MINUS SIGN}03:30",
    "no seconds": "2026-12-04T19:15Z",
    "nanoseconds": "2026-12-04T19:15:00.000000000Z",
    "a decimal comma": "2026-12-04T19:15:00,0Z",
    "a week": "2026-W49-5T19:15:00Z",
    "a space around": " 2026-12-04T19:15:00Z ",
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("field", ["mealDate", "createdAt", "updatedAt"])
def test_a_moment_is_read_in_the_usual_forms_of_the_norm(field, form):
    reservation, drift = read(schemas.ReservationPayload, {field: FORMS[form]})

    assert list(reservation.model_dump(exclude_none=True).values()) == [QUARTER_PAST_SEVEN]
    assert drift == ()


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-12-31T24:00:00Z", datetime(2027, 1, 1, tzinfo=UTC)),
        ("20261231T2400Z", datetime(2027, 1, 1, tzinfo=UTC)),
        ("2026-12-31T23:59:60Z", datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)),
        ("20261231T235960Z", datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)),
    ],
)
def test_the_last_moments_of_a_day_are_read(text, moment):
    assert read(schemas.ReservationPayload, {"createdAt": text})[0].created_at == moment


@pytest.mark.parametrize(
    "text", ["20261204", "1795708316", "20:15", "T20:15", "2026-12-04T25:00Z", "9999-12-31T24:00Z"]
)
def test_what_is_no_moment_is_reported(text):
    reservation, drift = read(schemas.ReservationPayload, {"createdAt": text})

    assert reservation.created_at is None
    assert drift == (DriftItem("wrong type", "createdAt"),)


def integer_fields():
    """Every field of every entity that the contract gives an integer."""
    entities = [kind for kind in vars(schemas).values() if isinstance(kind, type)]
    return [
        (kind, field.alias, name)
        for kind in entities
        if issubclass(kind, Entity)
        for name, field in kind.model_fields.items()
        if "Annotated[int" in str(field.annotation) or int in get_args(field.annotation)
    ]


class TestIntegers:
    def test_the_party_size_is_among_them(self):
        assert (schemas.ReservationPayload, "partySize", "party_size") in integer_fields()

    @settings(max_examples=200)
    @given(st.sampled_from(integer_fields()), st.integers(-(2**53), 2**53), st.booleans())
    def test_an_integer_may_be_written_with_a_point(self, field, number, is_float):
        kind, spelt, name = field
        sent = json.loads(f"{number}.0" if is_float else str(number))

        entity, drift = read(kind, {spelt: sent})

        assert getattr(entity, name) == number
        assert type(getattr(entity, name)) is int
        assert drift == ()

    @pytest.mark.parametrize(("kind", "spelt", "name"), integer_fields())
    @pytest.mark.parametrize(
        "sent", [4.5, "four", "4.0", True, float("inf"), float("nan"), [4], {}]
    )
    def test_what_is_no_integer_is_reported(self, kind, spelt, name, sent):
        entity, drift = read(kind, {spelt: sent})

        assert getattr(entity, name) is None
        assert drift == (DriftItem("wrong type", spelt),)


class TestRespelled:
    """A part of the wrong type that can mean one thing only. It is reported all the same."""

    @pytest.mark.parametrize(
        ("model", "field", "sent", "read_as"),
        [
            (schemas.ReservationPayload, "partySize", "4", 4),
            (schemas.ReservationPayload, "partySize", " 12 ", 12),
            (schemas.ReviewPayload, "isValid", "false", False),
            (schemas.CustomerPayload, "isVip", "True", True),
            (schemas.CustomerPayload, "phone", 33199001234, "33199001234"),
            (schemas.CustomerPayload, "zipcode", 75001, "75001"),
            (schemas.CustomerPayload, "allergiesAndIntolerances", "Peanuts", ["Peanuts"]),
            (schemas.CustomerPayload, "dietaryRestrictions", "Vegan, Halal", ["Vegan", "Halal"]),
            (
                schemas.CustomerPayload,
                "allergiesAndIntolerances",
                "Nuts (almonds, hazelnuts), Milk",
                ["Nuts (almonds, hazelnuts)", "Milk"],
            ),
            (schemas.CustomerPayload, "otherTags", "", []),
            (schemas.CustomerPayload, "otherTags", " [] ", []),
            (
                schemas.CustomerPayload,
                "otherTags",
                '["Nuts (all, also oil)"]',
                ["Nuts (all, also oil)"],
            ),
            (schemas.CustomerPayload, "otherTags", '{"nuts": true, "milk": false}', ["nuts"]),
            (schemas.CustomerPayload, "otherTags", "[Nuts", ["[Nuts"]),
            (
                schemas.CustomerPayload,
                "allergiesAndIntolerances",
                {"peanuts": True, "milk": False},
                ["peanuts"],
            ),
            (
                schemas.CustomerPayload,
                "allergiesAndIntolerances",
                {"peanuts": "true", "milk": "False"},
                ["peanuts"],
            ),
            (
                schemas.CustomerPayload,
                "allergiesAndIntolerances",
                {"tags": ["Nuts", "Soy"]},
                ["Nuts", "Soy"],
            ),
            *(
                (schemas.CustomerPayload, "allergiesAndIntolerances", sent, read_as)
                for sent, read_as in [
                    ({"peanuts": "severe"}, ["peanuts (severe)"]),
                    ({"peanuts": "severe", "milk": "none"}, ["peanuts (severe)", "milk (none)"]),
                    ({"peanuts": {"severity": "High"}}, ["peanuts (High)"]),
                    ({"peanuts": {"severe": True}}, ["peanuts (severe)"]),
                    ({"peanuts": 3, "milk": 0}, ["peanuts (3)"]),
                    ({"peanuts": 1.5, "milk": 0.0}, ["peanuts (1.5)"]),
                    ({"peanuts": "sévère"}, ["peanuts (sévère)"]),
                    (
                        {"peanuts": "muy grave", "milk": "lieve"},
                        ["peanuts (muy grave)", "milk (lieve)"],
                    ),
                    ({"name": "Peanuts", "id": 1.5}, ["Peanuts"]),
                    ('[{"peanuts": "life-threatening"}]', ["peanuts (life-threatening)"]),
                    ({"soy": {"severe": False}, "egg": {"severity": None}}, ["soy", "egg"]),
                    ({"data": {"allergies": ["Nuts", "Soy"]}}, ["Nuts", "Soy"]),
                    ({"soy": {"severity": 2, "reaction": "hives"}}, ["soy (hives)"]),
                    ({"tags": ["Nuts"], "count": 1}, ["Nuts"]),
                    ({"name": "Peanuts", "severity": "severe"}, ["Peanuts", "severe"]),
                    ({"name": "Peanuts", "id": 3}, ["Peanuts"]),
                    ({"allergies": {"peanuts": "mild"}}, ["peanuts (mild)"]),
                ]
            ),
            (schemas.CustomerPayload, "notes", {"peanuts": "severe"}, "peanuts (severe)"),
            (
                schemas.CustomerPayload,
                "notes",
                {"en": "No nuts", "by": {"name": "Ada"}},
                "No nuts, Ada",
            ),
            (schemas.CustomerPayload, "notes", ["No nuts", " "], "No nuts"),
        ],
    )
    def test_it_works(self, model, field, sent, read_as):
        entity, drift = read(model, {field: sent})

        assert entity.model_dump(by_alias=True)[field] == read_as
        assert drift == (DriftItem("wrong type", field),)

    @pytest.mark.parametrize(
        ("model", "field", "sent"),
        [
            (schemas.ReservationPayload, "partySize", "4 people"),
            (schemas.ReservationPayload, "partySize", "١٢"),
            (schemas.ReservationPayload, "partySize", "9" * 5000),
            (schemas.ReservationPayload, "status", 1),  # the code of a word
            (schemas.ReservationPayload, "customerNote", True),
            (schemas.ReviewPayload, "isValid", "no"),
            (schemas.ReviewPayload, "isValid", 0),
            (schemas.CustomerPayload, "allergiesAndIntolerances", {"peanuts": False}),
            (schemas.CustomerPayload, "allergiesAndIntolerances", "{}"),
            (schemas.CustomerPayload, "notes", []),
            # An object in the place of what is no note has many meanings,
            (schemas.ReservationPayload, "status", {"code": "RECORDED", "label": "Confirmed"}),
            (schemas.CustomerPayload, "email", {"work": "a@example.com", "home": "b@example.com"}),
            (schemas.Timeslot, "datetime", {"date": "2026-12-04", "time": "20:00"}),
            # and a word in the place of a list of objects is no empty list.
            (schemas.PhoneMatch, "nextReservationsList", "none"),
            (schemas.CustomerPayload, "customFields", "none"),
            (schemas.Timeslot, "guaranteeRequirementList", "imprint, prepayment"),
        ],
    )
    def test_what_may_mean_several_things_is_left_out(self, model, field, sent):
        entity, drift = read(model, {field: sent})

        assert entity.model_dump(by_alias=True)[field] is None
        assert drift == (DriftItem("wrong type", field),)

    @pytest.mark.parametrize("sent", ["2026-12-04", "20261204"])
    def test_a_day_alone_is_no_time_of_a_meal(self, sent):
        """Midnight would be made up; in the restaurant it may be the evening before."""
        booking, drift = read(schemas.ReservationPayload, {"mealDate": sent, "createdAt": sent})

        assert booking.meal_date is None
        assert DriftItem("wrong type", "mealDate") in drift

    def test_of_a_guest_a_day_alone_says_when_the_record_changed(self):
        guest, _ = read(schemas.CustomerPayload, {"lastUpdateDate": "2026-12-04"})

        assert guest.last_update_date == datetime(2026, 12, 4, tzinfo=UTC)

    def test_a_tag_that_is_an_object_is_read_with_all_its_words(self):
        sent = [{"code": "NUTS", "label": "Nuts"}, "Soy"]
        guest, drift = read(schemas.CustomerPayload, {"allergiesAndIntolerances": sent})

        assert guest.allergies_and_intolerances == ["NUTS, Nuts", "Soy"]
        assert drift == (DriftItem("wrong type", "allergiesAndIntolerances.[]"),)

    def test_a_list_of_guarantees_in_words_still_hides_whom_it_meets(self):
        slot, _ = read(schemas.Timeslot, {"guaranteeRequirementList": "imprint, prepayment"})

        assert slot.hides_guarantee


def date_fields():
    """Every field of every entity that holds a date or an instant."""
    entities = [kind for kind in vars(schemas).values() if isinstance(kind, type)]
    return [
        (kind, field.alias, name)
        for kind in entities
        if issubclass(kind, Entity)
        for name, field in kind.model_fields.items()
        if "date" in str(field.annotation)
    ]


class TestDates:
    def test_the_meal_and_the_birthday_are_among_them(self):
        assert (schemas.ReservationPayload, "mealDate", "meal_date") in date_fields()
        assert (schemas.CustomerPayload, "birthDate", "birth_date") in date_fields()

    @pytest.mark.parametrize(("kind", "spelt", "name"), date_fields())
    @pytest.mark.parametrize("sent", [0, 20261204, 1764806400.0, "0", "1764806400", "-5", True])
    def test_no_date_is_made_up_from_a_number(self, kind, spelt, name, sent):
        entity, drift = read(kind, {spelt: sent})

        assert getattr(entity, name) is None
        assert drift == (DriftItem("wrong type", spelt),)

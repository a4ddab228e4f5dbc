"""Strict writing: what leaves is what the contract takes."""

from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.moments import parse_moment
from partner.errors import InvalidRequest
from partner.payloads import bodies
from partner.payloads.bodies import UNSET, NewCustomer

NOW = datetime(2026, 11, 20, 18, 0, tzinfo=UTC)
NAIVE = datetime.fromisoformat("2026-12-04T20:00:00")
OFFER = UUID("5b0e0a52-0f3c-4b0e-9a5d-6f0d3a1c7e11")


def customer(**changes):
    facts: dict[str, Any] = {
        "email": "jo@example.com",
        "first_name": "Jo",
        "last_name": "Martin",
        "locale": "fr_FR",
        "civility": "mx",
    }
    return NewCustomer(**facts | changes)


def booking(**changes):
    facts: dict[str, Any] = {
        "meal_date": "2026-12-04T20:15:00+01:00",
        "party_size": 4,
        "customer": customer(),
        "offer_uuid": None,
        "customer_note": None,
        "restaurant_note": None,
        "now": NOW,
    }
    return bodies.new_reservation(**facts | changes)


class TestNewReservation:
    def test_it_works(self):
        assert booking(customer=customer(phone="+33199001234"), offer_uuid=OFFER) == {
            "mealDate": "2026-12-04T20:15:00+01:00",
            "partySize": 4,
            "offerUuid": str(OFFER),
            "customer": {
                "email": "jo@example.com",
                "firstName": "Jo",
                "lastName": "Martin",
                "locale": "fr_FR",
                "civility": "mx",
                "phone": "+33199001234",
            },
        }

    def test_notes_may_be_a_thousand_characters(self):
        body = booking(customer_note="x" * 1000, restaurant_note="y" * 1000)

        assert len(body["customerNote"]) == len(body["restaurantNote"]) == 1000

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"meal_date": "2026-11-20T17:59:59+00:00"}, "meal_date"),
            ({"meal_date": "2026-11-19T20:00:00"}, "meal_date"),
            ({"meal_date": NAIVE}, "meal_date"),
            ({"meal_date": "tonight"}, "meal_date"),
            ({"meal_date": "2026-12-04"}, "meal_date"),
            ({"meal_date": None}, "meal_date"),
            ({"party_size": 0}, "party_size"),
            ({"party_size": True}, "party_size"),
            ({"party_size": 2.5}, "party_size"),
            ({"offer_uuid": "../x"}, "offer_uuid"),
            ({"customer_note": "x" * 1001}, "customer_note"),
            ({"restaurant_note": "x" * 1001}, "restaurant_note"),
            ({"customer": customer(email="jo")}, "email"),
            ({"customer": customer(first_name=" ")}, "first_name"),
            ({"customer": customer(last_name="")}, "last_name"),
            ({"customer": customer(locale="fr-FR")}, "locale"),
            ({"customer": customer(locale="FR")}, "locale"),
            ({"customer": customer(civility="dr")}, "civility"),
            ({"customer": customer(phone="0199001234")}, "phone"),
            ({"customer": customer(phone="+0199001234")}, "phone"),
            ({"customer": customer(phone="+3319900123456789")}, "phone"),
            ({"customer": customer(phone="+٣٣١٩٩٠٠")}, "phone"),
        ],
    )
    def test_it_refuses_with_the_field_and_a_sentence(self, changes, field):
        with pytest.raises(InvalidRequest) as refused:
            booking(**changes)

        assert refused.value.field == field
        assert refused.value.sentence.endswith(".")
        assert str(refused.value) == f"invalid {field}"

    def test_a_local_time_without_offset_may_still_be_to_come_somewhere(self):
        assert booking(meal_date="2026-11-20T10:00:00")["mealDate"] == "2026-11-20T10:00:00"

    def test_an_aware_time_is_written_with_its_offset(self):
        at = datetime(2026, 12, 4, 20, 15, tzinfo=timezone(timedelta(hours=1)))

        assert booking(meal_date=at)["mealDate"] == "2026-12-04T20:15:00+01:00"

    def test_the_newsletter_is_sent_only_when_ticked(self):
        assert "optins" not in booking()["customer"]
        body = booking(customer=customer(newsletter=True))
        assert body["customer"]["optins"] == {"restaurantNewsletter": True}

    def test_a_representation_shows_no_guest(self):
        assert repr(customer()) == "<NewCustomer>"

    @given(st.text())
    def test_a_slots_time_leaves_as_it_came(self, text):
        try:
            assert bodies.meal_time(text) is text
        except InvalidRequest:
            assert parse_moment(text) is None


class TestUpdate:
    def body(self, note):
        return bodies.reservation_update(
            meal_date="2026-12-04T20:15:00+01:00", party_size=2, restaurant_note=note
        )

    def test_a_note_is_absent_null_or_text(self):
        assert self.body(UNSET) == {"mealDate": "2026-12-04T20:15:00+01:00", "partySize": 2}
        assert self.body(None)["restaurantNote"] is None
        assert self.body("x" * 3000)["restaurantNote"] == "x" * 3000

    def test_a_longer_note_is_refused(self):
        with pytest.raises(InvalidRequest):
            self.body("x" * 3001)


class TestOverride:
    def body(self, **changes):
        facts: dict[str, Any] = {
            "day": date(2026, 12, 24),
            "start_time": "19:00",
            "end_time": None,
            "is_open": False,
        }
        return bodies.override(**facts | changes)

    def test_it_always_says_open_or_closed(self):
        assert self.body() == {"date": "2026-12-24", "startTime": "19:00", "isOpen": False}
        assert self.body(is_open=True, end_time="21:30")["endTime"] == "21:30"

    @pytest.mark.parametrize(
        "changes",
        [
            {"day": datetime(2026, 12, 24, tzinfo=UTC)},
            {"start_time": "7pm"},
            {"start_time": "24:00"},
            {"end_time": "18:00"},
            {"end_time": "21:60"},
        ],
    )
    def test_it_refuses(self, changes):
        with pytest.raises(InvalidRequest):
            self.body(**changes)


class TestReply:
    def test_it_always_names_the_language(self):
        assert bodies.reply(content="Merci", language=None) == {
            "content": "Merci",
            "language": None,
        }

    @pytest.mark.parametrize(("content", "language"), [("", "fr"), ("Merci", "fr_FR"), ("a", "FR")])
    def test_it_refuses(self, content, language):
        with pytest.raises(InvalidRequest):
            bodies.reply(content=content, language=language)


class TestCall:
    def body(self, **changes):
        facts: dict[str, Any] = {
            "restaurant_uuid": OFFER,
            "status": "incoming",
            "caller_id": "0199001234",
            "is_valid_phone": True,
            "at": datetime(2025, 12, 4, 18, 0, tzinfo=UTC),
            "phone_number": None,
            "call_id": None,
            "send_all_events": None,
        }
        return bodies.call(**facts | changes)

    def test_it_works(self):
        assert self.body(phone_number="+33199001234", call_id=OFFER, send_all_events=False) == {
            "callId": str(OFFER),
            "callCallerId": "0199001234",
            "callCallerIdValidPhone": True,
            "callPhoneNumber": "+33199001234",
            "callCurrentStatus": "incoming",
            "callDateMillis": "1764871200000",
            "marketplaceID": str(OFFER),
            "sendAllEvents": False,
        }

    def test_the_branded_field_has_its_real_name(self, settings):
        settings.PARTNER_NAMES = {"marketplaceID": "realID"}

        assert "realID" in self.body()

    def test_it_refuses_unknown_states(self):
        with pytest.raises(InvalidRequest):
            self.body(status="ringing")


class TestMilestone:
    def test_the_branded_word_is_the_real_one(self, settings):
        settings.PARTNER_NAMES = {"QuestionnaireSent": "FormSent"}

        body = bodies.milestone(restaurant_uuid=OFFER, status="QuestionnaireSent")

        assert body == {"restaurantUuid": str(OFFER), "status": "FormSent"}

    def test_it_refuses_others(self):
        with pytest.raises(InvalidRequest):
            bodies.milestone(restaurant_uuid=OFFER, status="Done")


class TestDays:
    def test_the_end_may_be_the_start_but_for_reviews(self):
        day = date(2026, 12, 4)

        assert bodies.day_range(day, day) == {"startDate": day, "endDate": day}
        with pytest.raises(InvalidRequest):
            bodies.day_range(day, day, is_end_exclusive=True)
        with pytest.raises(InvalidRequest):
            bodies.day_range(day, day - timedelta(days=1))


def test_an_identifier_is_a_uuid():
    assert bodies.uuid("uuid", str(OFFER)) == OFFER
    wrong_ones: list[Any] = ["", "../../admin", None, 7]
    for wrong in wrong_ones:
        with pytest.raises(InvalidRequest):
            bodies.uuid("uuid", wrong)


def test_a_naive_looking_past_is_not_guessed_for_what_is_no_time():
    assert bodies.is_past("no time", now=NOW) is False

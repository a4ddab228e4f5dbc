from typing import Any

import pytest

from cast import NOBODY, Cast, guest
from partner_sandbox.vocabulary import CALL_STATUSES, MILESTONES

NUMBER = "+33199001234"


def look_up(cast: Cast, number: str, caller: Any = None, place: str = "") -> Any:
    place = place or cast.mirabeau["uuid"]
    return (caller or cast.full)("GET", f"restaurants/{place}/customers/phone/{number}")


class TestLookUp:
    @pytest.fixture(autouse=True)
    def _nobody_else_has_it(self, cast: Cast) -> None:
        with cast.service.store.writing() as db:
            db.execute("UPDATE customer SET phone=NULL WHERE phone=?", (NUMBER,))

    def test_it_finds_the_guest_and_the_bookings_to_come_here(self, cast: Cast) -> None:
        here = cast.book(customer=guest(phone=NUMBER)).json
        cast.book(
            place=cast.octave,
            mealDate=cast.free_slot(place=cast.octave),
            customer=guest(phone=NUMBER),
        )

        answer = look_up(cast, NUMBER).json

        assert answer == {
            "customerUuid": here["customer"]["customerUuid"],
            "firstName": "Alice",
            "lastName": "Archer",
            "phone": NUMBER,
            "email": "alice@example.com",
            "nextReservationsList": [
                {
                    "reservationUuid": here["reservationUuid"],
                    "mealDate": here["mealDate"],
                    "status": "RECORDED",
                }
            ],
        }

    def test_an_encoded_plus_is_the_same(self, cast: Cast) -> None:
        cast.book(customer=guest(phone=NUMBER))

        assert look_up(cast, NUMBER.replace("+", "%2B")).status == 200

    def test_another_spelling_of_a_stored_number_is_not_found(self, cast: Cast) -> None:
        made = cast.book().json["customer"]["customerUuid"]
        cast.happen("change_customer", customer=made, fields={"phone": "01 99 00 12 34"})

        answer = look_up(cast, NUMBER)

        assert (answer.status, answer.code) == (404, "PHONE_NUMBER_NOT_FOUND")

    @pytest.mark.parametrize(
        ("number", "status"),
        [("+1", 400), ("+12", 404), ("+" + "1" * 15, 404), ("+" + "1" * 16, 400)]
        + [("+0123", 400), ("0199001234", 400), ("abc", 400)],
    )
    def test_the_number_has_its_pattern(self, cast: Cast, number: str, status: int) -> None:
        assert look_up(cast, number).status == status

    def test_unknown_and_foreign_restaurants(self, cast: Cast) -> None:
        assert look_up(cast, NUMBER, place=NOBODY).code == "RESTAURANT_NOT_FOUND"
        assert look_up(cast, NUMBER, place=cast.other["restaurants"][0]["uuid"]).status == 401


class TestRecordCall:
    def call(self, cast: Cast, **changes: Any) -> Any:
        body = {
            "callCallerId": "0199001234",
            "callCallerIdValidPhone": True,
            "callCurrentStatus": "incoming",
            "callDateMillis": "1764871200000",
            "marketplaceID": cast.mirabeau["uuid"],
            **changes,
        }
        return cast.full(
            "POST",
            "callCenter/callRecognitions",
            {k: v for k, v in body.items() if v != "left out"},
        )

    def test_it_works(self, cast: Cast) -> None:
        answer = self.call(cast, callPhoneNumber=NUMBER, callId=NOBODY, sendAllEvents=False)

        assert (answer.status, answer.json) == (200, {"status": 200})

    def test_the_same_call_is_one_record(self, cast: Cast) -> None:
        for status in ("incoming", "answered", "ended"):
            self.call(cast, callId=NOBODY, callCurrentStatus=status)

        with cast.service.store.reading() as db:
            rows = db.execute("SELECT call_id, status FROM call_record").fetchall()
        assert [tuple(row) for row in rows] == [(NOBODY, "ended")]

    @pytest.mark.parametrize("status", CALL_STATUSES)
    def test_both_sets_of_words_are_known(self, cast: Cast, status: str) -> None:
        assert self.call(cast, callCurrentStatus=status).status == 200

    @pytest.mark.parametrize(
        ("field", "value"),
        [
            ("callCallerId", "left out"),
            ("callCallerIdValidPhone", "left out"),
            ("callCallerIdValidPhone", "true"),
            ("callCurrentStatus", "ringing"),
            ("callDateMillis", 1764871200000),
            ("callDateMillis", "today"),
            ("marketplaceID", "left out"),
            ("marketplaceID", "x"),
            ("callPhoneNumber", "0199001234"),
            ("callId", "x"),
            ("sendAllEvents", "no"),
            ("callDuration", 5),
        ],
    )
    def test_its_fields(self, cast: Cast, field: str, value: Any) -> None:
        answer = self.call(cast, **{field: value})

        assert answer.status == 400
        assert answer.code.startswith("INVALID_")

    def test_unknown_and_foreign_restaurants_are_401(self, cast: Cast) -> None:
        for place in (NOBODY, cast.other["restaurants"][0]["uuid"]):
            assert self.call(cast, marketplaceID=place).status == 401


class TestMilestones:
    def report(self, cast: Cast, status: Any, place: str = "", **more: Any) -> Any:
        body = {"restaurantUuid": place or cast.mirabeau["uuid"], "status": status, **more}
        return cast.phone("PATCH", "integrationStatus", body)

    @pytest.mark.parametrize("status", MILESTONES)
    def test_each_is_known(self, cast: Cast, status: str) -> None:
        answer = self.report(cast, status)

        assert (answer.status, answer.json) == (200, {"statusCode": 200})

    def test_the_last_one_opens_the_group(self, cast: Cast) -> None:
        query = {
            "groupUuid": cast.group["uuid"],
            "startDate": "2026-10-07",
            "endDate": "2026-10-21",
        }
        assert cast.phone("GET", "customers", **query).status == 401
        assert look_up(cast, NUMBER, cast.phone, cast.octave["uuid"]).status == 401

        self.report(cast, "InstallationCompleted")

        assert cast.phone("GET", "customers", **query).status == 200
        assert look_up(cast, NUMBER, cast.phone, cast.octave["uuid"]).status != 401

    def test_bad_bodies(self, cast: Cast) -> None:
        assert self.report(cast, "Done").code == "INVALID_STATUS"
        assert self.report(cast, "LeadReceived", "x").code == "INVALID_RESTAURANT_UUID"
        assert self.report(cast, "LeadReceived", note="x").code == "INVALID_NOTE"

    def test_unknown_and_foreign_restaurants_are_401(self, cast: Cast) -> None:
        for place in (NOBODY, cast.octave["uuid"], cast.other["restaurants"][0]["uuid"]):
            assert self.report(cast, "LeadReceived", place).status == 401

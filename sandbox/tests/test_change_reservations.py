"""Changing and cancelling, each rule and each limit at its edge."""

from typing import Any

import pytest

from cast import NOBODY, SATURDAY, TODAY, TOMORROW, Cast


class TestUpdate:
    def change(self, cast: Cast, uuid: str, **body: Any) -> Any:
        return cast.full("PATCH", f"reservations/{uuid}", body)

    def test_it_works(self, cast: Cast) -> None:
        made = cast.book().json
        slot = cast.free_slot(3, "2026-10-23")

        answer = self.change(
            cast, made["reservationUuid"], mealDate=slot, partySize=3, restaurantNote="Moved"
        )

        assert answer.status == 200
        changed = {"mealDate": slot, "partySize": 3, "restaurantNote": "Moved"}
        assert answer.json == {**made, **changed}

    def test_what_is_left_out_stays(self, cast: Cast) -> None:
        made = cast.book(restaurantNote="Stays").json

        answer = self.change(cast, made["reservationUuid"], partySize=3).json

        assert answer == {**made, "partySize": 3}

    @pytest.mark.parametrize(("length", "status"), [(0, 200), (1, 200), (3000, 200), (3001, 400)])
    def test_the_note_is_at_most_3000_long(self, cast: Cast, length: int, status: int) -> None:
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], restaurantNote="n" * length)

        assert answer.status == status

    def test_null_clears_the_note(self, cast: Cast) -> None:
        made = cast.book(restaurantNote="Away with it").json

        answer = self.change(cast, made["reservationUuid"], restaurantNote=None)

        assert answer.json["restaurantNote"] is None

    @pytest.mark.parametrize("size", [0, -1, None, "2", 1.5])
    def test_party_size_is_above_0(self, cast: Cast, size: Any) -> None:
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], partySize=size)

        assert (answer.status, answer.code) == (400, "INVALID_PARTY_SIZE")

    def test_the_body_is_closed(self, cast: Cast) -> None:
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], status="CANCELED")

        assert (answer.status, answer.code) == (400, "INVALID_STATUS")

    def test_no_slot_no_change(self, cast: Cast) -> None:
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], mealDate=f"{TOMORROW}T04:00:00")

        assert (answer.status, answer.code) == (400, "NO_AVAILABILITY")

    def test_a_guarded_slot_cannot_be_moved_to(self, cast: Cast) -> None:
        made = cast.book().json
        slot = next(
            s["datetime"]
            for s in cast.slots(SATURDAY, partySize=6)
            if s["hasNormalStock"] and s["hasPaymentGuaranteeRequirement"]
        )

        answer = self.change(cast, made["reservationUuid"], mealDate=slot, partySize=6)

        assert (answer.status, answer.code) == (400, "PAYMENT_GUARANTEE_NOT_SUPPORTED")

    def test_the_past_cannot_be_moved_to(self, cast: Cast) -> None:
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], mealDate=f"{TODAY}T08:00:00Z")

        assert (answer.status, answer.code) == (400, "INVALID_MEAL_DATE")

    def test_a_double_booking_is_refused(self, cast: Cast) -> None:
        slot = cast.free_slot(2, "2026-10-23")
        cast.book(mealDate=slot)
        made = cast.book().json

        answer = self.change(cast, made["reservationUuid"], mealDate=slot)

        assert (answer.status, answer.code) == (409, "DOUBLE_BOOKING")

    def test_unknown_foreign_and_left(self, cast: Cast) -> None:
        assert self.change(cast, NOBODY, partySize=2).code == "RESERVATION_NOT_FOUND"
        assert self.change(cast, cast.find("restaurant_id=4"), partySize=2).status == 401
        uuid = cast.find("restaurant_id=1")
        cast.happen("close_restaurant", restaurant=cast.mirabeau["uuid"])
        assert self.change(cast, uuid, partySize=2).code == "RESTAURANT_NOT_FOUND"

    def test_a_cancelled_one_cannot_be_moved_but_noted(self, cast: Cast) -> None:
        uuid = cast.find("status='CANCELED' AND restaurant_id=1")

        assert self.change(cast, uuid, partySize=11).json["data"] == {"code": ""}
        assert self.change(cast, uuid, restaurantNote="Called back").status == 200


class TestCancel:
    def cancel(self, cast: Cast, uuid: str) -> Any:
        return cast.full("PATCH", f"reservations/{uuid}/cancel")

    def test_it_works(self, cast: Cast) -> None:
        made = cast.book().json

        answer = self.cancel(cast, made["reservationUuid"])

        assert answer.status == 200
        assert answer.json["status"] == "CANCELED"
        assert answer.json["customerUuid"] == made["customer"]["customerUuid"]
        assert not answer.json.keys() & {"customer", "restaurantNote", "mealStatus"}

    def test_twice_is_a_double_cancellation(self, cast: Cast) -> None:
        made = cast.book().json
        self.cancel(cast, made["reservationUuid"])

        answer = self.cancel(cast, made["reservationUuid"])

        assert (answer.status, answer.code) == (409, "DOUBLE_CANCELLATION")

    @pytest.mark.parametrize("condition", ["status='NO_SHOW'", "meal_status='LEFT'"])
    def test_what_is_over_cannot_be_cancelled(self, cast: Cast, condition: str) -> None:
        answer = self.cancel(cast, cast.find(f"{condition} AND restaurant_id=1"))

        assert (answer.status, answer.code) == (400, "CANCELLATION_ERROR")

    def test_unknown_and_foreign(self, cast: Cast) -> None:
        assert self.cancel(cast, NOBODY).code == "RESERVATION_NOT_FOUND"
        assert self.cancel(cast, cast.find("restaurant_id=4")).status == 401

    def test_it_takes_no_body(self, cast: Cast) -> None:
        uuid = cast.book().json["reservationUuid"]

        answer = cast.full("PATCH", f"reservations/{uuid}/cancel", {"reason": "rain"})

        assert answer.status == 400

    def test_it_gives_the_table_back(self, cast: Cast) -> None:
        slot = cast.free_slot()
        first = cast.book(mealDate=slot).json["reservationUuid"]
        self.cancel(cast, first)

        assert cast.book(mealDate=slot).status == 200

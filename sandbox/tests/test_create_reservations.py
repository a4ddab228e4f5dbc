"""Creating, each rule and each limit at its edge."""

from typing import Any

import pytest

from cast import NOBODY, SATURDAY, TOMORROW, Cast, guest


class TestCreate:
    def test_it_works(self, cast: Cast) -> None:
        slot = cast.free_slot()

        made = cast.book(mealDate=slot, customerNote="Window, please").json

        assert made["status"] == "RECORDED"
        assert made["mealDate"] == slot
        assert made["customer"] == {
            **guest(),
            "customerUuid": made["customer"]["customerUuid"],
            "phone": None,
            "optins": {"restaurantNewsletter": False},
        }
        shown = cast.full("GET", f"reservations/{made['reservationUuid']}").json
        assert shown["reservationChannel"] == "Marketplace Manager API"
        assert shown["customerNote"] == "Window, please"

    @pytest.mark.parametrize("field", ["mealDate", "partySize", "customer"])
    def test_required_fields(self, cast: Cast, field: str) -> None:
        body = cast.booking()
        del body[field]

        answer = cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", body)

        assert answer.status == 400
        assert answer.code.startswith("INVALID_")

    @pytest.mark.parametrize("field", ["email", "firstName", "lastName", "locale", "civility"])
    @pytest.mark.parametrize("value", ["missing", None, 7])
    def test_required_guest_fields(self, cast: Cast, field: str, value: Any) -> None:
        customer = guest(**{field: value})
        if value == "missing":
            del customer[field]

        assert cast.book(customer=customer).status == 400

    @pytest.mark.parametrize(
        ("field", "value", "status"),
        [
            ("email", "no-address", 400),
            ("email", "a@b", 200),
            ("locale", "fr", 200),
            ("locale", "fr_FR", 200),
            ("locale", "fra_FR", 200),
            ("locale", "fr-FR", 400),
            ("locale", "FR", 400),
            ("locale", "f", 400),
            ("civility", "baroness", 200),
            ("civility", "Mr", 400),
            ("phone", "+33199001234", 200),
            ("phone", "+12", 200),
            ("phone", "+1", 400),
            ("phone", "+123456789012345", 200),
            ("phone", "+1234567890123456", 400),
            ("phone", "+0123", 400),
            ("phone", "0199001234", 400),
            ("phone", None, 400),
            ("optins", {"restaurantNewsletter": True}, 200),
            ("optins", {}, 200),
            ("optins", {"other": True}, 400),
            ("optins", {"restaurantNewsletter": "yes"}, 400),
            ("nickname", "Al", 400),
        ],
    )
    def test_guest_fields(self, cast: Cast, field: str, value: Any, status: int) -> None:
        answer = cast.book(customer=guest(**{field: value}))

        assert answer.status == status, answer.json
        assert status == 200 or answer.code.startswith("INVALID_CUSTOMER_")

    @pytest.mark.parametrize(
        ("size", "status"),
        [(0, 400), (-1, 400), (1, 200), (2.0, 200), (2.5, 400), ("2", 400), (True, 400)],
    )
    def test_party_size_is_a_whole_number_above_0(self, cast: Cast, size: Any, status: int) -> None:
        assert cast.book(partySize=size).status == status

    @pytest.mark.parametrize("note", ["customerNote", "restaurantNote"])
    @pytest.mark.parametrize(("length", "status"), [(0, 200), (1, 200), (1000, 200), (1001, 400)])
    def test_notes_are_at_most_1000_long(
        self, cast: Cast, note: str, length: int, status: int
    ) -> None:
        body = {**cast.booking(), note: "é" * length}
        answer = cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", body)

        assert answer.status == status

    def test_the_body_is_closed(self, cast: Cast) -> None:
        assert cast.book(tableNumber=4).code == "INVALID_TABLE_NUMBER"

    @pytest.mark.parametrize("meal", ["soon", "2026-10-22", "22/10/2026 19:30", 5, None])
    def test_a_meal_date_is_an_instant(self, cast: Cast, meal: Any) -> None:
        body = {**cast.booking(), "mealDate": meal}
        answer = cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", body)

        assert (answer.status, answer.code) == (400, "INVALID_MEAL_DATE")

    @pytest.mark.parametrize(
        ("meal", "status"),
        [
            ("2026-10-21T08:59:59Z", 400),
            ("2026-10-21T09:00:00Z", 200),
            ("2026-10-21T10:59:59+02:00", 400),
        ],
    )
    def test_the_meal_is_not_in_the_past(self, cast: Cast, meal: str, status: int) -> None:
        assert cast.book(cast.unrestricted, mealDate=meal).status == status

    def test_without_an_offset_it_is_local_time(self, cast: Cast) -> None:
        for place, offset in ((cast.mirabeau, "+02:00"), (cast.saltmarsh, "+01:00")):
            made = cast.book(cast.unrestricted, place, mealDate="2026-10-22T19:30:00").json
            assert made["mealDate"] == f"2026-10-22T19:30:00{offset}"

    @pytest.mark.parametrize(
        ("local_time", "shown"),
        [
            ("2026-10-25T02:30:00", "2026-10-25T02:30:00+02:00"),  # twice that night: the first
            ("2026-10-25T03:00:00", "2026-10-25T03:00:00+01:00"),
            ("2027-03-28T02:30:00", "2027-03-28T03:30:00+02:00"),  # skipped that night
        ],
    )
    def test_local_time_on_the_nights_when_clocks_change(
        self, cast: Cast, local_time: str, shown: str
    ) -> None:
        assert cast.book(cast.unrestricted, mealDate=local_time).json["mealDate"] == shown

    def test_unknown_and_foreign_restaurants(self, cast: Cast) -> None:
        body = cast.booking()

        unknown = cast.full("POST", f"restaurants/{NOBODY}/reservations", body)
        foreign = cast.full(
            "POST", f"restaurants/{cast.other['restaurants'][0]['uuid']}/reservations", body
        )

        assert (unknown.status, unknown.code) == (404, "RESTAURANT_NOT_FOUND")
        assert (foreign.status, foreign.code) == (401, "")

    def test_a_time_that_is_no_slot_has_no_availability(self, cast: Cast) -> None:
        answer = cast.book(mealDate=f"{TOMORROW}T20:07:00+02:00")

        assert (answer.status, answer.code) == (400, "NO_AVAILABILITY")

    def test_a_size_that_the_restaurant_does_not_take_has_no_availability(self, cast: Cast) -> None:
        assert cast.book(partySize=9).code == "NO_AVAILABILITY"

    def test_bookings_use_up_a_slot(self, cast: Cast) -> None:
        slot = cast.free_slot(4)
        codes = []
        for number in range(12):
            customer = guest(email=f"guest{number}@example.com")
            answer = cast.book(mealDate=slot, partySize=4, customer=customer)
            codes.append(answer.status if answer.status == 200 else answer.code)

        assert codes[0] == 200
        assert codes[-1] == "NO_AVAILABILITY"
        assert slot not in [s["datetime"] for s in cast.slots(partySize=4)]

    def test_a_guarded_slot_cannot_be_booked(self, cast: Cast) -> None:
        guarded = [
            s
            for s in cast.slots(SATURDAY, partySize=6)
            if s["hasNormalStock"] and s["hasPaymentGuaranteeRequirement"]
        ]
        slot = guarded[0]["datetime"]

        answer = cast.book(mealDate=slot, partySize=6)

        assert (answer.status, answer.code) == (400, "PAYMENT_GUARANTEE_NOT_SUPPORTED")
        assert cast.book(mealDate=slot, partySize=2).status == 200

    def test_an_offer_is_linked_while_it_runs(self, cast: Cast) -> None:
        slot = next(s for s in cast.slots(partySize=2) if s["offers"])
        offer = slot["offers"][0]

        made = cast.book(mealDate=slot["datetime"], offerUuid=offer).json

        assert made["offerUuid"] == offer
        details = cast.full("GET", f"reservations/{made['reservationUuid']}").json["offerDetails"]
        assert details["offerType"] in ("promotion", "presetMenu")

    def test_an_offer_that_does_not_run_has_no_availability(self, cast: Cast) -> None:
        assert cast.book(offerUuid=NOBODY).code == "NO_AVAILABILITY"
        assert cast.book(offerUuid=None).status == 400

    def test_the_unrestricted_scope_needs_no_slot_and_links_no_offer(self, cast: Cast) -> None:
        made = cast.book(
            cast.unrestricted, mealDate=f"{TOMORROW}T03:33:00+02:00", partySize=40, offerUuid=NOBODY
        )

        assert made.status == 200
        assert made.json["offerUuid"] is None

    def test_the_same_guest_at_an_overlapping_time_is_a_double_booking(self, cast: Cast) -> None:
        cast.book(cast.unrestricted, mealDate=f"{TOMORROW}T19:00:00+02:00")

        def again(local_time: str, place: Any = None, **changes: Any) -> Any:
            return cast.book(
                cast.unrestricted, place, mealDate=f"{TOMORROW}T{local_time}+02:00", **changes
            )

        clash = again("20:59:59", customer=guest(email="ALICE@example.com"))
        assert (clash.status, clash.code) == (409, "DOUBLE_BOOKING")
        assert again("20:00:00", cast.octave).status == 200
        assert again("20:00:00", customer=guest(email="bob@example.com")).status == 200
        assert again("21:00:00").status == 200

    def test_guests_are_merged_by_e_mail_within_the_group(self, cast: Cast) -> None:
        first = cast.book().json["customer"]
        second = cast.book(
            place=cast.octave,
            mealDate=cast.free_slot(place=cast.octave),
            customer=guest(firstName="Alicia", phone="+33199001111"),
        ).json["customer"]

        assert second["customerUuid"] == first["customerUuid"]
        assert (second["firstName"], second["phone"]) == ("Alicia", "+33199001111")

    def test_an_opt_in_is_never_taken_back(self, cast: Cast) -> None:
        yes = guest(optins={"restaurantNewsletter": True})
        no = guest(optins={"restaurantNewsletter": False})

        cast.book(customer=yes)
        made = cast.book(place=cast.octave, mealDate=cast.free_slot(place=cast.octave), customer=no)

        assert made.json["customer"]["optins"] == {"restaurantNewsletter": True}

    def test_a_large_party_is_requested_and_decided_later(self, cast: Cast) -> None:
        made = cast.book(mealDate=cast.free_slot(8), partySize=8).json

        assert made["status"] == "REQUESTED"
        cast.clock.advance(300_000)
        cast.sandbox.life.tick()
        shown = cast.full("GET", f"reservations/{made['reservationUuid']}").json
        assert shown["status"] in ("RECORDED", "REFUSED")
        assert cast.event_types()[-1] == "reservationUpdated"

    @pytest.mark.parametrize("raw", [b"", b"[]", b"null", b"{", b'{"partySize": NaN}', b"\xff"])
    def test_a_body_that_is_no_object_is_400(self, cast: Cast, raw: bytes) -> None:
        cast.full.ask_token()
        answer = cast.send(
            "POST",
            f"/api/v1/restaurants/{cast.mirabeau['uuid']}/reservations",
            raw,
            "application/json",
            authorization=f"Bearer {cast.full.token}",
        )

        assert (answer.status, answer.code) == (400, "INVALID_BODY")

    def test_half_a_character_is_refused_and_a_nul_is_kept(self, cast: Cast) -> None:
        assert cast.book(customerNote="\ud800").code == "INVALID_CUSTOMER_NOTE"
        assert cast.book(customerNote="a\x00b").json["customerNote"] == "a\x00b"

"""Lists and details of reservations and customers."""

from datetime import UTC, datetime
from typing import Any

import pytest

from cast import NOBODY, TODAY, Cast
from partner_sandbox.clock import to_instant

RANGE = {"startDate": "2026-10-07", "endDate": "2026-11-04"}


def list_of(cast: Cast, kind: str = "reservations", **query: Any) -> Any:
    return cast.full("GET", kind, **{"groupUuid": cast.group["uuid"], **RANGE, **query})


@pytest.fixture(params=["reservations", "customers"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


class TestLists:
    def test_they_hold_only_uuids_and_the_total(self, cast: Cast, kind: str) -> None:
        answer = list_of(cast, kind).json

        assert set(answer) == {"data", "totalCount", "page", "limit"}
        assert len(answer["data"]) == 100
        assert (answer["page"], answer["limit"]) == (1, 100)
        assert answer["totalCount"] > 100

    def test_pages_cover_everything_once(self, cast: Cast, kind: str) -> None:
        total = list_of(cast, kind).json["totalCount"]
        pages = range(1, total // 1000 + 2)
        seen = [u for p in pages for u in list_of(cast, kind, limit=1000, page=p).json["data"]]

        assert len(seen) == len(set(seen)) == total

    @pytest.mark.parametrize(
        ("limit", "status"),
        [("0", 400), ("-1", 400), ("1", 200), ("10000", 200), ("10001", 400), ("x", 400)]
        + [("", 400), ("0.5", 200), ("NaN", 400), ("1e400", 400), ("true", 400)],
    )
    def test_limit_is_more_than_0_and_at_most_10000(
        self, cast: Cast, kind: str, limit: str, status: int
    ) -> None:
        answer = list_of(cast, kind, limit=limit)

        assert answer.status == status
        assert status == 200 or answer.code == "INVALID_LIMIT"

    @pytest.mark.parametrize(("page", "status"), [("0", 400), ("1", 200), ("99999999", 200)])
    def test_pages_start_at_1(self, cast: Cast, kind: str, page: str, status: int) -> None:
        assert list_of(cast, kind, page=page).status == status

    @pytest.mark.parametrize("field", ["startDate", "endDate"])
    @pytest.mark.parametrize("value", ["", "21/10/2026", "2026-02-30", "2026-10-21T00:00:00Z"])
    def test_dates_are_calendar_dates(self, cast: Cast, kind: str, field: str, value: str) -> None:
        answer = list_of(cast, kind, **{field: value})

        assert (answer.status, answer.code) == (
            400,
            {"startDate": "INVALID_START_DATE", "endDate": "INVALID_END_DATE"}[field],
        )

    def test_both_dates_are_required(self, cast: Cast, kind: str) -> None:
        for field in RANGE:
            query = {name: value for name, value in RANGE.items() if name != field}
            assert cast.full("GET", kind, groupUuid=cast.group["uuid"], **query).status == 400

    def test_a_group_that_is_unknown_or_foreign_is_401(self, cast: Cast, kind: str) -> None:
        for group in (NOBODY, cast.other["uuid"]):
            assert list_of(cast, kind, groupUuid=group).status == 401


class TestListReservations:
    def test_a_group_or_a_restaurant_is_required(self, cast: Cast) -> None:
        assert cast.full("GET", "reservations", **RANGE).status == 400

    def test_a_restaurant_narrows_the_group(self, cast: Cast) -> None:
        one = list_of(cast, restaurantUuid=cast.mirabeau["uuid"]).json["totalCount"]
        alone = cast.full("GET", "reservations", **RANGE, restaurantUuid=cast.mirabeau["uuid"])

        assert 0 < one < list_of(cast).json["totalCount"]
        assert alone.json["totalCount"] == one

    def test_a_restaurant_that_is_unknown_or_foreign_is_401(self, cast: Cast) -> None:
        foreign = cast.other["restaurants"][0]["uuid"]
        for place in (NOBODY, foreign):
            assert list_of(cast, restaurantUuid=place).status == 401

    def test_the_filter_is_one_of_two_words(self, cast: Cast) -> None:
        assert list_of(cast, filterBy="mealDate").status == 200
        assert list_of(cast, filterBy="createdAt").code == "INVALID_FILTER_BY"

    def test_it_filters_by_update_by_default(self, cast: Cast) -> None:
        day = {"startDate": TODAY, "endDate": TODAY}
        assert list_of(cast, **day).json["totalCount"] == 0
        uuid = cast.book().json["reservationUuid"]

        assert list_of(cast, **day).json["data"] == [uuid]
        assert uuid not in list_of(cast, **day, filterBy="mealDate", limit=1000).json["data"]

    @pytest.mark.parametrize(
        ("meal", "day"),
        [
            # The night of 25 October: Paris is at +02:00 until 03:00, then at +01:00.
            ("2026-10-25T00:30:00+02:00", "2026-10-24"),
            ("2026-10-25T01:59:59+02:00", "2026-10-24"),
            ("2026-10-25T02:00:00+02:00", "2026-10-25"),
            ("2026-10-26T00:59:59+01:00", "2026-10-25"),
            ("2026-10-26T01:00:00+01:00", "2026-10-26"),
        ],
    )
    def test_days_are_utc_days_on_a_clock_change(self, cast: Cast, meal: str, day: str) -> None:
        uuid = cast.book(cast.unrestricted, mealDate=meal).json["reservationUuid"]
        found = [
            date
            for date in ("2026-10-24", "2026-10-25", "2026-10-26")
            if uuid
            in list_of(cast, startDate=date, endDate=date, filterBy="mealDate", limit=1000).json[
                "data"
            ]
        ]

        assert found == [day]


class TestListCustomers:
    def test_the_group_is_required(self, cast: Cast) -> None:
        assert cast.full("GET", "customers", **RANGE).code == "INVALID_GROUP_UUID"

    def test_a_plain_calendar_date_is_compared_without_conversion(self, cast: Cast) -> None:
        for hour, minute, day in ((0, 0, "2026-10-25"), (23, 59, "2026-10-25")):
            instant = to_instant(datetime(2026, 10, 25, hour, minute, tzinfo=UTC))
            cast.clock.set(instant)
            cast.full.ask_token()
            cast.happen("change_customer", customer=cast.find("group_id=1", "customer"))
            same = {"startDate": day, "endDate": day}

            assert (
                cast.find("group_id=1", "customer")
                in list_of(cast, "customers", **same).json["data"]
            )

    def test_a_profile_is_listed_on_the_day_it_was_made_and_on_the_day_it_changed(
        self, cast: Cast
    ) -> None:
        uuid = cast.book().json["customer"]["customerUuid"]
        cast.clock.advance(3 * 86_400_000)
        cast.full.ask_token()
        cast.happen("change_customer", customer=uuid)

        for day in (TODAY, "2026-10-24"):
            one = list_of(cast, "customers", startDate=day, endDate=day, limit=1000)
            assert uuid in one.json["data"]


class TestDetails:
    @pytest.mark.parametrize(
        ("path", "code"),
        [
            ("reservations", "RESERVATION_NOT_FOUND"),
            ("customers", "CUSTOMER_NOT_FOUND"),
            ("reviews", "REVIEW_NOT_FOUND"),
        ],
    )
    def test_an_unknown_one_is_404(self, cast: Cast, path: str, code: str) -> None:
        answer = cast.full("GET", f"{path}/{NOBODY}")

        assert answer.status == 404
        assert answer.json == {"statusCode": 404, "error": "Not Found", "data": {"code": code}}

    @pytest.mark.parametrize(
        ("path", "condition"),
        [
            ("reservation", "restaurant_id=4"),
            ("customer", "group_id=2"),
            ("review", "restaurant_id=4"),
        ],
    )
    def test_a_foreign_one_is_401(self, cast: Cast, path: str, condition: str) -> None:
        assert cast.full("GET", f"{path}s/{cast.find(condition, path)}").status == 401

    def test_a_reservation_of_a_restaurant_that_left_is_404(self, cast: Cast) -> None:
        uuid = cast.find("restaurant_id=1")
        cast.happen("close_restaurant", restaurant=cast.mirabeau["uuid"])

        assert cast.full("GET", f"reservations/{uuid}").code == "RESTAURANT_NOT_FOUND"

    def test_the_meal_is_spelt_locally_with_the_offset_of_its_day(self, cast: Cast) -> None:
        for meal, local in (
            ("2026-10-25T00:30:00Z", "2026-10-25T02:30:00+02:00"),
            ("2026-10-25T01:30:00Z", "2026-10-25T02:30:00+01:00"),
        ):
            customer = {
                **cast.booking(mealDate=meal)["customer"],
                "email": f"{meal[12]}@example.com",
            }
            made = cast.book(cast.unrestricted, mealDate=meal, customer=customer).json

            shown = cast.full("GET", f"reservations/{made['reservationUuid']}").json
            assert made["mealDate"] == shown["mealDate"] == local

    def test_a_walk_in_has_no_customer(self, cast: Cast) -> None:
        uuid = cast.happen("walk_in")[0]["reservation"]

        shown = cast.full("GET", f"reservations/{uuid}").json

        assert shown["customerUuid"] is None
        assert shown["reservationChannel"] == "Walk-in"

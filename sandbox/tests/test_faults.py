import math
from typing import Any

import pytest

from cast import Cast


@pytest.fixture
def uuid(cast: Cast) -> str:
    cast.full.ask_token()
    return cast.find("restaurant_id=1")


def add(cast: Cast, **fault: Any) -> str:
    answer = cast.control("POST", "faults", **fault)
    assert answer.status == 200, answer.json
    return str(answer.json["id"])


def get(cast: Cast, uuid: str) -> Any:
    return cast.full("GET", f"reservations/{uuid}")


def test_a_fault_is_listed_and_cleared(cast: Cast, uuid: str) -> None:
    number = add(cast, match={"path": "/v1/reservations"}, effect={"status": 503})
    assert get(cast, uuid).status == 503
    listed = cast.control("GET", "faults").json["faults"]
    assert [(f["id"], f["hits"]) for f in listed] == [(number, 1)]

    cast.control("DELETE", "faults")

    assert get(cast, uuid).status == 200


@pytest.mark.parametrize(
    "match",
    [
        {},
        {"method": "get"},
        {"path": "get_reservation"},
        {"path": "get_customer|get_reservation"},
        {"path": r"/v1/reservations/[0-9a-f-]+$"},
        {"endpoint": "get_.*"},
    ],
)
def test_what_a_fault_matches(cast: Cast, uuid: str, match: dict[str, str]) -> None:
    add(cast, match=match, effect={"status": 500})

    assert get(cast, uuid).status == 500


@pytest.mark.parametrize(
    "match", [{"method": "POST"}, {"path": "get_customer"}, {"client": "x"}, {"event": ".*"}]
)
def test_what_it_does_not_match(cast: Cast, uuid: str, match: dict[str, str]) -> None:
    add(cast, match=match, effect={"status": 500})

    assert get(cast, uuid).status == 200


@pytest.mark.parametrize(
    ("effect", "body"),
    [
        ({"status": 401, "format": "api"}, b'"data":{"code":""}'),
        ({"status": 401, "format": "gateway"}, b'{"message":"Unauthorized"}'),
        ({"status": 401, "format": "token"}, b'"error":"access_denied"'),
        ({"status": 401, "format": "html"}, b"<html>"),
        ({"status": 400, "format": "scenario"}, b'"error":"RESTAURANT_GROUP_NOT_READY"'),
        ({"status": 429, "format": "scenario"}, b'"error":"RATE_LIMIT"'),
        ({"status": 400, "code": "NO_AVAILABILITY"}, b'"code":"NO_AVAILABILITY"'),
        ({"body": "not json"}, b"not json"),
    ],
)
def test_how_it_looks(cast: Cast, uuid: str, effect: Any, body: bytes) -> None:
    add(cast, effect=effect)

    assert body in get(cast, uuid).response.body


@pytest.mark.parametrize(
    ("form", "body"),
    [
        ("message", {"message": "Service temporarily unavailable"}),
        ("empty", {}),
        ("errors", {"errors": [{"message": "Service temporarily unavailable"}]}),
        ("list", []),
        ("text", "Service temporarily unavailable"),
    ],
)
def test_a_good_status_can_bring_something_else(
    cast: Cast, uuid: str, form: str, body: Any
) -> None:
    add(cast, effect={"foreign": form})
    answer = get(cast, uuid)

    assert (answer.status, answer.json) == (200, body)


def test_it_can_bring_another_entity(cast: Cast, uuid: str) -> None:
    truth = get(cast, uuid).json
    add(cast, effect={"foreign": "other"})
    answer = get(cast, uuid).json

    assert answer["reservationUuid"] != uuid
    assert answer | {"reservationUuid": uuid} == truth


def test_it_can_leave_fields_out(cast: Cast, uuid: str) -> None:
    truth = get(cast, uuid).json
    add(cast, effect={"without": "partySize,status"})

    assert truth.keys() - get(cast, uuid).json.keys() == {"partySize", "status"}


def test_lists_can_be_empty(cast: Cast, uuid: str) -> None:
    place = cast.mirabeau["uuid"]
    days = "startDate=2020-01-01&endDate=2040-01-01"
    target = f"reservations?restaurantUuid={place}&{days}&filterBy=mealDate"
    assert cast.full("GET", target).json["totalCount"] > 0
    add(cast, match={"endpoint": "list_.*"}, effect={"empty_list": True})

    answer = cast.full("GET", target).json
    assert (answer["data"], answer["totalCount"]) == ([], 0)
    assert get(cast, uuid).json["reservationUuid"] == uuid


def test_it_can_last_a_number_of_times(cast: Cast, uuid: str) -> None:
    add(cast, effect={"status": 500}, count=2)

    assert [get(cast, uuid).status for _ in range(3)] == [500, 500, 200]


def test_it_can_last_some_seconds(cast: Cast, uuid: str) -> None:
    add(cast, effect={"status": 500}, until=0)

    assert get(cast, uuid).status == 200


def test_it_can_strike_at_a_seeded_rate(cast: Cast, uuid: str) -> None:
    add(cast, effect={"status": 500}, rate=0.3)
    failed = [get(cast, uuid).status == 500 for _ in range(200)]

    assert 30 <= sum(failed) <= 90


@pytest.mark.parametrize(
    "effect", [{"status": 500}, {"drop": True}, {"truncate": True}], ids=["500", "drop", "cut"]
)
def test_a_write_can_take_effect_and_still_fail(cast: Cast, effect: Any) -> None:
    booking = cast.booking()
    add(cast, match={"path": "create_reservation"}, effect={**effect, "after_effect": True})

    answer = cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", booking)

    assert answer.status == 500 or answer.response.drop or answer.response.truncate
    assert cast.find("channel='Marketplace Manager API' AND updated=created AND restaurant_id=1")
    assert "reservationCreated" in cast.event_types()


@pytest.mark.parametrize("effect", [{"status": 500}, {"drop": True}], ids=["500", "drop"])
def test_a_write_can_fail_without_an_effect(cast: Cast, effect: Any) -> None:
    booking = cast.booking()
    add(cast, match={"path": "create_reservation"}, effect=effect)

    cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", booking)

    assert cast.events() == []


@pytest.mark.parametrize(
    "fault",
    [
        {"effect": {}},
        {"effect": {"status": "500"}},
        {"effect": {"explode": True}},
        {"match": {"planet": "x"}, "effect": {"status": 500}},
        {"match": {"path": "("}, "effect": {"status": 500}},
        {"effect": {"status": 500, "format": "xml"}},
        {"effect": {"foreign": "xml"}},
        {"match": [], "effect": {"status": 500}},
        {"effect": {"status": 500}, "match": "x"},
        {"effect": {"status": 99}},
        {"effect": {"status": 1000}},
        {"effect": {"latency_ms": -1}},
        {"effect": {"trickle_ms": -1}},
        {"effect": {"status": 500}, "rate": 2},
        {"effect": {"status": 500}, "rate": math.nan},
        {"effect": {"status": 500}, "count": 0},
        {"effect": {"status": 500}, "until": -4},
        {"effect": {"status": 500}, "match": {"method": "GTE"}},
    ],
)
def test_a_fault_that_makes_no_sense_is_refused_in_a_sentence(cast: Cast, fault: Any) -> None:
    if fault.get("match") == []:
        fault = {"match": ["x"], "effect": {"status": 500}}
    answer = cast.control("POST", "faults", **fault)

    assert answer.status == 400
    assert answer.json["problem"].endswith(".")

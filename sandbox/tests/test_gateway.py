"""Every endpoint × every answer that the gateway gives before the API sees the request."""

from typing import Any

import pytest

from cast import NOBODY, Caller, Cast
from partner_sandbox.http.addresses import API
from partner_sandbox.service import SandboxEndpoint

BY_NAME = {endpoint.name: endpoint for endpoint in API}
EVERY = pytest.mark.parametrize("endpoint", API, ids=lambda e: e.name)

# The contract's table "accepted scopes", word for word.
RESERVATIONS = {
    "svc-restaurant",
    "svc-restaurant:reservations",
    "svc-restaurant:unrestricted-reservations",
}
AVAILABILITIES = {"svc-restaurant", "svc-restaurant:availabilities"}
CUSTOMERS = {"svc-restaurant", "svc-restaurant:customers"}
REVIEWS = {"svc-restaurant", "svc-restaurant:reviews"}
CALL_CENTER = {"svc-restaurant", "svc-restaurant:callCenter"}
ACCEPTED = {
    "list_reservations": RESERVATIONS,
    "get_reservation": RESERVATIONS,
    "create_reservation": RESERVATIONS,
    "update_reservation": RESERVATIONS,
    "cancel_reservation": RESERVATIONS,
    "list_availabilities": AVAILABILITIES,
    "list_timeslots": AVAILABILITIES,
    "list_party_sizes": AVAILABILITIES,
    "override_availability": {"svc-restaurant:override-availabilities"},
    "list_offers": {"svc-restaurant", "svc-restaurant:offers"},
    "list_customers": CUSTOMERS,
    "get_customer": CUSTOMERS,
    "find_by_phone": CUSTOMERS,
    "list_reviews": REVIEWS,
    "get_review": REVIEWS,
    "reply_to_review": REVIEWS,
    "record_call": CALL_CENTER,
    "report_milestone": CALL_CENTER,
}
ALL_SCOPES = set().union(*ACCEPTED.values())


def ask(caller: Caller, endpoint: SandboxEndpoint) -> Any:
    path = endpoint.template.removeprefix("/v1/").replace("{id}", NOBODY)
    body: Any = None if endpoint.method == "GET" else {}
    return caller(endpoint.method, path.replace("{phone}", "+33199000000"), body)


def with_scopes(cast: Cast, scopes: set[str]) -> Caller:
    with cast.service.store.writing() as db:
        db.execute("UPDATE client SET scopes=? WHERE name='full'", (" ".join(scopes),))
    cast.full.ask_token()
    return cast.full


def test_the_table_names_every_endpoint() -> None:
    assert ACCEPTED.keys() == BY_NAME.keys()


@EVERY
def test_each_accepted_scope_alone_is_enough(cast: Cast, endpoint: SandboxEndpoint) -> None:
    for scope in ACCEPTED[endpoint.name]:
        assert ask(with_scopes(cast, {scope}), endpoint).status != 403


@EVERY
def test_all_other_scopes_together_are_403(cast: Cast, endpoint: SandboxEndpoint) -> None:
    answer = ask(with_scopes(cast, ALL_SCOPES - ACCEPTED[endpoint.name]), endpoint)

    assert answer.status == 403
    assert answer.json == {"message": "Forbidden"}


@EVERY
def test_no_token_is_401(cast: Cast, endpoint: SandboxEndpoint) -> None:
    path = endpoint.template.replace("{id}", NOBODY).replace("{phone}", "+331")

    answer = cast.send(endpoint.method, f"/api{path}")

    assert answer.status == 401
    assert answer.json == {"message": "Unauthorized"}
    assert 'error="invalid_token"' in (answer.header("WWW-Authenticate") or "")


@EVERY
@pytest.mark.parametrize(
    ("status", "body"),
    [
        (401, {"message": "Unauthorized"}),
        (403, {"message": "Forbidden"}),
        (429, {"message": "Too Many Requests"}),
        (503, {"message": "Service Unavailable"}),
        (
            500,
            {
                "statusCode": 500,
                "error": "Internal Server Error",
                "data": {"code": "INTERNAL_SERVER_ERROR"},
            },
        ),
    ],
)
def test_each_failure_can_be_had_at_each_endpoint(
    cast: Cast, endpoint: SandboxEndpoint, status: int, body: Any
) -> None:
    cast.full.ask_token()
    cast.control("POST", "faults", match={"path": endpoint.name}, effect={"status": status})

    answer = ask(cast.full, endpoint)

    assert (answer.status, answer.json) == (status, body)


@EVERY
def test_an_unknown_or_foreign_entity_or_a_bad_id_is_refused(
    cast: Cast, endpoint: SandboxEndpoint
) -> None:
    if "{id}" not in endpoint.template:
        return
    path = endpoint.template.removeprefix("/v1/").replace("{phone}", "+33199000000")
    body: Any = {} if endpoint.method in ("PUT", "POST") else None

    answer = cast.full(endpoint.method, path.replace("{id}", "not-a-uuid"), body)

    assert answer.status == 400
    assert answer.code.startswith("INVALID_")


def test_an_unknown_path_or_method_is_403(cast: Cast) -> None:
    assert cast.full("GET", "restaurants").json == {"message": "Forbidden"}
    assert cast.full("DELETE", f"reservations/{NOBODY}").status == 403


@pytest.mark.parametrize("token", ["Bearer wrong", "Bearer ", "Basic abc", "wrong"])
def test_a_token_that_was_never_issued_is_401(cast: Cast, token: str) -> None:
    answer = cast.send("GET", f"/api/v1/reservations/{NOBODY}", authorization=token)

    assert answer.status == 401


def test_not_owned_is_401_in_the_api_format_with_an_empty_code(cast: Cast) -> None:
    answer = cast.stranger("GET", f"reservations/{cast.find('restaurant_id=1')}")

    assert answer.status == 401
    assert answer.json == {"statusCode": 401, "error": "Unauthorized", "data": {"code": ""}}


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        ("split", ["gateway", "api"]),
        ("api", ["api", "api"]),
        ("gateway", ["gateway", "gateway"]),
        ("alternate", ["api", "gateway"]),
    ],
)
def test_the_format_of_401_can_be_chosen(cast: Cast, style: str, expected: list[str]) -> None:
    cast.control("POST", "unauthorized", format=style)

    no_token = cast.send("GET", f"/api/v1/reservations/{NOBODY}")
    not_ours = cast.stranger("GET", f"reservations/{cast.find('restaurant_id=1')}")

    seen = ["gateway" if "message" in a.json else "api" for a in (no_token, not_ours)]
    assert seen == expected


def test_the_limit_answers_429_and_says_when_to_come_back(cast: Cast) -> None:
    cast.control("POST", "limit", per_minute=2)
    uuid = cast.find("restaurant_id=1")

    answers = [cast.full("GET", f"reservations/{uuid}") for _ in range(3)]

    assert [a.status for a in answers] == [200, 200, 429]
    assert answers[2].json == {"message": "Too Many Requests"}
    assert int(answers[2].header("Retry-After") or 0) >= 1


def test_the_limit_can_keep_silent_about_when(cast: Cast) -> None:
    cast.control("POST", "limit", per_minute=1, retry_after=False)
    uuid = cast.find("restaurant_id=1")

    cast.full("GET", f"reservations/{uuid}")

    assert cast.full("GET", f"reservations/{uuid}").header("Retry-After") is None


def test_the_limit_counts_each_client_alone(cast: Cast) -> None:
    cast.control("POST", "limit", per_minute=1)
    uuid = cast.find("restaurant_id=1")

    cast.full("GET", f"reservations/{uuid}")

    assert cast.limited("GET", f"reservations/{uuid}").status == 200

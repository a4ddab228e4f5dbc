import pytest

from cast import Cast


def test_it_works(cast: Cast) -> None:
    answer = cast.limited.ask_token()

    assert answer.status == 200
    assert answer.json == {
        "access_token": cast.limited.token,
        "scope": "svc-restaurant:reservations svc-restaurant:availabilities",
        "expires_in": 8600,
        "token_type": "Bearer",
    }


@pytest.mark.parametrize("field", ["audience", "grant_type", "client_id", "client_secret"])
def test_a_missing_field_is_401(cast: Cast, field: str) -> None:
    form = cast.full.form()
    del form[field]
    body = "&".join(f"{k}={v}" for k, v in form.items()).encode()

    answer = cast.send("POST", "/auth/oauth/token", body, "application/x-www-form-urlencoded")

    assert answer.status == 401
    assert answer.json == {"error": "access_denied", "error_description": "Unauthorized"}


@pytest.mark.parametrize("field", ["client_id", "client_secret"])
def test_a_wrong_credential_is_401(cast: Cast, field: str) -> None:
    answer = cast.full.ask_token(**{field: "wrong"})

    assert answer.status == 401
    assert answer.json == {"error": "access_denied", "error_description": "Unauthorized"}


def test_another_audience_is_403_access_denied_without_a_uri(cast: Cast) -> None:
    answer = cast.full.ask_token(audience="https://example.com/other")

    assert answer.status == 403
    assert answer.json["error"] == "access_denied"
    assert set(answer.json) == {"error", "error_description"}


def test_another_grant_type_is_403_unauthorized_client_with_a_uri(cast: Cast) -> None:
    answer = cast.full.ask_token(grant_type="password")

    assert answer.status == 403
    assert answer.json["error"] == "unauthorized_client"
    assert set(answer.json) == {"error", "error_description", "error_uri"}


def test_json_is_not_a_form(cast: Cast) -> None:
    assert cast.send("POST", "/auth/oauth/token", b"{}", "application/json").status == 401
    assert cast.breaches() == {"wrong_content_type": 1}


def test_500_has_the_api_format(cast: Cast) -> None:
    cast.control("POST", "faults", match={"path": "request_token"}, effect={"status": 500})

    answer = cast.full.ask_token()

    assert answer.json == {
        "data": {"code": "INTERNAL_SERVER_ERROR"},
        "error": "Internal Server Error",
        "statusCode": 500,
    }


@pytest.mark.parametrize(("seconds", "status"), [(8599, 200), (8600, 401), (8601, 401)])
def test_a_token_lives_8600_seconds(cast: Cast, seconds: int, status: int) -> None:
    cast.full.ask_token()
    cast.clock.advance(seconds * 1000)

    answer = cast.full("GET", f"reservations/{cast.find('restaurant_id=1')}")

    assert answer.status == status


def test_a_token_outlives_a_restart(cast: Cast) -> None:
    cast.full.ask_token()
    cast.service.tokens.reset()

    assert cast.full("GET", f"reservations/{cast.find('restaurant_id=1')}").status == 200

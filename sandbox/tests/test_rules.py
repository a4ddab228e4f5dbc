"""Each breach of the client rules, committed."""

import time
from typing import Any
from unittest import mock

import pytest

from cast import NOBODY, TOMORROW, Cast
from partner_sandbox import rules
from partner_sandbox.rules import RULES

COMMITTED_ELSEWHERE = {"webhook_late_answer", "webhook_wrong_answer"}  # test_sender


def break_next(cast: Cast, path: str, **effect: Any) -> None:
    cast.full.ask_token() if not cast.full.token else None
    cast.control("POST", "faults", match={"path": path}, effect=effect, count=1)


def detail(cast: Cast) -> str:
    return f"reservations/{cast.find('restaurant_id=1')}"


def commit_token_while_valid(cast: Cast) -> None:
    cast.full.ask_token()
    cast.full.ask_token()


def commit_token_after_401(cast: Cast) -> None:
    assert cast.full("GET", f"reservations/{cast.find('restaurant_id=4')}").status == 401
    cast.full.ask_token()


def commit_expired_token_reused(cast: Cast) -> None:
    cast.full.ask_token()
    cast.control("POST", "expire_tokens")
    cast.full("GET", detail(cast))
    time.sleep(rules.IN_FLIGHT_SECONDS + 0.01)
    cast.full("GET", detail(cast))


def commit_missing_token(cast: Cast) -> None:
    cast.send("GET", f"/api/v1/reservations/{NOBODY}")


def commit_403_retried(cast: Cast) -> None:
    for _ in range(2):
        assert cast.limited("GET", f"customers/{NOBODY}").status == 403


def commit_retry_too_soon_after_429(cast: Cast) -> None:
    break_next(cast, "get_reservation", status=429, retry_after=1)
    cast.full("GET", detail(cast))
    time.sleep(rules.SHORTEST_BACKOFF + 0.01)
    cast.full("GET", detail(cast))


def commit_retry_too_soon_after_503(cast: Cast) -> None:
    break_next(cast, "get_reservation", status=503)
    cast.full("GET", detail(cast))
    cast.full("GET", detail(cast))


def commit_retry_too_soon_after_500(cast: Cast) -> None:
    break_next(cast, "get_reservation", status=500)
    cast.full("GET", detail(cast))
    cast.full("GET", detail(cast))


def commit_write_repeated_without_looking(cast: Cast) -> None:
    booking = cast.booking()
    break_next(cast, "create_reservation", status=500, after_effect=True)
    for _ in range(2):
        cast.full("POST", f"restaurants/{cast.mirabeau['uuid']}/reservations", booking)


def commit_wrong_content_type(cast: Cast) -> None:
    cast.full.ask_token()
    cast.send(
        "PATCH",
        f"/api/v1/{detail(cast)}",
        b'{"partySize": 2}',
        "text/plain",
        authorization=f"Bearer {cast.full.token}",
    )


def commit_unknown_field(cast: Cast) -> None:
    cast.full("PATCH", detail(cast), {"status": "CANCELED"})


def commit_unknown_parameter(cast: Cast) -> None:
    cast.full("GET", detail(cast), expand="customer")


def commit_unknown_path(cast: Cast) -> None:
    cast.full("GET", "restaurants")


def commit_meal_date_respelt(cast: Cast) -> None:
    slot = cast.free_slot()
    assert cast.book(mealDate=slot.replace("T", " ")).status == 200


def commit_page_beyond_end_repeated(cast: Cast) -> None:
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    for _ in range(2):
        cast.full("GET", "reservations", **query, page=99)


@pytest.mark.parametrize("rule", sorted(RULES.keys() - COMMITTED_ELSEWHERE))
def test_the_journal_catches(cast: Cast, rule: str) -> None:
    globals()[f"commit_{rule}"](cast)

    expected = {rule: 1}
    if rule == "token_after_401":
        expected["token_while_valid"] = 1
    assert cast.breaches() == expected


def look(cast: Cast) -> None:
    cast.full(
        "GET", "reservations", groupUuid=cast.group["uuid"], startDate=TOMORROW, endDate=TOMORROW
    )


def innocent_expiry(cast: Cast) -> None:
    cast.full.ask_token()
    cast.control("POST", "expire_tokens")
    assert cast.full("GET", detail(cast)).status == 401
    cast.full.ask_token()
    assert cast.full("GET", detail(cast)).status == 200


def innocent_second_listing(cast: Cast) -> None:
    """Whoever lists anew has to learn anew where the list ends."""
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    for _ in range(3):
        cast.full("GET", "reservations", **query, page=1)
        cast.full("GET", "reservations", **query, page=99)


def innocent_listings_at_once(cast: Cast) -> None:
    """Each learns for itself that the list has become shorter, in whatever order."""
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    for page in (1, 1, 2, 1, 2, 2):
        cast.full("GET", "reservations", **query, page=page)


def innocent_repetition_after_the_time_limit(cast: Cast) -> None:
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    cast.full("GET", "reservations", **query, page=99)
    with mock.patch.object(rules, "MEMORY_SECONDS", 0.0):
        cast.full("GET", "reservations", **query, page=99)


def innocent_back_off(cast: Cast) -> None:
    break_next(cast, "get_reservation", status=429)
    cast.full("GET", detail(cast))
    time.sleep(rules.SHORTEST_BACKOFF + 0.01)
    cast.full("GET", detail(cast))


def innocent_look_before_repeating(cast: Cast) -> None:
    booking = cast.booking()
    path = f"restaurants/{cast.mirabeau['uuid']}/reservations"
    break_next(cast, "create_reservation", status=500)
    cast.full("POST", path, booking)
    look(cast)
    cast.full("POST", path, booking)


def innocent_look_at_the_entity(cast: Cast) -> None:
    uuid = cast.book().json["reservationUuid"]
    break_next(cast, "update_reservation", drop=True, after_effect=True)
    cast.full("PATCH", f"reservations/{uuid}", {"partySize": 3})
    cast.full("GET", f"reservations/{uuid}")
    cast.full("PATCH", f"reservations/{uuid}", {"partySize": 3})


def innocent_new_token_after_403(cast: Cast) -> None:
    cast.limited("GET", f"customers/{NOBODY}")
    cast.control("POST", "expire_tokens")
    cast.limited.ask_token()
    cast.limited("GET", f"customers/{NOBODY}")


def innocent_served_spelling(cast: Cast) -> None:
    slot = cast.free_slot()
    uuid = cast.book(mealDate=slot).json["reservationUuid"]
    cast.full("PATCH", f"reservations/{uuid}", {"mealDate": slot, "partySize": 3})


@pytest.mark.parametrize("deed", [name for name in globals() if name.startswith("innocent_")])
def test_the_journal_blames_nobody_for(cast: Cast, deed: str) -> None:
    globals()[deed](cast)

    assert cast.breaches() == {}


def test_listings_that_met_no_end_excuse_no_loop(cast: Cast) -> None:
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    for page in [*[1] * 10, *[99] * 10]:
        cast.full("GET", "reservations", **query, page=page)

    assert cast.breaches() == {"page_beyond_end_repeated": 9}


def test_of_listings_at_once_the_one_that_loops_is_found(cast: Cast) -> None:
    query = {"groupUuid": cast.group["uuid"], "startDate": TOMORROW, "endDate": TOMORROW}
    for page in (1, 1, 2, 2, 2, 2):
        cast.full("GET", "reservations", **query, page=page)

    assert cast.breaches() == {"page_beyond_end_repeated": 2}


def test_looking_at_another_reservation_is_not_looking(cast: Cast) -> None:
    uuid = cast.book().json["reservationUuid"]
    break_next(cast, "cancel_reservation", status=500)
    cast.full("PATCH", f"reservations/{uuid}/cancel")
    cast.full("GET", f"reservations/{cast.find('restaurant_id=2')}")
    cast.full("PATCH", f"reservations/{uuid}/cancel")

    assert cast.breaches() == {"write_repeated_without_looking": 1}


def test_breaches_outlive_a_restart_and_can_be_cleared(cast: Cast) -> None:
    commit_missing_token(cast)
    cast.service.journal.flush()
    again = type(cast.service.journal)(cast.service.store)
    assert again.breaches() == {"missing_token": 1}

    cast.control("DELETE", "journal")

    assert cast.breaches() == {}


def test_the_journal_tells_each_request(cast: Cast) -> None:
    cast.full("GET", detail(cast))

    entries = cast.control("GET", "journal").json["entries"]
    assert [(e["endpoint"], e["status"]) for e in entries] == [
        ("request_token", 200),
        ("get_reservation", 200),
    ]
    since = entries[0]["id"]
    assert len(cast.control("GET", "journal", since=since).json["entries"]) == 1

import json
import math
import threading
from typing import Any

import pytest

from cast import NOBODY, Cast
from partner_sandbox.journal import Entry


def test_the_world_tells_all_a_script_needs(cast: Cast) -> None:
    world = cast.world

    assert world["base_url"] == "http://127.0.0.1:8100/api"
    assert world["auth_url"] == "http://127.0.0.1:8100/auth"
    assert world["pos_base_url"] == "http://127.0.0.1:8100/pos"
    assert [c["name"] for c in world["clients"]] == [
        "full", "limited", "unrestricted", "phone", "stranger",
    ]  # fmt: skip
    assert set(world["groups"][0]["restaurants"][0]) == {
        "uuid", "name", "timezone", "currency", "country", "phone",
    }  # fmt: skip
    assert (world["seed"], world["world"]) == (7, "small")
    assert set(world["pos"]) == {"uuid", "api_key"}


@pytest.mark.parametrize("kind", ["reservation", "customer", "review"])
def test_the_truth_is_what_a_get_answers(cast: Cast, kind: str) -> None:
    condition = "group_id=1" if kind == "customer" else "restaurant_id=1"
    uuid = cast.find(condition, kind)

    truth = cast.control("GET", f"truth/{kind}/{uuid}").json

    assert truth["payload"] == cast.full("GET", f"{kind}s/{uuid}").json
    assert truth["group_uuid"] == cast.group["uuid"]


def test_all_truths_can_be_paged(cast: Cast) -> None:
    seen: list[str] = []
    after: int | None = 0
    while after is not None:
        page = cast.control("GET", "truth/review", after=after, limit=100).json
        seen += [item["uuid"] for item in page["items"]]
        after = page["next_after"]

    assert len(seen) == len(set(seen)) == page["total"]


def test_a_truth_changes_its_hash_when_the_entity_changes(cast: Cast) -> None:
    def hashes() -> dict[str, str]:
        items = cast.control("GET", "truth/customer", limit=10000).json["items"]
        return {item["uuid"]: item["sha256"] for item in items}

    before = hashes()
    uuid = cast.happen("change_customer")[0]["customer"]

    after = hashes()
    assert {u for u in after if after[u] != before[u]} == {uuid}


def test_a_page_of_no_truths_is_empty(cast: Cast) -> None:
    page = cast.control("GET", "truth/review", limit=0).json

    assert (page["items"], page["next_after"]) == ([], None)


def test_unknown_truths(cast: Cast) -> None:
    assert cast.control("GET", f"truth/review/{NOBODY}").status == 404
    assert cast.control("GET", "truth/review/x").status == 400
    assert cast.control("GET", "truth/table").status == 404


def test_the_clock_moves(cast: Cast) -> None:
    cast.control("POST", "clock", advance_seconds=90)
    assert cast.control("GET", "clock").json["now"] == "2026-10-21T09:01:30+00:00"

    cast.control("POST", "clock", set="2038-01-19T03:14:08Z")
    assert cast.control("GET", "clock").json["now"].startswith("2038-01-19T03:14:08")


def test_tokens_can_be_expired(cast: Cast) -> None:
    cast.full.ask_token()

    assert cast.control("POST", "expire_tokens").json == {"expired": 1}
    assert cast.full("GET", f"reservations/{cast.find('restaurant_id=1')}").status == 401


def test_a_reset_brings_the_same_world_back(cast: Cast) -> None:
    cast.control("POST", "webhook", url="http://127.0.0.1:9/")
    cast.book()
    cast.control("POST", "faults", effect={"status": 500})

    answer = cast.control("POST", "reset")

    assert answer.status == 200
    world = cast.control("GET", "world").json
    assert world["groups"] == cast.world["groups"]
    assert world["clients"] == cast.world["clients"]
    assert world["webhook_url"] == "http://127.0.0.1:9/"
    assert cast.control("GET", "faults").json == {"faults": []}
    cast.full.ask_token()
    assert cast.full("GET", f"reservations/{cast.find('restaurant_id=1')}").status == 200


def test_another_reset_of_the_day_takes_back_what_came_between(cast: Cast) -> None:
    """It puts back the world that the one before has built."""
    cast.control("POST", "reset")
    before = cast.control("GET", "truth/review", limit=10_000).json["items"]
    [happened] = cast.happen("change")
    address = f"truth/reservation/{happened['reservation']}"
    changed = cast.control("GET", address).json

    cast.control("POST", "reset")

    again = cast.control("GET", address)
    assert (again.status, again.json == changed) == (200, False)
    assert cast.control("GET", "truth/review", limit=10_000).json["items"] == before
    assert cast.control("GET", "deliveries").json["deliveries"] == []


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "127.0.0.1:8100"}, 200),
        ({"host": "localhost"}, 200),
        ({"host": "[::1]:8100"}, 200),
        ({"host": "rebound.example.com"}, 403),
        ({"host": ""}, 403),
        ({"host": "localhost", "origin": "http://evil.example.com"}, 403),
        ({"host": "localhost", "origin": "http://localhost:8100"}, 200),
    ],
)
def test_only_this_machine_may_control(cast: Cast, headers: dict[str, str], status: int) -> None:
    assert cast.send("GET", "/_sandbox/world", b"", "", **headers).status == status


def test_a_form_cannot_control(cast: Cast) -> None:
    answer = cast.send("POST", "/_sandbox/reset", b"a=b", "text/plain")

    assert answer.status == 403


def test_a_flag_lets_other_machines_control(cast: Cast) -> None:
    cast.sandbox.site.any_host = True

    assert cast.send("GET", "/_sandbox/world", host="sandbox.internal").status == 200


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("webhook", {"url": "ftp://x"}),
        ("limit", {"per_minute": "many"}),
        ("unauthorized", {"format": "xml"}),
        ("clock", {"set": "soon"}),
        ("clock", {"set": "9999-12-31T00:00:00Z"}),
        ("clock", {"advance_seconds": "1"}),
        ("clock", {"advance_seconds": 1e30}),
        ("clock", {"advance_seconds": math.nan}),
        ("limit", {"per_minute": math.inf}),
        ("limit", {"per_minute": 10**30}),
        ("emit", {}),
        ("happen", {}),
    ],
)
def test_mistakes_are_answered_with_a_sentence(cast: Cast, path: str, body: Any) -> None:
    answer = cast.control("POST", path, **body)

    assert answer.status == 400
    assert answer.json["problem"].endswith((".", "}"))


@pytest.mark.parametrize("raw", [b"{", b"[1]"])
def test_what_is_no_json_object_is_refused(cast: Cast, raw: bytes) -> None:
    assert cast.send("POST", "/_sandbox/happen", raw, "application/json").status == 400


@pytest.mark.parametrize("path", ["/", "/page.css", "/page.js"])
def test_the_page_needs_nothing_from_elsewhere(cast: Cast, path: str) -> None:
    answer = cast.send("GET", path)

    assert answer.status == 200
    assert "default-src 'none'" in (answer.header("Content-Security-Policy") or "")
    text = answer.response.body.decode()
    assert "http://" not in text.replace("http://127.0.0.1", "").replace("http://…", "")
    assert "https://" not in text
    assert " style=" not in text
    assert " onclick=" not in text


def test_there_is_nothing_else(cast: Cast) -> None:
    for path in ("/favicon.ico", "/_sandbox/nothing", "/../store.py", "/_sandbox"):
        answer = cast.send("GET", path)
        assert answer.status == 404
        assert json.loads(answer.response.body)["problem"]


def test_a_reset_and_the_journal_do_not_wait_for_each_other(cast: Cast) -> None:
    """A reset holds the store's turn when it clears the journal, which writes meanwhile."""
    store, journal = cast.service.store, cast.service.journal
    journal.add(Entry(1, "full", "GET", "/v1/reviews", "list_reviews", 200, 1.0, "", ""))

    def clear_in_turn() -> None:
        with store.turn():
            flushing = threading.Thread(target=journal.flush, daemon=True)
            flushing.start()
            flushing.join(timeout=0.2)
            journal.clear()

    resetting = threading.Thread(target=clear_in_turn, daemon=True)
    resetting.start()
    resetting.join(timeout=10)

    assert not resetting.is_alive()

"""No sink ever sees a secret or a person: canaries go in, and are looked for in what comes out."""

import json
import logging

import pytest
import structlog
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path

from config.monitoring import reports

TOKEN = "canary-token-4f1d"
EMAIL = "canary.guest@example.com"
PHONE = "+33 6 12 34 56 78"


@login_not_required
def fail(request):
    raise ValueError(f"{EMAIL} called from {PHONE}")


# The page of an error has addresses of others.
urlpatterns = [path("webhooks/partner/", fail), path("", include("config.urls"))]


def test_it_works(log_lines):
    logging.getLogger("couvert").info("Read %d rows", 3)

    assert json.loads(log_lines())["event"] == "Read 3 rows"


@pytest.mark.parametrize("canary", [EMAIL, PHONE, f"token={TOKEN}", f"Bearer {TOKEN}"])
def test_a_message_loses_what_it_must_not_say(log_lines, canary):
    logging.getLogger("couvert").info("Something about %s", canary)
    structlog.get_logger("couvert").info("something", about=canary, inside={"list": [canary]})
    output = log_lines()

    assert canary not in output
    assert TOKEN not in output
    assert output.count("\n") == 2


@pytest.mark.parametrize("name", ["client_secret", "access_token", "password", "api_key", "cookie"])
def test_a_telling_name_hides_its_value(log_lines, name):
    structlog.get_logger("couvert").info("something", **{name: TOKEN}, inside={name: TOKEN})

    assert TOKEN not in log_lines()


@pytest.mark.urls(__name__)
def test_a_failed_request_tells_neither_its_query_string_nor_its_person(log_lines, client):
    client.raise_request_exception = False
    client.get(f"/webhooks/partner/?token={TOKEN}", {"token": TOKEN})
    client.post(f"/webhooks/partner/?token={TOKEN}&phone={PHONE}")
    output = log_lines()

    assert "ValueError" in output
    for canary in (TOKEN, EMAIL, PHONE, PHONE.replace(" ", "")):
        assert canary not in output


def test_an_unknown_page_tells_no_query_string(log_lines, client):
    client.get("/no-such-page", {"token": TOKEN, "email": EMAIL})
    output = log_lines()

    assert "/no-such-page" in output
    assert TOKEN not in output
    assert EMAIL not in output


def test_a_request_is_one_line_with_an_id(log_lines, client):
    client.get("/no-such-page")
    entries = [json.loads(line) for line in log_lines().splitlines()]
    requests = [entry for entry in entries if entry["event"] == "request"]

    assert len(requests) == 1
    assert requests[0]["path"] == "/no-such-page"
    assert len(requests[0]["request_id"]) == 32


def test_line_breaks_cannot_forge_a_line(log_lines):
    logging.getLogger("couvert").info('one\n{"event": "forged"}')

    assert log_lines().count("\n") == 1


def test_an_error_report_carries_no_person():
    report = reports.redact_report(
        {
            "request": {
                "method": "POST",
                "url": "https://couvert.example/webhooks/partner/",
                "query_string": f"token={TOKEN}",
                "cookies": {"session": TOKEN},
                "headers": {"Authorization": f"Bearer {TOKEN}"},
                "data": {"email": EMAIL},
            },
            "exception": {"values": [{"value": f"{EMAIL} called from {PHONE}"}]},
        },
        {},
    )

    assert report["request"] == {
        "method": "POST",
        "url": "https://couvert.example/webhooks/partner/",
    }
    assert report["exception"] == {"values": [{"value": "[email] called from [phone]"}]}

"""A page that is still open after its sign-in has ended: what its parts are answered."""

import json
import re
from html import unescape

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

OPEN = {"HX-Request": "true", "HX-Current-URL": "http://testserver/?zoom=list"}


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("get", "/?zoom=list"),
        ("get", "/live/freshness/"),
        ("get", "/live/alerts/"),
        ("post", "/reservations/new/"),
    ],
)
def test_a_message_stands_beside_what_is_shown_and_typed(client, method, address):
    answer = getattr(client, method)(address, headers=OPEN)

    assert answer.status_code == 401  # no script takes it for the part that it fetched
    assert answer.headers["HX-Retarget"] == answer.headers["HX-Reselect"] == "#sign-in-ended"
    assert answer.headers["HX-Reswap"] == "outerHTML"
    assert "nothing new is shown or saved" in answer.content.decode()
    assert 'id="sign-in-ended"' in answer.content.decode()
    assert "HX-Redirect" not in answer.headers


@pytest.mark.parametrize("another", [False, True])
def test_a_role_that_was_taken_away_is_named_beside_an_open_board(cast, signed_in, another):
    """It read that nothing is booked, or showed another restaurant under the name of the first."""
    browser, board = signed_in(cast.bob), f"/?zoom=list&scope={cast.quay.uuid}"
    assert browser.get(board, headers=OPEN).status_code == 200
    cast.bob.memberships.all().delete()
    if another:
        cast.bob.memberships.create(group=cast.hill, role="staff")
    refresh = browser.get(board, headers=OPEN)
    note = f"/reservations/{cast.quay.uuid}/note/"  # a form that somebody writes in the drawer
    drawer = browser.post(note, headers=OPEN | {"HX-Target": "drawer-body"})

    assert refresh.status_code == 404
    assert refresh.headers["HX-Retarget"] == refresh.headers["HX-Reselect"] == "#sign-in-ended"
    assert refresh.headers["HX-Reswap"] == "outerHTML"
    assert "no longer part of your role" in refresh.text
    assert drawer.status_code == 404
    assert drawer.headers["HX-Retarget"] == "#sign-in-ended"  # the form stays as it is
    assert browser.get(board).headers.get("Location") == ("/?zoom=list" if another else None)


def test_a_form_is_left_as_it_is_where_another_sign_in_replaced_its_token(cast):
    """The whole page of the error stood in the place of a reply that somebody was writing."""
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(cast.bob)
    answer = browser.post("/reviews/", headers=OPEN | {"HX-Target": "review"})

    assert answer.status_code == 403
    assert answer.headers["HX-Retarget"] == answer.headers["HX-Reselect"] == "#sign-in-ended"
    assert "copy it" in answer.text
    assert "open for too long" in browser.post("/reviews/").text


def test_a_404_of_a_proxy_replaces_nothing(signed_in, cast):
    """As during a deploy: only an answer that brings its place and its swap is put into a page."""
    page = unescape(signed_in(cast.bob).get("/accounts/device/").text)
    config = json.loads(page.split('name="htmx-config"')[1].split("'")[1])
    rules = [one for one in config["responseHandling"] if re.fullmatch(one["code"], "404")]

    assert rules[0] == {"code": "403|404", "swap": True, "swapOverride": "none", "error": True}


def test_an_offline_copy_ends(client):
    copying = OPEN | {"Offline-Copy": "true"}

    assert client.get("/reservations/new/", headers=copying).status_code == 302


def test_a_page_leads_to_the_sign_in_page(client):
    answer = client.get("/?zoom=list")

    assert answer.headers["Location"] == "/accounts/login/?next=/%3Fzoom%3Dlist"


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        (
            "http://testserver/reservations/requests/?show=all",
            "/reservations/requests/%3Fshow%3Dall",
        ),
        ("https://elsewhere.example/", "/"),
        ("", "/"),
    ],
)
def test_a_form_that_comes_too_late_leads_back_to_its_page(client, referer, back):
    """Its own address opened by a GET, after the sign-in: an empty page with the status 405."""
    answer = client.post("/setup/webhooks/route-again/", headers={"Referer": referer})

    assert answer.headers["Location"] == f"/accounts/login/?unsent=1&next={back}"
    assert "nothing was sent" in client.get(answer.headers["Location"]).text
    assert not Session.objects.exists()

"""A page that is still open after its sign-in has ended: what its parts are answered."""

import pytest

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


def test_an_offline_copy_ends(client):
    copying = OPEN | {"Offline-Copy": "true"}

    assert client.get("/reservations/new/", headers=copying).status_code == 302


def test_a_page_leads_to_the_sign_in_page(client):
    answer = client.get("/?zoom=list")

    assert answer.headers["Location"] == "/accounts/login/?next=/%3Fzoom%3Dlist"

"""Attacks that concern more than one app, tried on every address of the project.

What templates, headers and middleware refuse is marked `once`: no database has a part in it.

docs/security.md lists every attack with its test; those of one app stand in its tests.
"""

from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import models
from django.test import Client
from django.urls import resolve

from mirror.models import Mirrored
from restaurants.models import Restaurant
from restaurants.testing import Cast, make_root, sign_in
from tests.addresses import Address, all_addresses
from tests.test_every_url import ask
from tests.url_examples import example
from webhooks.receiver import INCOMPLETE, NOT_FOUND, NOT_POST, OVERSIZE, RECEIVED, UNAVAILABLE

MARKUP = "\"'><xss onclick=alert(1)>{{ SECRET_KEY }}{% debug %}\r\nX-Forged: 1"
SHORT_MARKUP = '"><xss>'
# Their words decide what is shown at all; one run leaves them alone, the other does not.
JUDGED = {"status", "meal_status", "comment_status", "reply_status", "presence"}
# Answered on their own secret, not on a cookie, so that no other site can borrow a session.
OPEN_TO_OTHER_SITES = {
    *("receive_event", "receive_event_without_slash", "phone:receive"),
    "push:renew",  # refuses what a browser says comes from elsewhere
}
FOREIGN = [
    "//evil.example",
    "///evil.example",
    "////evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "https://evil.example",
    "https:/evil.example",
    "https:evil.example",
    "http:///evil.example",
    "https://testserver@evil.example",
    "https://testserver.evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "\x08//evil.example",
    "/%0d%0aSet-Cookie:x=1//evil.example\r\nSet-Cookie: x=1",
]
NONSENSE = [
    MARKUP,
    "' OR 1=1 --",
    "%_%",
    "\0",
    "9" * 400,
    "-1",
    "../../etc/passwd",
    "\ud800".encode("utf-8", "surrogatepass").decode("latin-1"),
    "{{7*7}}${7*7}%s",
]
# Of templates and of files. Quotes and signs that a query may take for its own are in the others.
NO_QUERYS = {MARKUP, "../../etc/passwd"}
PARAMETERS = (
    "q", "scope", "day", "page", "sort", "size", "view", "zoom", "state", "kind", "person", "what",
    "until", "since", "until", "restaurant", "service", "r", "columns", "next", "number", "token",
)  # fmt: skip


@pytest.fixture
def root(cast: Cast) -> Client:
    client = sign_in(make_root())
    client.raise_request_exception = False
    return client


@pytest.fixture
def paths(cast: Cast) -> dict[str, str]:
    """An example of every address, with an object of each kind in the database."""
    return {one.name: path_of(one, cast) for one in all_addresses()}


def path_of(address: Address, cast: Cast) -> str:
    return address.path(partial(example, cast=cast))


def body_of(answer: Any) -> str:
    return "" if answer.streaming else str(answer.content.decode(errors="replace"))


def is_page(answer: Any) -> bool:
    return str(answer.headers.get("Content-Type", "")).startswith("text/html")


# Injection


def poison(model: type[models.Model], *, spare: set[str]) -> None:
    """Put markup into every column of words, as if the service had sent it."""
    values: dict[str, Any] = {}
    for field in model._meta.concrete_fields:
        if field.name in spare or field.choices or field.unique:
            continue
        if isinstance(field, models.JSONField):
            values[field.name] = {"en": MARKUP} if field.default is dict else [MARKUP]
        elif isinstance(field, models.TextField | models.CharField):
            max_length = field.max_length or len(MARKUP)
            values[field.name] = MARKUP if max_length >= len(MARKUP) else SHORT_MARKUP
    model._default_manager.update(**values)


@pytest.mark.once
@pytest.mark.walk
@pytest.mark.parametrize("spare", [JUDGED, set()], ids=["with known words", "with odd words"])
def test_words_of_others_are_never_markup(root, cast, paths, spare):
    for model in apps.get_models():
        if issubclass(model, Mirrored):
            poison(model, spare={"raw", *spare})
    Restaurant.objects.filter(pk=cast.quay.pk).update(name=MARKUP, short_name=SHORT_MARKUP)
    cast.alice.name = MARKUP
    cast.alice.save()

    wrong = {}
    for name, path in paths.items():
        answer = ask(root, "GET", path)
        body = body_of(answer)
        if answer.status_code >= 500 or settings.SECRET_KEY in body:
            wrong[name] = answer.status_code
        if (is_page(answer) and "<xss" in body) or "X-Forged" in answer.headers:
            wrong[name] = "markup"

    assert wrong == {}


@pytest.mark.walk
@pytest.mark.parametrize(
    "words",
    [
        pytest.param(words, marks=pytest.mark.once if words in NO_QUERYS else [], id=str(number))
        for number, words in enumerate(NONSENSE)
    ],
)
def test_nonsense_in_the_address_breaks_nothing(root, paths, words):
    query = urlencode(dict.fromkeys(PARAMETERS, words))

    wrong = {}
    for name, path in paths.items():
        answer = ask(root, "GET", f"{path}?{query}")
        if answer.status_code >= 500 or (is_page(answer) and "<xss" in body_of(answer)):
            wrong[name] = answer.status_code

    assert wrong == {}


# Other sites


@pytest.mark.once
@pytest.mark.walk
def test_no_form_of_another_site_is_taken(root, cast, paths):
    """Also where htmx would send the header: without the token there is no difference."""
    strict = Client(enforce_csrf_checks=True, raise_request_exception=False)
    strict.cookies = root.cookies

    taken = {
        name
        for name, path in paths.items()
        if strict.post(path, headers={"HX-Request": "true"}).status_code != 403
    }
    exempt = {n for n, path in paths.items() if getattr(resolve(path).func, "csrf_exempt", False)}

    assert exempt <= OPEN_TO_OTHER_SITES
    assert taken <= OPEN_TO_OTHER_SITES | {"live:painted"}


def test_the_header_of_htmx_carries_the_token(root, cast):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = root.cookies
    token = strict.get("/").context["csrf_token"]

    answer = strict.post("/accounts/preferences/", {}, headers={"X-CSRFToken": str(token)})

    assert answer.status_code != 403


@pytest.mark.once
@pytest.mark.parametrize("address", FOREIGN)
def test_nothing_leads_to_another_site(client, root, cast, address):
    cast.alice.set_password("correct horse battery staple")
    cast.alice.save()
    cache.clear()
    entry = {"login": cast.alice.email, "password": "correct horse battery staple"}

    answers = [
        client.post("/accounts/login/", {**entry, "next": address}),
        client.get("/accounts/login/", {"next": address}),
        root.post("/accounts/preferences/", {"theme": "dark", "next": address}),
        root.post("/accounts/logout/", {"next": address}),
    ]

    for answer in answers:
        target = answer.headers.get("Location", "/")
        assert target.startswith("/"), target
        assert not target.startswith(("//", "/\\")), target
        assert "x" not in answer.cookies


def test_another_host_is_refused(client, db):
    assert client.get("/accounts/login/", headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 302),
        ("/accounts/login/", 200),
        ("/nothing-here/", 404),
        ("/accounts/switch", 404),
        ("/health/live", 200),
        ("/metrics", 200),
        ("/static/css/app.css", 200),
    ],
)
def test_every_answer_carries_the_headers(client, db, settings, path, status):
    settings.SECURE_HSTS_SECONDS = 31536000

    answer = client.get(path, secure=True)
    answer.close()

    assert answer.status_code == status
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "object-src 'none'" in answer.headers["Content-Security-Policy"]
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Strict-Transport-Security"].startswith("max-age=31536000")
    assert "Access-Control-Allow-Origin" not in answer.headers


def test_the_receiver_carries_them_too():
    for answer in (RECEIVED, INCOMPLETE, NOT_FOUND, NOT_POST, OVERSIZE, UNAVAILABLE):
        headers = dict(answer.headers)
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]


@pytest.mark.once
@pytest.mark.walk
def test_nothing_repeats_a_request(root, paths):
    paths |= {"live": "/health/live", "metrics": "/metrics"}

    answered = {name for name, path in paths.items() if root.trace(path).status_code != 405}

    assert answered == set()


def test_scripts_can_read_no_cookie(client, cast):
    cache.clear()
    cast.alice.set_password("correct horse battery staple")
    cast.alice.save()
    client.get("/accounts/login/")
    entry = {"login": cast.alice.email, "password": "correct horse battery staple"}
    client.post("/accounts/login/", entry)

    assert {"session", "csrf", "known-device"} <= set(client.cookies)
    assert all(cookie["httponly"] and cookie["samesite"] for cookie in client.cookies.values())


@pytest.mark.once
@pytest.mark.walk
def test_pages_of_people_are_kept_by_no_cache(root, paths):
    """Also not by the browser: after signing out on a tablet, Back must show no guest."""
    kept = {
        name
        for name, path in paths.items()
        if not {"no-store", "private"} & words_of_caching(ask(root, "GET", path))
    }

    assert kept == set()


def words_of_caching(answer: Any) -> set[str]:
    return {word.strip() for word in answer.headers.get("Cache-Control", "").split(",")}


# Sign-in


def test_messages_end_with_the_sign_in(cast):
    """One that was not shown yet may name a guest or a colleague."""
    browser, next_person = sign_in(cast.dora), sign_in(cast.charlie)
    browser.post(f"/setup/people/{cast.bob.pk}/roles/{cast.bob.memberships.get().pk}/take/")
    browser.post("/accounts/logout/")
    browser.cookies |= next_person.cookies

    assert "Bob" not in browser.get("/accounts/device/").text


def test_one_address_cannot_try_many_people(client, cast):
    """Ten wrong passwords a minute from one place, whoever they are tried on."""
    cache.clear()
    tried = [
        client.post("/accounts/login/", {"login": f"person{n}@example.org", "password": "wrong"})
        for n in range(14)
    ]

    assert "Too many failed login attempts" not in body_of(tried[5])
    assert "Too many failed login attempts" in body_of(tried[-1])


def test_a_forged_forwarding_header_is_no_other_address(client, cast):
    cache.clear()
    tried = [
        client.post(
            "/accounts/login/",
            {"login": f"person{n}@example.org", "password": "wrong"},
            headers={"X-Forwarded-For": f"203.0.113.{n}"},
        )
        for n in range(14)
    ]

    assert "Too many failed login attempts" in body_of(tried[-1])

"""Headers of htmx on every address: whatever they hold, the answer is a page or a part of one."""

import ast
import inspect
import sys
from itertools import cycle
from typing import Any

import pytest
from django.test import Client
from django.urls import resolve

from restaurants.testing import make_root, sign_in
from tests.addresses import all_addresses
from tests.test_every_url import ask, path_of

HEADERS = ("Target", "Trigger", "Trigger-Name", "Prompt", "Current-URL", "Boosted", "Source")
ODD_VALUES = [
    "no-such-part",
    "drawer#drawer",
    "../../base.html",
    "{% debug %}{{ 1 }}",
    "http://[",
]
# A zero byte and a long text are what PostgreSQL refuses and SQLite takes.
ODD_FOR_A_DATABASE = ["é\u00ff\0", "%ED%A0%80%00%0d%0a", "x" * 8000]

pytestmark = pytest.mark.walk


@pytest.fixture
def root(cast) -> Client:
    client = sign_in(make_root())
    client.raise_request_exception = False
    return client


@pytest.fixture
def paths(cast) -> dict[str, str]:
    return {address.name: path_of(address, cast) for address in all_addresses()}


def htmx_headers(value: str) -> dict[str, str]:
    names = {f"HTTP_HX_{name.upper().replace('-', '_')}": value for name in HEADERS}
    decoded = {f"{name}_URI_AUTOENCODED": "true" for name in names}
    return {"HTTP_HX_REQUEST": "true", "HTTP_TRIGGERING_EVENT": value, **names, **decoded}


def broken(client: Client, method: str, path: str, value: str) -> bool:
    client.defaults = htmx_headers(value)
    return bool(ask(client, method, path).status_code >= 500)


def words_of_module(view: Any) -> set[str]:
    """Every short word that the module of a view spells out: names of parts are among them."""
    source = inspect.getsource(sys.modules[view.__module__])
    if "htmx" not in source:
        return set()
    constants = (
        node.value for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Constant)
    )
    return {word for word in constants if isinstance(word, str) and is_name(word)}


def is_name(word: str) -> bool:
    return word.replace("-", "").isalpha() and word.islower()


@pytest.mark.parametrize("value", ODD_FOR_A_DATABASE, ids=["zero", "quoted zero", "long"])
def test_what_a_database_refuses_breaks_no_address(root, paths, value):
    assert [name for name, path in paths.items() if broken(root, "GET", path, value)] == []


@pytest.mark.once
def test_odd_headers_break_no_address(root, paths):
    """One value for each address in turn: all read the headers by the same few functions."""
    values = cycle(ODD_VALUES)
    wrong = [
        (name, value)
        for (name, path), value in zip(paths.items(), values, strict=False)
        if broken(root, "GET", path, value)
    ]

    assert wrong == []


@pytest.mark.once
def test_every_word_that_a_view_knows_is_answered(root, paths):
    """A part that the code offers stands in the template, also on a page without that object."""
    wrong = [
        (name, word)
        for name, path in paths.items()
        for word in sorted(words_of_module(resolve(path).func))
        if broken(root, "GET", path, word)
    ]

    assert wrong == []


@pytest.mark.once
def test_odd_headers_break_no_form(cast, root, paths):
    wrong = []
    for name, path in paths.items():
        client = sign_in(cast.dora)  # some forms sign out
        client.raise_request_exception = False
        wrong += [name] if broken(client, "POST", path, "no-such-part") else []

    assert wrong == []

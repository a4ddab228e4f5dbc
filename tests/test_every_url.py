"""A walk over every address of the project, also those that do not exist yet.

Nothing here names a view: whoever adds one is tested by adding it.

What decorators refuse before a view reads a row is marked `once`: no database has a part in it.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.core.signals import request_finished
from django.db import close_old_connections, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from restaurants.testing import Cast, make_root, sign_in
from tests.addresses import Address, all_addresses
from tests.url_examples import INSTALLATION_WIDE, OF_NO_GROUP, PUBLIC, example

# A look may leave traces here: the session, its list, the counters, and the audit trail.
TRACES = (
    "django_session",
    "usersessions_usersession",
    "couvert_cache",
    "auditlog_logentry",
    "restaurants_auditplace",
    "customers_profileview",
    "webhooks_hourlycount",
)
ADMIN_PAGES = ("/setup/", "/styleguide/")


ALL = all_addresses()
WITH_OBJECTS = [address for address in ALL if address.kwargs and address.name not in OF_NO_GROUP]


def path_of(address: Address, cast: Cast) -> str:
    return address.path(partial(example, cast=cast))


def wrong_answers(
    client: Client,
    method: str,
    chosen: list[Address],
    *,
    cast: Cast,
    right: Callable[[Any], bool],
) -> dict[str, int]:
    """Ask every address, and return those whose answer is not right.

    One test asks all, because setting the cast up for each address would take a minute. A view
    that breaks counts as 500 and does not stop the walk.
    """
    client.raise_request_exception = False
    wrong = {}
    for address in chosen:
        answer = ask(client, method, path_of(address, cast))
        if not right(answer):
            wrong[address.name] = answer.status_code
    return wrong


def ask(client: Client, method: str, path: str) -> Any:
    answer = client.generic(method, path)
    if answer.streaming:
        close(answer)
    return answer


def close(answer: Any) -> None:
    """Closing an answer would close the connection too, and with it the test's database."""
    request_finished.disconnect(close_old_connections)
    answer.close()
    request_finished.connect(close_old_connections)


@pytest.fixture
def root(cast) -> Client:
    return sign_in(make_root())


def test_every_address_has_a_name():
    assert [address for address in ALL if address.name.endswith(":") or not address.name] == []


@pytest.mark.once
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_a_stranger_is_sent_to_sign_in(client, cast, method):
    closed = [address for address in ALL if address.name not in PUBLIC]

    assert wrong_answers(client, method, closed, cast=cast, right=is_refusal_of_a_stranger) == {}


def is_refusal_of_a_stranger(answer: Any) -> bool:
    if answer.status_code == 302:
        return bool(answer.headers["Location"].startswith("/accounts/login/"))
    return answer.status_code in {401, 403, 404, 405}


@pytest.mark.once
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_staff_open_no_setup_page(cast, method):
    setup = [address for address in ALL if path_of(address, cast).startswith(ADMIN_PAGES)]

    def right(answer: Any) -> bool:
        return answer.status_code in {403, 405}

    assert len(setup) > 10
    assert wrong_answers(sign_in(cast.bob), method, setup, cast=cast, right=right) == {}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_an_outsider_finds_no_object(cast, method):
    def found_nothing(answer: Any) -> bool:
        return answer.status_code in {404, 405}

    def may_not_look(answer: Any) -> bool:
        return answer.status_code in {403, 405}

    charlie = sign_in(cast.charlie)
    theirs = [address for address in WITH_OBJECTS if address.app not in INSTALLATION_WIDE]
    installation_wide = [address for address in WITH_OBJECTS if address.app in INSTALLATION_WIDE]

    assert wrong_answers(charlie, method, theirs, cast=cast, right=found_nothing) == {}
    assert wrong_answers(charlie, method, installation_wide, cast=cast, right=may_not_look) == {}


def test_nothing_breaks(client, root, cast):
    def right(answer: Any) -> bool:
        return bool(answer.status_code < 500)

    assert wrong_answers(client, "GET", ALL, cast=cast, right=right) == {}
    assert wrong_answers(root, "GET", ALL, cast=cast, right=right) == {}


def test_looking_changes_nothing(root, cast):
    changes: dict[str, list[str]] = {}
    for address in ALL:
        path = path_of(address, cast)
        with CaptureQueriesContext(connection) as queries:
            ask(root, "GET", path)
        written = [query["sql"] for query in queries if is_a_change(query["sql"])]
        changes |= {address.name: written} if written else {}

    assert changes == {}


@pytest.mark.once
def test_every_view_names_the_methods_it_answers(root, cast):
    """With `require_safe`, `require_POST` or `require_http_methods`, outermost."""
    ours = [address for address in ALL if address.is_ours]

    def right(answer: Any) -> bool:
        return answer.status_code in {404, 405}

    assert wrong_answers(root, "PURGE", ours, cast=cast, right=right) == {}


@pytest.mark.once
@pytest.mark.parametrize("person", ["alice", "bob", "charlie", "dora"])
@pytest.mark.parametrize("table", ["", "accounts/user/", "auditlog/logentry/"])
def test_the_database_admin_opens_to_superusers_only(cast, person, table):
    answer = sign_in(getattr(cast, person)).get(f"/admin/{table}", follow=True)

    assert answer.status_code == 403


def is_a_change(sql: str) -> bool:
    changes = sql.startswith(("INSERT", "UPDATE", "DELETE"))
    return changes and not any(trace in sql for trace in TRACES)

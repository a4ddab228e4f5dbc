"""Whoever waits for the service holds no connection of the database meanwhile."""

from collections.abc import Iterator

import pytest
from django.db import connection

from partner.clock import SYSTEM
from partner.http.protocol import build_get
from partner.http.transport import PooledTransport
from partner.tests.raw_server import RawServer, answer


@pytest.fixture
def url() -> Iterator[str]:
    server = RawServer(answer(b"{}"))
    yield server.url
    server.close()


def call(url: str) -> None:
    PooledTransport().send(url, build_get("/v1/x"), headers={}, read_timeout=5)


@pytest.mark.django_db(transaction=True)
def test_a_call_gives_it_back(url):
    connection.ensure_connection()

    call(url)

    assert connection.connection is None


@pytest.mark.django_db(transaction=True)
def test_a_wait_for_a_turn_gives_it_back():
    connection.ensure_connection()

    SYSTEM.sleep(0)

    assert connection.connection is None


@pytest.mark.django_db
def test_a_transaction_keeps_it(url):
    held = connection.connection

    call(url)

    assert connection.connection is held

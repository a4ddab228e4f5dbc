"""Every field of every event with values that no event has: nothing keeps a later one waiting."""

import json
from typing import Any

import pytest
from django.utils import timezone

from webhooks.models import Delivery
from webhooks.routing import route_new
from webhooks.testing import FIXTURES, delivery, payload

pytestmark = pytest.mark.django_db
UUID_TEXT = "7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33"
VALUES: list[Any] = [
    *(None, "", 0, 1, True, [], {}, 1e999, "x" * 5000, "\u0000", "\ud800", "ＲＥＳ", "../../x"),
    *("reservation ", f" {UUID_TEXT}", UUID_TEXT.upper(), f"{{{UUID_TEXT}}}", "0" * 32),
]
BODIES = [
    *(b"", b"null", b'"x"', b"[" * 60_000, b'{"a":' * 9_000, b"9" * 60_000, b"\xef\xbb\xbf{}"),
    *(b"\xff\xfe{\x00}\x00", b'{"uuid": "x", "uuid": 1}', b'{"uuid": "' + b"\x00" * 50 + b'"}'),
]


def test_it_works(cast):
    for file in sorted(FIXTURES.glob("*.json")):
        event = json.loads(file.read_text())
        for name in (*event, "more"):
            for value in VALUES:
                delivery(json.dumps(event | {name: value}).encode())
    for body in BODIES:
        delivery(body)
    last = delivery(payload())

    while route_new(now=timezone.now()):
        pass

    last.refresh_from_db()
    assert last.state == Delivery.State.ROUTED
    assert not Delivery.objects.waiting().exists()
    for row in Delivery.objects.for_log():
        assert row.masked is not None
        assert row.state == Delivery.State.ROUTED or row.next_step

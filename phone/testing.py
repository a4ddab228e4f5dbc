"""Calls for tests: a telephone system with a known token, and calls as it would report them."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

from partner.models import Connection
from partner.models.connection import hash_token
from phone.models import Call, PhoneSystem
from restaurants.models import Restaurant

TOKEN = "telephone-token-for-tests-0123456789"  # noqa: S105 - opens nothing
NUMBER = "+33199001234"
EVENING = datetime(2026, 1, 17, 18, tzinfo=UTC)  # 19:00 in Paris


def make_system(token: str = TOKEN) -> PhoneSystem:
    """The one of the only connection, or of none where there is none."""
    facts = {"token": token, "token_hash": hash_token(token), "rotated_at": EVENING}
    return PhoneSystem.objects.create(connection=Connection.objects.single(), **facts)


def make_call(restaurant: Restaurant, **fields: Any) -> Call:
    """A call that rang and whose end is unknown, unless the fields say otherwise."""
    began = fields.get("began_at", EVENING)
    known = {
        "uuid": uuid4(),
        "source_id": str(uuid4()),
        "number": NUMBER,
        "caller_id": NUMBER,
        "began_at": began,
        "incoming_at": began,
    }
    return Call.objects.create(restaurant=restaurant, **known | fields)

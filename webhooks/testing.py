"""Helpers for the tests of every app that post events as the service does."""

import json
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.utils import timezone

from partner.models import Slot
from webhooks.models import Delivery

FIXTURES = Path(__file__).parent / "tests" / "fixtures"


def payload(name: str = "reservationUpdated", **changes: Any) -> bytes:
    """Return the recorded event of that name, with changed or (by None) missing fields."""
    event = json.loads((FIXTURES / f"{name}.json").read_text()) | changes
    return json.dumps({key: value for key, value in event.items() if value is not None}).encode()


def some_payload(**changes: Any) -> bytes:
    """Return an event about an entity of its own."""
    return payload(**({"uuid": str(uuid4())} | changes))


def delivery(raw: bytes | None = None, **fields: Any) -> Delivery:
    """Put a delivery into the database as the receiver would."""
    raw = payload() if raw is None else raw
    defaults = {"received_at": timezone.now(), "raw": raw, "size": len(raw), "slot": Slot.CURRENT}
    made = Delivery.objects.create(**defaults | fields)
    made.refresh_from_db()
    return made

"""A kind whose service is a dictionary: what the engine does with it is real."""

import json
import threading
from datetime import UTC, datetime
from types import SimpleNamespace
from uuid import UUID

import pytest

from customers.models import Customer
from mirror import kinds
from partner import errors, testing

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)


class Service:
    """Guests by uuid. Counts reads; a fault stands in for an answer as long as it is set."""

    def __init__(self, group):
        self.group = group
        self.guests: dict[UUID, str] = {}
        self.faults: dict[UUID, Exception] = {}
        self.reads: list[UUID] = []
        self.windows: list[tuple] = []
        self.gate: threading.Event | None = None

    def fetch(self, _client, uuid):
        self.reads.append(uuid)
        if self.gate:
            self.gate.wait(5)
        if uuid in self.faults:
            raise self.faults[uuid]
        if uuid not in self.guests:
            raise errors.NotFound(status=404)
        payload = {"firstName": self.guests[uuid]}
        return SimpleNamespace(raw=json.dumps(payload), payload=payload, drift=(), started_at=NOW)

    def list(self, _client, location, start, end, by):
        self.windows.append((location, start, end, by))
        yield from list(self.guests)

    def build(self, answer, _location, _existing):
        customer = Customer(group=self.group, first_name=answer.payload["firstName"])
        customer.derive()
        return customer


@pytest.fixture
def service(monkeypatch, harbour):
    testing.connection()
    service = Service(harbour)
    kind = kinds.Kind(
        name="customer",
        model=Customer,
        fetch=service.fetch,
        build=service.build,
        is_of_group=True,
        list=service.list,
    )
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    return service

import pytest

from partner import testing
from partner.models import Connection, Token
from tests.contract.sandbox import Sandbox


@pytest.fixture(scope="session")
def running_sandbox(tmp_path_factory):
    sandbox = Sandbox(tmp_path_factory.mktemp("sandbox"))
    yield sandbox
    sandbox.stop()


@pytest.fixture
def sandbox(running_sandbox):
    """The sandbox as at its start, and not one breach of the contract's rules afterwards."""
    running_sandbox.delete("faults")
    running_sandbox.post("limit", per_minute=0)
    running_sandbox.post("reset")
    yield running_sandbox
    assert running_sandbox.breaches() == {}


@pytest.fixture
def connect(sandbox, db):
    """Return a function that makes the connection of one of the sandbox's clients."""

    def connect_as(name: str = "full", **changes) -> Connection:
        made = testing.connection(**sandbox.credentials(name) | changes)
        Token.objects.all().delete()
        return made

    return connect_as

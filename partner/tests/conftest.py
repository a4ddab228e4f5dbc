"""A server that answers as it is given to."""

import pytest

from partner.tests.raw_server import RawServer


@pytest.fixture
def serve():
    servers: list[RawServer] = []

    def start(*pieces: bytes, **options) -> RawServer:
        servers.append(RawServer(*pieces, **options))
        return servers[-1]

    yield start
    for server in servers:
        server.close()

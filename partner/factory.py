"""The default client: the active connection, this process's sockets, token and permits."""

from partner.client import Client
from partner.lanes import Lane
from partner.models import Connection


def client(*, lane: Lane = Lane.PERSON) -> Client:
    """Return a client of the active connection (one query), or raise `NotConfigured`."""
    return Client(Connection.objects.current(), lane=lane)

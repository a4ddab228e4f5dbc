"""The default client: the active connection, this process's sockets, token and permits."""

from partner.client import Client
from partner.limits.priorities import CallPriority
from partner.models import Connection


def client(*, priority: CallPriority = CallPriority.PERSON) -> Client:
    """Return a client of the active connection (one query), or raise `NotConfigured`."""
    return Client(Connection.objects.current(), priority=priority)

"""The default client: a connection with this process's sockets, token and permits."""

from partner.client import Client
from partner.limits.priorities import CallPriority
from partner.models import Connection


def client(
    connection: int | None = None, *, priority: CallPriority = CallPriority.PERSON
) -> Client:
    """Return a client of the connection with this key, or raise `NotConfigured`. One query.

    Without a key it is the only connection, and where there are several there is no client.
    """
    return Client(Connection.objects.named(connection), priority=priority)

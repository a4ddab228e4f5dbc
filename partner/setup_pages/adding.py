"""Adds a connection: stored paused, tried, and used from then on; one that fails is not kept."""

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from partner.client import Client
from partner.errors import PartnerError
from partner.models import Connection, TokenRequest
from partner.setup_pages.forms import ConnectionForm


@dataclass(frozen=True)
class AddedConnection:
    """A connection that is kept, or the reason why it is not; both where an answer was lost."""

    connection: Connection | None
    fault: PartnerError | None = None


def add(form: ConnectionForm, *, owner: Any, is_tried: bool) -> AddedConnection:
    """Store what the form describes, and try its key. Calls the service outside of a transaction.

    The first connection of an installation is tried by the guide's next step, and one that is
    not to be tried stays paused.
    """
    is_first = not Connection.objects.exists()
    if not is_first:
        form.instance.state = Connection.State.PAUSED
    with transaction.atomic():
        connection = form.save()
        connection.owners.add(owner)
    added = _tried(connection) if is_tried and not is_first else AddedConnection(connection)
    if added.connection:
        owner.make_owner([connection.pk])
    return added


def _tried(connection: Connection) -> AddedConnection:
    try:
        Client(connection).authorise()
    except PartnerError as fault:
        return AddedConnection(_kept(connection), fault)
    connection.resume()
    return AddedConnection(connection)


def _kept(connection: Connection) -> Connection | None:
    """Keep it if its key may be on the way: forgotten, it would be requested again too early."""
    unanswered = TokenRequest.Outcome.UNANSWERED
    if connection.token_requests.filter(outcome=unanswered).exists():
        return connection
    connection.delete()
    return None

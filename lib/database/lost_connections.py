"""Connections that the database has ended: a restart, a failover, an operator."""

from django.db import connection


def replace_if_lost() -> None:
    """Drop a connection that failed and works no more: the next statement opens another.

    For a handler that writes what became of the work. Within a transaction nothing is done: it is
    lost with its connection.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()

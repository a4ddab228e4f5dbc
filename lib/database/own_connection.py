"""The database connection of a thread: one of its own, or the shared one, given back."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.conf import settings as django_settings
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

# PostgreSQL: a connection whose other end vanished must fail, not wait for ever.
KEEPALIVE = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 10000,
}


def own_connection(**options: Mapping[str, Any]) -> BaseDatabaseWrapper:
    """A connection like the default one, with the options given for its vendor.

    Outside the pool and past a pooler it is a session of its own: it may listen, hold a lock and
    have settings. The thread puts it in the place of the default one, and closes it.
    """
    shared = connections[DEFAULT_DB_ALIAS]
    direct = django_settings.DATABASE_DIRECT or {}
    settings = deepcopy(shared.settings_dict) | direct
    settings["OPTIONS"] = {
        **shared.settings_dict["OPTIONS"],
        **direct.get("OPTIONS", {}),
        **options.get(shared.vendor, {}),
    }
    settings["OPTIONS"].pop("pool", None)
    return type(shared)(settings, DEFAULT_DB_ALIAS)


def release_connection() -> None:
    """Give this thread's database connection back to the pool, before it waits for anything else.

    A process has many more threads than connections, and each query asks for one anew.
    """
    if not connection.in_atomic_block:
        connection.close()

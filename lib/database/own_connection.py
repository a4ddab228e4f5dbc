"""A database connection of one thread alone, outside the pool."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
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

    The thread puts it in the place of the default one, and closes it.
    """
    shared = connections[DEFAULT_DB_ALIAS]
    settings = deepcopy(shared.settings_dict)
    settings["OPTIONS"].pop("pool", None)
    settings["OPTIONS"] |= options.get(shared.vendor, {})
    return type(shared)(settings, DEFAULT_DB_ALIAS)

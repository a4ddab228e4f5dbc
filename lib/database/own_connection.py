"""A database connection of one thread alone, outside the pool and past a pooler.

It is a session of its own: it may listen, hold a lock and have settings.
"""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from django.conf import settings as django_settings
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
    direct = django_settings.DATABASE_DIRECT or {}
    settings = deepcopy(shared.settings_dict) | direct
    settings["OPTIONS"] = {
        **shared.settings_dict["OPTIONS"],
        **direct.get("OPTIONS", {}),
        **options.get(shared.vendor, {}),
    }
    settings["OPTIONS"].pop("pool", None)
    return type(shared)(settings, DEFAULT_DB_ALIAS)

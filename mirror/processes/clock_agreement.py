"""Keeps a machine whose clock is wrong from working beside others.

Leases and due times are written by one machine and judged by another: to a clock that is minutes
ahead, whatever the others are doing is free again. A database elsewhere is the clock that all
machines have in common; one on this machine has the same clock.
"""

import logging
import time

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, close_old_connections, connections

from mirror.health.clocks import is_too_far, seconds_apart

logger = logging.getLogger(__name__)

LOOK_EVERY = 2.0  # seconds
HERE = ("", "localhost", "127.0.0.1", "::1")


def is_clock_wrong() -> bool:
    """One query, where the database is on another machine."""
    return is_database_elsewhere() and is_too_far(seconds_apart())


def is_database_elsewhere() -> bool:
    server = settings.DATABASE_DIRECT or connections[DEFAULT_DB_ALIAS].settings_dict
    host = str(server.get("HOST") or "")
    return host not in HERE and not host.startswith("/")


def wait_until_clock_is_right() -> None:
    """A worker takes nothing before that; without a database it would have nothing to take."""
    while True:
        try:
            if not is_clock_wrong():
                return
            logger.error("The clock of this machine is wrong: waiting until it is set.")
        except Error as error:
            logger.warning("The clock cannot be compared: %s", type(error).__name__)
        finally:
            close_old_connections()
        time.sleep(LOOK_EVERY)

"""What holds for every test: no network but loopback, and the system's Chromium."""

import gc
import io
import logging.config
import os
import socket
from functools import partial
from typing import Any

import pytest
from django.core.cache import caches
from django.core.cache.backends.db import DatabaseCache
from django.core.servers.basehttp import WSGIRequestHandler
from django.db import connection
from django.test import TransactionTestCase
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from bin.servers import find_browser
from config.monitoring.logs import logging_for
from lib.processes import short_cache
from mirror.processes import heartbeat
from tests import migrated

# the cast, the open screens, the order of a run
pytest_plugins = ["restaurants.testing", "live.testing", "tests.blocks"]

# In place of 700: in thousands of requests that is a search every few milliseconds.
MANY_OBJECTS = 50_000
WITH_A_DATABASE = {"db", "transactional_db", "live_server", "django_db_setup"}

# The live server sends the headers of an answer, and then its body, which would wait 40 ms for the
# browser to confirm them: half a second of the ninety files of a page.
WSGIRequestHandler.disable_nagle_algorithm = True

# No test depends on the clock, and its limit of 200 ms for an example does.
hypothesis_settings.register_profile("without the clock", deadline=None)
hypothesis_settings.load_profile("without the clock")

real_connect = socket.socket.connect


def connect_to_loopback_only(self: socket.socket, address: Any) -> None:
    host = address[0] if isinstance(address, tuple) else ""
    if host and host != "localhost" and not host.startswith("127.") and host != "::1":
        raise AssertionError(f"A test tried to reach {host}; tests talk to this machine only.")
    real_connect(self, address)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if not may_differ(item):
            item.add_marker(pytest.mark.once)


def pytest_collectstart() -> None:
    """Nearly all that is read from here on stays: no search for garbage goes through it."""
    gc.disable()


def pytest_collection_finish() -> None:
    """References that are counted free most of what a test leaves, so the search is rare too."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(MANY_OBJECTS)
    gc.enable()


def may_differ(item: pytest.Item) -> bool:
    """Whether another database may change what is tested. The sandbox always has its own, and a
    whole installation has the one of the flavour.
    """
    if "/sandbox/tests/" in item.path.as_posix():
        return False
    asks_a_database = WITH_A_DATABASE.intersection(getattr(item, "fixturenames", ()))
    marks = {mark.name for mark in item.iter_markers()}
    return bool(asks_a_database or marks & {"django_db", "faults", "skipif"})


@pytest.fixture(scope="session")
def django_db_setup(django_test_environment, django_db_modify_db_settings, django_db_blocker):
    """A copy of the migrated database, in place of the plugin's migration in every process."""
    own_name = connection.settings_dict["NAME"]
    with django_db_blocker.unblock():
        migrated.copy_for_tests()
        rows = migrated.seed()
    with pytest.MonkeyPatch.context() as patch:
        again = partial(migrated.begin_again, rows)
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: again())
        yield
    with django_db_blocker.unblock():
        connection.creation.destroy_test_db(own_name, verbosity=0)


@pytest.fixture(autouse=True, scope="session")
def _no_network():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", connect_to_loopback_only)
        yield


@pytest.fixture(autouse=True)
def _english():
    """A request in another language leaves it active on the thread, for the next test too."""
    with translation.override("en"):
        yield


@pytest.fixture(autouse=True)
def _fresh_cache():
    """Redis forgets nothing by itself; a cache in the database goes with the test's transaction."""
    if not isinstance(caches["default"], DatabaseCache):
        caches["default"].clear()


@pytest.fixture(autouse=True)
def _nothing_configured():
    """No page runs a query more or less by chance, because a process read a setting before."""
    for cache in short_cache.every:
        cache.assume_usual()


@pytest.fixture(autouse=True)
def _no_heartbeats():
    """The process has written some within seconds, into the database of another test."""
    heartbeat.start_anew()


@pytest.fixture
def log_lines(settings):
    """Log as production does, into a stream that the test can read."""
    stream = io.StringIO()
    production = logging_for(json=True, level="DEBUG")
    production["handlers"]["console"]["stream"] = stream
    logging.config.dictConfig(production)
    yield stream.getvalue
    logging.config.dictConfig(settings.LOGGING)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    sandbox = ["--no-sandbox"] if os.geteuid() == 0 else []
    return {**browser_type_launch_args, "executable_path": find_browser(), "args": sandbox}


@pytest.fixture(scope="session")
def base_url() -> str:
    """The plugin's own is written in a way that pytest 9 warns about, and warnings are errors."""
    return ""

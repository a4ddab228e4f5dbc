"""Lines and screens for the tests of every app."""

import threading
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from live import latency
from live.announcements import scope_of
from live.hub import Hub, Stream
from live.models import Announcement, LatencySample
from live.views import hub
from restaurants.models import Restaurant


def make_line(restaurant: Restaurant, **fields: Any) -> Announcement:
    """An unsaved announcement about a reservation of the restaurant."""
    defaults = {
        "kind": "reservation",
        "uuid": uuid4(),
        "version": 1,
        "group_id": restaurant.group_id,
        "restaurant_id": restaurant.pk,
    }
    return Announcement(**{**defaults, **fields})


def begin_way(line: Announcement, **instants: Any) -> LatencySample:
    latency.begin([latency.sample_of(line, **instants)])
    return LatencySample.objects.get(kind=line.kind, uuid=line.uuid, version=line.version)


def make_screen(user: Any, *, session_key: str = "a-browser") -> Stream:
    return Stream(scope=scope_of(user), session_key=session_key, user_id=user.pk)


@pytest.fixture(scope="session")
def _poller(django_db_setup: None) -> Iterator[None]:
    """The thread may outlive a test by a second, but not the database."""
    yield
    for thread in threading.enumerate():
        if thread.name == "live-poller":
            thread.join()


@pytest.fixture
def web(transactional_db: None, _poller: None) -> Iterator[Hub]:
    """The hub of this process, which no screen of this test outlives."""
    yield hub
    hub.end_all()


@pytest.fixture(autouse=True)
def _no_screen_is_left(request: pytest.FixtureRequest) -> None:
    """Every page that a browser opens has a stream, whatever its test is about."""
    if "live_server" in request.fixturenames:
        request.getfixturevalue("web")

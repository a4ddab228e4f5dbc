"""An index is made and dropped beside the writes, and an interrupted attempt is no obstacle."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.state import ProjectState
from django.test.utils import CaptureQueriesContext

from lib.database.online_index import AddIndexOnline, RemoveIndexOnline

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "group_tried_online"
STEP = AddIndexOnline("group", models.Index(fields=["name"], name=NAME))


@pytest.fixture
def state():
    yield ProjectState.from_apps(apps)
    migrate(ProjectState.from_apps(apps), back=True)


def migrate(state, *, step=STEP, back=False):
    after = state.clone()
    step.state_forwards("restaurants", after)
    with connection.schema_editor(atomic=False) as editor:
        if back:
            step.database_backwards("restaurants", editor, after, state)
        else:
            step.database_forwards("restaurants", editor, state, after)
    return after


def indexes():
    with connection.cursor() as cursor:
        table = "restaurants_group"
        return connection.introspection.get_constraints(cursor, table)


def is_online(queries):
    """Whether the last statement holds off no write; on SQLite none can."""
    statement = queries[-1]["sql"]
    return ("CONCURRENTLY" in statement) == (connection.vendor == "postgresql")


def test_it_works(state):
    with CaptureQueriesContext(connection) as queries:
        migrate(state)

    assert indexes()[NAME]["columns"] == ["name"]
    assert is_online(queries)


def test_it_is_dropped_and_made_again(state):
    remove = RemoveIndexOnline("group", NAME)
    after = migrate(state)
    with CaptureQueriesContext(connection) as queries:
        migrate(after, step=remove)
    assert NAME not in indexes()
    assert is_online(queries)

    with CaptureQueriesContext(connection) as queries:
        migrate(after, step=remove, back=True)
    assert indexes()[NAME]["columns"] == ["name"]
    assert is_online(queries)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite leaves nothing behind")
def test_it_makes_anew_what_an_interrupted_attempt_left(state):
    migrate(state)

    migrate(state)

    assert NAME in indexes()

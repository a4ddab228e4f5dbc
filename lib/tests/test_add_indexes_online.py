"""An index is made beside the writes, and what an interrupted attempt left is no obstacle."""

import pytest
from django.apps import apps
from django.db import connection, models
from django.db.migrations.state import ProjectState
from django.test.utils import CaptureQueriesContext

from lib.database.online_index import AddIndexOnline

pytestmark = pytest.mark.django_db(transaction=True)

NAME = "group_tried_online"
STEP = AddIndexOnline("group", models.Index(fields=["name"], name=NAME))


@pytest.fixture
def state():
    yield ProjectState.from_apps(apps)
    migrate(ProjectState.from_apps(apps), back=True)


def migrate(state, *, back=False):
    after = state.clone()
    STEP.state_forwards("restaurants", after)
    with connection.schema_editor(atomic=False) as editor:
        if back:
            STEP.database_backwards("restaurants", editor, after, state)
        else:
            STEP.database_forwards("restaurants", editor, state, after)


def indexes():
    with connection.cursor() as cursor:
        table = "restaurants_group"
        return connection.introspection.get_constraints(cursor, table)


def test_it_works(state):
    with CaptureQueriesContext(connection) as queries:
        migrate(state)

    assert indexes()[NAME]["columns"] == ["name"]
    statement = queries[-1]["sql"]
    assert ("CONCURRENTLY" in statement) == (connection.vendor == "postgresql")


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite leaves nothing behind")
def test_it_makes_anew_what_an_interrupted_attempt_left(state):
    migrate(state)

    migrate(state)

    assert NAME in indexes()

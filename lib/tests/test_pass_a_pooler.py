"""Behind a pooler in transaction mode: what needs a session has its own, the rest needs none."""

from contextlib import closing

import pytest
from django.db import connection

from lib.database import postgres
from lib.database.own_connection import own_connection

DIRECT = {
    "ENGINE": "django.db.backends.postgresql",
    "HOST": "db1",
    "PORT": 5432,
    "NAME": "couvert",
    "USER": "couvert",
    "PASSWORD": "secret",
    "OPTIONS": {"sslmode": "require"},
}
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL")


def test_a_session_of_its_own_is_past_the_pooler(settings):
    settings.DATABASE_DIRECT = DIRECT
    shared = connection.settings_dict["OPTIONS"]

    own = own_connection(**{connection.vendor: {"application_name": "live"}}).settings_dict

    assert (own["HOST"], own["PORT"], own["NAME"]) == ("db1", 5432, "couvert")
    kept = {name: value for name, value in shared.items() if name != "pool"}
    assert own["OPTIONS"] == {**kept, "sslmode": "require", "application_name": "live"}


def test_without_one_it_is_the_same_database(settings):
    settings.DATABASE_DIRECT = None

    assert own_connection().settings_dict["NAME"] == connection.settings_dict["NAME"]


@on_postgresql
@pytest.mark.django_db
@pytest.mark.parametrize(("direct", "plans"), [(None, 1), (DIRECT, 0)])
def test_plans_stay_in_a_session_only_where_there_is_one(settings, direct, plans):
    with closing(own_connection()) as own:
        settings.DATABASE_DIRECT = direct
        own.ensure_connection()

        assert plans_after_two_queries(own) == plans


def plans_after_two_queries(own):
    with own.cursor() as cursor:
        postgres.keep_plans(cursor, connection=own)
        cursor.execute("SELECT %s::int", [1])
        cursor.execute("SELECT %s::int", [2])
        kept = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'SELECT $1::int'"
        cursor.execute(kept)
        return cursor.fetchone()[0]

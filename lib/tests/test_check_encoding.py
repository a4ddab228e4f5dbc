"""A database that would refuse some texts is named before anything is read into it."""

from contextlib import closing

import pytest
from django.core.checks import run_checks
from django.db import connection

from lib.database.encoding import warnings_of
from lib.database.own_connection import own_connection

pytestmark = pytest.mark.django_db
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="of PostgreSQL")


def test_a_database_of_ours_keeps_every_character():
    assert run_checks(databases=["default"]) == []


@on_postgresql
def test_one_without_an_encoding_is_named():
    name = f"{connection.settings_dict['NAME']}_ascii"
    with closing(own_connection()) as own, own.cursor() as cursor:
        cursor.execute(f"CREATE DATABASE {name} ENCODING SQL_ASCII LOCALE 'C' TEMPLATE template0")
        try:
            assert faults_of(name) == ["lib.W002"]
        finally:
            cursor.execute(f"DROP DATABASE {name}")


def faults_of(name):
    with closing(own_connection()) as other:
        other.settings_dict["NAME"] = name
        return [found.id for found in warnings_of(other)]

"""A process that never repeats a long statement keeps few of them compiled."""

import pytest
from django.db import connection

from lib.database.sqlite import FEW_STATEMENTS, keep_few_statements


@pytest.mark.skipif(connection.vendor != "sqlite", reason="its driver keeps statements")
def test_connections_opened_afterwards_keep_few(monkeypatch):
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "cached_statements", 128)

    keep_few_statements()

    assert connection.get_connection_params()["cached_statements"] == FEW_STATEMENTS


@pytest.mark.skipif(connection.vendor == "sqlite", reason="other drivers have no such option")
def test_another_database_is_left_alone():
    keep_few_statements()

    assert "cached_statements" not in connection.settings_dict["OPTIONS"]

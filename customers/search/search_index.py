"""The search index of guests, created after a migration and maintained by the database.

PostgreSQL: a trigram index (`pg_trgm`) on `search_text`. SQLite: a full-text table of trigrams
(FTS5) that three triggers keep in step with the guests. Django recreates a SQLite table when a
column is altered, and the triggers are lost with the old one: `install` makes all of it anew.
"""

from typing import Any

from django.core.management import CommandError
from django.db import DatabaseError, connections, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils.translation import gettext as _

TRIGGERS = ("customers_search_insert", "customers_search_update", "customers_search_delete")
# FTS5 wants a whole number for each row. The guests' hidden one may change with a VACUUM.
SQLITE = (
    *(f"DROP TRIGGER IF EXISTS {name}" for name in TRIGGERS),
    "DROP TABLE IF EXISTS customers_found",
    "DROP TABLE IF EXISTS customers_trigram",
    "CREATE TABLE customers_found (id INTEGER PRIMARY KEY, "
    "uuid char(32) NOT NULL UNIQUE, group_id bigint NOT NULL)",
    "CREATE VIRTUAL TABLE customers_trigram USING fts5("
    "text, content='', tokenize='trigram case_sensitive 1')",
    "CREATE TRIGGER customers_search_insert AFTER INSERT ON customers_customer BEGIN "
    "INSERT INTO customers_found (uuid, group_id) VALUES (new.uuid, new.group_id); "
    "INSERT INTO customers_trigram (rowid, text) "
    "SELECT id, new.search_text FROM customers_found WHERE uuid = new.uuid; END",
    "CREATE TRIGGER customers_search_update "
    "AFTER UPDATE OF search_text, group_id ON customers_customer "
    "WHEN old.search_text <> new.search_text OR old.group_id <> new.group_id BEGIN "
    "INSERT INTO customers_trigram (customers_trigram, rowid, text) "
    "SELECT 'delete', id, old.search_text FROM customers_found WHERE uuid = old.uuid; "
    "UPDATE customers_found SET group_id = new.group_id WHERE uuid = new.uuid; "
    "INSERT INTO customers_trigram (rowid, text) "
    "SELECT id, new.search_text FROM customers_found WHERE uuid = new.uuid; END",
    "CREATE TRIGGER customers_search_delete AFTER DELETE ON customers_customer BEGIN "
    "INSERT INTO customers_trigram (customers_trigram, rowid, text) "
    "SELECT 'delete', id, old.search_text FROM customers_found WHERE uuid = old.uuid; "
    "DELETE FROM customers_found WHERE uuid = old.uuid; END",
    "INSERT INTO customers_found (uuid, group_id) "
    "SELECT uuid, group_id FROM customers_customer ORDER BY uuid",
    "INSERT INTO customers_trigram (rowid, text) SELECT f.id, c.search_text FROM customers_found f "
    "JOIN customers_customer c ON c.uuid = f.uuid",
)
# Searches matter more than writes here: without the list of pending entries they cost the same.
POSTGRESQL = (
    "CREATE INDEX IF NOT EXISTS customer_search ON customers_customer "
    "USING gin (search_text gin_trgm_ops) WITH (fastupdate = off)"
)


def install(*, using: str, **_signal: Any) -> None:
    """After every `migrate`: create what is missing. Repeating it changes nothing."""
    database = connections[using]
    if ("customers", "0002_search") not in MigrationRecorder(database).applied_migrations():
        return  # `migrate` of another app alone, or back to nothing: the guests have no table yet
    if database.vendor == "postgresql":
        require_trigrams(database)
        with database.cursor() as cursor:
            cursor.execute(POSTGRESQL)
        return
    with transaction.atomic(using=using), database.cursor() as cursor:
        cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        if set(TRIGGERS) <= {name for (name,) in cursor.fetchall()}:
            return
        # Without them rows may have changed: what was found by them begins again.
        for statement in SQLITE:
            cursor.execute(statement)


def require_trigrams(connection: Any) -> None:
    """Enable the extension, a trusted one: owning the database is enough."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'")
        if cursor.fetchone():
            return
    try:
        with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
            cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_trgm")
    except DatabaseError as error:
        raise CommandError(
            _(
                "Guests are searched with PostgreSQL's extension pg_trgm, and this database role "
                "may not switch it on. Let the owner of the database run: "
                "CREATE EXTENSION pg_trgm; and migrate again."
            )
        ) from error

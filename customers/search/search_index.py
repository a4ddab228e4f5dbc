"""The search index of guests, created by a migration and maintained by the database.

PostgreSQL: a trigram index (`pg_trgm`) on `search_text`. SQLite: a full-text table of trigrams
(FTS5) that three triggers keep in step with the guests. Django recreates a SQLite table when a
column is altered, and the triggers are lost with the old one: a migration that alters the guests'
table calls `install` again at its end (a test checks that they exist).
"""

from typing import Any

from django.core.management import CommandError
from django.db import DatabaseError, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.utils.translation import gettext as _

TRIGGERS = ("customers_search_insert", "customers_search_update", "customers_search_delete")
# FTS5 wants a whole number for each row. The guests' hidden one may change with a VACUUM.
SQLITE = (
    "CREATE TABLE IF NOT EXISTS customers_found (id INTEGER PRIMARY KEY, "
    "uuid char(32) NOT NULL UNIQUE, group_id bigint NOT NULL)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS customers_trigram USING fts5("
    "text, content='', tokenize='trigram case_sensitive 1')",
    "CREATE TRIGGER IF NOT EXISTS customers_search_insert AFTER INSERT ON customers_customer BEGIN "
    "INSERT INTO customers_found (uuid, group_id) VALUES (new.uuid, new.group_id); "
    "INSERT INTO customers_trigram (rowid, text) "
    "SELECT id, new.search_text FROM customers_found WHERE uuid = new.uuid; END",
    "CREATE TRIGGER IF NOT EXISTS customers_search_update "
    "AFTER UPDATE OF search_text, group_id ON customers_customer "
    "WHEN old.search_text <> new.search_text OR old.group_id <> new.group_id BEGIN "
    "INSERT INTO customers_trigram (customers_trigram, rowid, text) "
    "SELECT 'delete', id, old.search_text FROM customers_found WHERE uuid = old.uuid; "
    "UPDATE customers_found SET group_id = new.group_id WHERE uuid = new.uuid; "
    "INSERT INTO customers_trigram (rowid, text) "
    "SELECT id, new.search_text FROM customers_found WHERE uuid = new.uuid; END",
    "CREATE TRIGGER IF NOT EXISTS customers_search_delete AFTER DELETE ON customers_customer BEGIN "
    "INSERT INTO customers_trigram (customers_trigram, rowid, text) "
    "SELECT 'delete', id, old.search_text FROM customers_found WHERE uuid = old.uuid; "
    "DELETE FROM customers_found WHERE uuid = old.uuid; END",
)
SQLITE_ROWS = (
    "INSERT INTO customers_found (uuid, group_id) SELECT uuid, group_id FROM customers_customer "
    "WHERE uuid NOT IN (SELECT uuid FROM customers_found) ORDER BY uuid",
    "INSERT INTO customers_trigram (rowid, text) SELECT f.id, c.search_text FROM customers_found f "
    "JOIN customers_customer c ON c.uuid = f.uuid",
)
# Searches matter more than writes here: without the list of pending entries they cost the same.
POSTGRESQL = (
    "CREATE INDEX IF NOT EXISTS customer_search ON customers_customer "
    "USING gin (search_text gin_trgm_ops) WITH (fastupdate = off)"
)


def install(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Create what is missing. Repeating it changes nothing."""
    if schema_editor.connection.vendor == "postgresql":
        require_trigrams(schema_editor.connection)
        schema_editor.execute(POSTGRESQL)
        return
    is_new = "customers_found" not in schema_editor.connection.introspection.table_names()
    for statement in (*SQLITE, *(SQLITE_ROWS if is_new else ())):
        schema_editor.execute(statement)


def remove(_apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX IF EXISTS customer_search")
        return
    for trigger in TRIGGERS:
        schema_editor.execute(f"DROP TRIGGER IF EXISTS {trigger}")
    schema_editor.execute("DROP TABLE IF EXISTS customers_trigram")
    schema_editor.execute("DROP TABLE IF EXISTS customers_found")


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

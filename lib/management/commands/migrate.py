"""`migrate`, which gives an empty database the newest tables at once, and runs alone.

Step by step it takes forty times as long: Django renders the models that are related to a changed
one again each time. Both ways make the same tables: tests/test_upgrade_old_databases.py.

Where several machines start at once, each may begin with it. On PostgreSQL the second waits for the
first, and then has nothing to do.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from django.core.management.commands import migrate
from django.db import DEFAULT_DB_ALIAS, connections

from lib.database.new_tables import make_new_tables
from lib.database.own_connection import own_connection

SPECIAL = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "prune")
LOCK = 20_261_128  # any number that nothing else locks


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        database = connections[options["database"]]
        is_whole = not any(options[name] for name in SPECIAL)
        with self._alone(database):
            if is_whole and not database.introspection.table_names():
                if options["verbosity"]:
                    self.stdout.write("Making the newest tables in an empty database.")
                make_new_tables(database)
            return super().handle(*args, **options)

    @contextmanager
    def _alone(self, database: Any) -> Iterator[None]:
        """Wait for a `migrate` of another process. A transaction holds the lock, also of a pooler;
        it holds no snapshot, for which an index that is made online would wait."""
        if database.vendor != "postgresql" or database.alias != DEFAULT_DB_ALIAS:
            yield
            return
        with closing(own_connection()) as own:
            own.set_autocommit(False)
            with own.cursor() as cursor:
                cursor.execute("SET LOCAL statement_timeout = 0")
                cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
                cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [LOCK])
                if not cursor.fetchone()[0]:
                    self.stdout.write("Waiting for another migrate of this database.")
                    cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
            yield

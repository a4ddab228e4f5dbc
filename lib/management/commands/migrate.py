"""`migrate`, which gives an empty database the newest tables at once.

Step by step it takes forty times as long: Django renders the models that are related to a changed
one again each time. Both ways make the same tables: tests/test_upgrade_old_databases.py.
"""

from typing import Any

from django.core.management.commands import migrate
from django.db import connections

from lib.database.new_tables import make_new_tables

SPECIAL = ("app_label", "plan", "check_unapplied", "fake", "fake_initial", "prune")


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        database = connections[options["database"]]
        is_whole = not any(options[name] for name in SPECIAL)
        if is_whole and not database.introspection.table_names():
            if options["verbosity"]:
                self.stdout.write("Making the newest tables in an empty database.")
            make_new_tables(database)
        return super().handle(*args, **options)

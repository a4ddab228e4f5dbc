"""Refuse migrations that break the code before them; a part of `make check`."""

import sys
from typing import Any

from django.core.management.base import BaseCommand
from django.db.migrations import Migration
from django.db.migrations.loader import MigrationLoader

from lib.database.migration_rule import PAST, faults, has_reason, is_past


class Command(BaseCommand):
    help = "Exit with 1 if a new migration breaks the version before it without giving a reason."
    requires_system_checks: list[str] = []

    def handle(self, **_options: Any) -> None:
        loader = MigrationLoader(None)
        lines = [line for one in self._new(loader) for line in self._lines(loader, one)]
        for line in lines:
            self.stderr.write(line)
        if lines:
            self.stderr.write("The rule, and how to give a reason: lib/database/migration_rule.py")
            sys.exit(1)

    @staticmethod
    def _new(loader: MigrationLoader) -> list[Migration]:
        ours = [one for one in loader.disk_migrations.values() if one.app_label in PAST]
        return [one for one in ours if not is_past(one) and not has_reason(one)]

    @staticmethod
    def _lines(loader: MigrationLoader, one: Migration) -> list[str]:
        before = loader.project_state((one.app_label, one.name), at_end=False)
        return [f"{one.app_label}.{one.name}: {fault}" for fault in faults(one, before=before)]

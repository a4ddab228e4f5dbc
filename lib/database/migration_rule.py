"""Expand, then contract: a migration must leave the code before it working.

While nodes are upgraded one after the other, and after a step back, the code of the version before
runs on the new tables. So a column is added with a default of the database or empty, and goes away
one version after the code stopped using it. A migration that does otherwise gives its reason in one
line of its file:

    # Unused since: 1.4, commit 0123abc
    # Safe because: the table is empty until a group switches the forecast on
"""

import inspect
import re
from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

REASON = re.compile(
    r"^\s*# (?:Unused since: (?:\d+\.\d+|commit [0-9a-f]{7,40}\b).*|Safe because: .{15,})$", re.M
)
# Migrations up to these were written before the rule, and no code before them runs any more.
PAST = {
    "accounts": 12,
    "customers": 12,
    "insights": 9,
    "live": 4,
    "mirror": 11,
    "outbox": 6,
    "partner": 6,
    "phone": 2,
    "pos": 1,
    "reservations": 13,
    "restaurants": 13,
    "reviews": 10,
    "webhooks": 3,
}
TAKES_AWAY: dict[type[Operation], str] = {
    operations.RemoveField: "removes a column",
    operations.DeleteModel: "removes a table",
    operations.RenameField: "renames a column",
    operations.RenameModel: "renames a table",
    operations.AlterModelTable: "renames a table",
    operations.AddConstraint: "refuses rows that the code before writes",
    operations.AlterUniqueTogether: "refuses rows that the code before writes",
    operations.RunSQL: "executes SQL that nobody checks",
}


def is_past(migration: Migration) -> bool:
    return int(migration.name[:4]) <= PAST.get(migration.app_label, 0)


def has_reason(migration: Migration) -> bool:
    return bool(REASON.search(inspect.getsource(inspect.getmodule(type(migration)))))  # type: ignore[arg-type]  # a migration has a module


def faults(migration: Migration, *, before: ProjectState) -> list[str]:
    """What the code before this migration cannot live with."""
    state, found = before.clone(), list[str]()
    made: set[str] = set()
    for operation in _of_database(migration.operations):
        if isinstance(operation, operations.CreateModel):
            made.add(operation.name_lower)
        elif getattr(operation, "model_name_lower", None) not in made:
            problem = _problem(operation, app=migration.app_label, state=state)
            found += [f"{operation.describe()}: {problem}"] if problem else []
        operation.state_forwards(migration.app_label, state)
    return found


def _of_database(steps: Iterable[Operation]) -> Iterator[Operation]:
    for step in steps:
        if isinstance(step, operations.SeparateDatabaseAndState):
            yield from _of_database(step.database_operations)
        else:
            yield step


def _problem(operation: Operation, *, app: str, state: ProjectState) -> str:
    if isinstance(operation, operations.AddField):
        return _of_added(operation.field)
    if isinstance(operation, operations.AlterField):
        old = state.models[app, operation.model_name_lower].fields[operation.name]
        return _of_changed(old, operation.field)
    return TAKES_AWAY.get(type(operation), "")


def _of_added(field: "models.Field[Any, Any]") -> str:
    if field.many_to_many or field.null or field.has_db_default():
        return ""
    return "a column that the code before does not fill needs null or db_default"


def _of_changed(old: "models.Field[Any, Any]", new: "models.Field[Any, Any]") -> str:
    lost_default = old.has_db_default() and not new.has_db_default() and not new.null
    reasons = {
        "the code before may still write NULL": old.null and not new.null,
        "the code before may not fill the column": lost_default,
        "the column gets another type": old.get_internal_type() != new.get_internal_type(),
        "the column gets another name": old.db_column != new.db_column,
        "refuses rows that the code before writes": new.unique and not old.unique,
        "the code before may write longer text": (new.max_length or 0) < (old.max_length or 0),
    }
    return next((reason for reason, applies in reasons.items() if applies), "")

"""A migration leaves the code before it working, or says in one line why it need not."""

import pytest
from django.core.management import call_command
from django.db import models
from django.db.migrations import Migration, operations
from django.db.migrations.state import ModelState, ProjectState
from django.db.models.functions import Now

from lib.database.migration_rule import REASON, faults

NAME = models.CharField(max_length=40)
NOTE = models.TextField(null=True)  # noqa: DJ001  # the example of a column that may be empty


def faults_of(*steps):
    before = ProjectState()
    before.add_model(
        ModelState(
            "shop",
            "Order",
            [("id", models.BigAutoField(primary_key=True)), ("name", NAME), ("note", NOTE)],
        )
    )
    migration = type("Migration", (Migration,), {"operations": steps})("0002_next", "shop")
    return faults(migration, before=before)


def add(field):
    return operations.AddField("order", "more", field)


def alter(name, field):
    return operations.AlterField("order", name, field)


def test_it_works():
    call_command("check_migrations")


@pytest.mark.parametrize(
    "step",
    [
        add(models.IntegerField(null=True)),
        add(models.IntegerField(default=0, db_default=0)),
        add(models.DateTimeField(db_default=Now())),
        add(models.ManyToManyField("shop.Order")),
        alter("name", models.CharField(max_length=80)),
        alter("name", models.CharField(max_length=40, null=True)),
        operations.AddIndex("order", models.Index(fields=["name"], name="by_name")),
        operations.RunPython(operations.RunPython.noop),
        operations.SeparateDatabaseAndState(
            state_operations=[operations.RemoveField("order", "note")]
        ),
    ],
    ids=lambda step: step.describe(),
)
def test_what_expands_passes(step):
    assert faults_of(step) == []


@pytest.mark.parametrize(
    "step",
    [
        add(models.IntegerField(default=0)),
        operations.RemoveField("order", "note"),
        operations.DeleteModel("Order"),
        operations.RenameField("order", "note", "text"),
        operations.RenameModel("Order", "Purchase"),
        operations.AlterModelTable("order", "purchases"),
        operations.RunSQL("DROP TABLE shop_order"),
        operations.AddConstraint(
            "order", models.UniqueConstraint(fields=["name"], name="one_of_a_name")
        ),
        alter("note", models.TextField()),
        alter("name", models.CharField(max_length=20)),
        alter("name", models.CharField(max_length=40, unique=True)),
        alter("name", models.IntegerField()),
        alter("name", models.CharField(max_length=40, db_column="title")),
        operations.SeparateDatabaseAndState([operations.RemoveField("order", "note")]),
    ],
    ids=lambda step: step.describe(),
)
def test_what_the_code_before_cannot_live_with_is_refused(step):
    assert len(faults_of(step)) == 1


def test_a_table_of_the_same_migration_is_nobody_elses():
    made = operations.CreateModel("Line", [("id", models.BigAutoField(primary_key=True))])
    field = operations.AddField("line", "amount", models.IntegerField(default=0))

    assert faults_of(made, field) == []


@pytest.mark.parametrize(
    ("line", "is_reason"),
    [
        ("# Unused since: 1.4, commit 0123abc", True),
        ("# Unused since: commit 0123abc", True),
        ("    # Safe because: the table is empty until a group asks for it", True),
        ("# Unused since: long ago", False),
        ("# Safe because: it is", False),
        ("# it is safe", False),
    ],
)
def test_a_reason_is_one_line(line, is_reason):
    assert bool(REASON.search(f"from django.db import migrations\n{line}\n")) is is_reason

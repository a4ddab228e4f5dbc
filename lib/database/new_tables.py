"""The newest tables in an empty database, with every migration on record as applied.

What a database has beside the tables of models is made after `migrate` (`post_migrate`), whichever
way the tables came.
"""

from typing import Any

from django.apps import apps
from django.db import models
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder


def make_new_tables(database: Any) -> None:
    """All or none: what is interrupted leaves an empty database."""
    recorded = MigrationRecorder.Migration
    all_models: list[type[models.Model]] = [recorded, *apps.get_models()]
    with database.schema_editor(atomic=True) as editor:
        for model in all_models:
            if model._meta.can_migrate(database):
                editor.create_model(model)
        recorded.objects.using(database.alias).bulk_create(
            recorded(app=app, name=name) for app, name in MigrationLoader(None).disk_migrations
        )

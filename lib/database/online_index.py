"""Indexes of large tables, made and dropped while everybody goes on writing.

PostgreSQL's `CREATE INDEX` holds off every write until it is done: half a minute for twenty million
rows. `CONCURRENTLY` it reads the table twice instead and holds off nobody, outside any transaction:
a migration with such a step has `atomic = False`, and no other step.
"""

from typing import Any

from django.db.migrations.operations import AddIndex, RemoveIndex


class AddIndexOnline(AddIndex):
    """On SQLite, which locks all of the database for any write, as ever."""

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            # What an interrupted attempt has left is not used by any query, but has the name.
            schema_editor.remove_index(model, self.index, concurrently=True)
            schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            schema_editor.remove_index(model, self.index, concurrently=True)


class RemoveIndexOnline(RemoveIndex):
    """Its opposite, in the same way."""

    atomic = False

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        step = self._opposite(app_label, from_state)
        step.database_backwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any
    ) -> None:
        step = self._opposite(app_label, to_state)
        step.database_forwards(app_label, schema_editor, from_state, to_state)

    def _opposite(self, app_label: str, state: Any) -> AddIndexOnline:
        """Make what is dropped here, as it stands in the state that has it."""
        model = state.models[app_label, self.model_name_lower]
        return AddIndexOnline(self.model_name, model.get_index_by_name(self.name))

"""Entries of the audit trail as labelled values for people."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from auditlog.models import LogEntry
from django.core.exceptions import FieldDoesNotExist
from django.db.models import DateTimeField, Model
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise

from accounts import audit
from lib.dates import date_format
from lib.labels import Labels, label_of, readable, yes_no
from restaurants.audit_trail import words

# What auditlog stores for values that are no text.
STORED = {"True": True, "False": False}
NO_VALUE = frozenset({"None", ""})
NOTHING = "–"
Names = dict[type[Model], dict[str, str]]  # of the rows that entries point to, by their keys


class AuditLine(NamedTuple):
    """One entry as the page shows it."""

    entry: LogEntry
    done: str
    target: str
    details: list[tuple[str, str]]
    differences: list["AuditDifference"]

    @property
    def is_new(self) -> bool:
        """Whether a row was created: nothing stood there before."""
        return bool(self.entry.action == LogEntry.Action.CREATE)


class AuditDifference(NamedTuple):
    label: str
    before: str
    after: str


class ChangedColumn(NamedTuple):
    """A field, and what auditlog stored of it before and after."""

    field: Any
    before: str
    after: str


def lines_of(entries: Sequence[LogEntry]) -> list[AuditLine]:
    """One query for each model that the entries point to, if their content types are selected."""
    changes = {entry.pk: changed_columns(entry) for entry in entries}
    names = names_in(column for columns in changes.values() for column in columns)
    return [
        AuditLine(
            entry,
            done(entry),
            target(entry),
            details(entry),
            [_difference(column, names) for column in changes[entry.pk]],
        )
        for entry in entries
    ]


def changed_columns(entry: LogEntry) -> list[ChangedColumn]:
    """What an entry changed. Keys, unset values of a new row, and changed sets of rows say nothing
    to people; neither does a field that the model no longer has."""
    model = entry.content_type.model_class()
    stored = [(_column(model, name), pair) for name, pair in entry.changes_dict.items()]
    return [
        ChangedColumn(field, str(pair[0]), str(pair[1]))
        for field, pair in stored
        if isinstance(pair, list) and getattr(field, "concrete", False)
        if not field.primary_key and not {str(one) for one in pair} <= NO_VALUE
    ]


def names_in(columns: Any) -> Names:
    """The names of the rows that foreign keys point to. Rows that are gone have none."""
    keys: dict[type[Model], set[str]] = defaultdict(set)
    for column in columns:
        if column.field.is_relation:
            keys[column.field.related_model] |= {column.before, column.after} - NO_VALUE
    return {
        model: {str(pk): str(row) for pk, row in model._default_manager.in_bulk(found).items()}
        for model, found in keys.items()
    }


def details(entry: LogEntry) -> list[tuple[str, str]]:
    """What was noted beside the verb of an entry."""
    noted = dict(entry.additional_data or {})
    labels = labels_of(noted.pop("verb", ""))
    shown = {key: value for key, value in noted.items() if value not in ("", None)}
    return [(words.key_label(key), _noted(value, labels)) for key, value in shown.items()]


def done(entry: LogEntry) -> str:
    """What was done: the verb, or what happened to a row."""
    verb = (entry.additional_data or {}).get("verb")
    return words.verb_label(verb) if verb else str(words.ACTIONS[entry.action])


def target(entry: LogEntry) -> str:
    return words.target_label(entry.content_type.model, entry.object_repr)


def labels_of(verb: str) -> Labels:
    return next((one.labels for one in audit.LABELS if one.verb == verb), {})


def field_label(field: Any) -> str:
    """Its verbose name, which Django makes of the column's where the model gives none."""
    if isinstance(field.verbose_name, Promise):
        return str(field.verbose_name)
    return str(words.FIELDS.get(field.name) or readable(field.name))


def _noted(value: Any, labels: Any) -> str:
    if isinstance(value, bool):
        return yes_no(value)
    return label_of(value, labels) if value in labels else str(value)


def _column(model: type[Model] | None, name: str) -> Any:
    """The field of a name; None for one that the model no longer has."""
    try:
        return model._meta.get_field(name) if model else None
    except FieldDoesNotExist:
        return None


def _difference(column: ChangedColumn, names: Names) -> AuditDifference:
    field, *pair = column
    before, after = (_value(stored, field, names) for stored in pair)
    return AuditDifference(field_label(field), before, after)


def _value(stored: str, field: Any, names: Names) -> str:
    if stored in NO_VALUE:
        return NOTHING
    if stored in STORED:
        return yes_no(STORED[stored])
    if field.is_relation:
        return names.get(field.related_model, {}).get(stored) or f"#{stored}"
    if isinstance(field, DateTimeField):
        return _moment(stored)
    choices = {str(value): str(word) for value, word in field.flatchoices}
    return choices.get(stored) or words.code_label(field, stored)


def _moment(stored: str) -> str:
    """A moment as auditlog stored it, in UTC without saying so, in the zone of the page."""
    moment: datetime | None = parse_datetime(stored)
    if moment is None:
        return stored
    aware = timezone.make_aware(moment, UTC) if timezone.is_naive(moment) else moment
    return date_format(timezone.localtime(aware), "SHORT_DATETIME_FORMAT")

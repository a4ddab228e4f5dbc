"""One entry of the audit trail as labelled values for people."""

from typing import Any, NamedTuple

from auditlog.models import LogEntry
from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.utils.encoding import force_str

from accounts import audit
from lib.labels import Labels, label_of, readable, yes_no
from restaurants.audit_trail import words

# What auditlog stores for values that are no text.
STORED = {"True": True, "False": False}
NOTHING = "–"


class AuditLine(NamedTuple):
    """One entry as the page shows it."""

    entry: LogEntry
    done: str
    target: str
    details: list[tuple[str, str]]
    differences: list["AuditDifference"]


class AuditDifference(NamedTuple):
    label: str
    before: str
    after: str


def line_of(entry: LogEntry) -> AuditLine:
    """Without queries, if the content type was selected with the entry."""
    return AuditLine(entry, done(entry), target(entry), details(entry), differences(entry))


def differences(entry: LogEntry) -> list[AuditDifference]:
    """What an entry changed, in the labels of the model; changed sets of rows are left out."""
    model = entry.content_type.model_class()
    found = [(_column(model, name), name, pair) for name, pair in entry.changes_dict.items()]
    return [
        _difference(column, name, pair)
        for column, name, pair in found
        if isinstance(pair, list) and getattr(column, "concrete", True)
    ]


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


def _difference(column: Any, name: str, pair: list[Any]) -> AuditDifference:
    label = force_str(getattr(column, "verbose_name", readable(name)))
    choices = {str(value): str(word) for value, word in getattr(column, "flatchoices", ())}
    before, after = (_value(stored, choices) for stored in pair)
    return AuditDifference(label, before, after)


def _value(stored: Any, choices: dict[str, str]) -> str:
    text = str(stored)
    if text in STORED:
        return yes_no(STORED[text])
    return NOTHING if text in ("None", "") else choices.get(text, text)

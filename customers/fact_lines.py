"""Renders stored JSON as lines for people: every key and word in our labels."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from django.db.models import Model
from django.utils.dateparse import parse_datetime

from customers.models import tag_label
from lib.dates import date_format
from lib.labels import INSIDE_CAMEL_CASE, Labels, label_of, language_label, value_label

Line = tuple[str, str]

TAGS = frozenset({"risk_level", "other_tags"})
LOCALES = frozenset({"locale", "language"})
NAMES_BY_LOCALE = "name"  # of an offer: locale → words
INSTANT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
DAY = re.compile(r"\d{4}-\d\d-\d\d")
NOTHING = "–"


def column_of(key: str) -> str:
    """Return a key of the service in our spelling: “mealStatus” is “meal_status”."""
    return INSIDE_CAMEL_CASE.sub("_", key).lower()


def verbose_names(model: type[Model]) -> dict[str, Any]:
    return {one.name: one.verbose_name for one in model._meta.fields}


@dataclass(frozen=True)
class FactLines:
    """The labels of one app's facts.

    `fields` are the labels of keys and `words` those of enum words, both with our keys.
    """

    fields: Labels = field(default_factory=dict)
    words: Mapping[str, Labels] = field(default_factory=dict)

    def of(self, value: Any, path: str = "", key: str = "") -> Iterator[Line]:
        if isinstance(value, dict):
            yield from self._of_object(value, path, key)
        elif isinstance(value, list) and not any(isinstance(one, dict | list) for one in value):
            yield path, ", ".join(self.word(key, one) for one in value) or NOTHING
        elif isinstance(value, list):
            for number, inside in enumerate(value, start=1):
                yield from self.of(inside, f"{path} {number}".strip(), key)
        else:
            yield path, self.word(key, value) or NOTHING

    def _of_object(self, value: dict[str, Any], path: str, key: str) -> Iterator[Line]:
        if pair := self._pair(value):
            yield f"{path} › {pair[0]}", pair[1]
            return
        for name, inside in value.items():
            label = language_label(name) if key == NAMES_BY_LOCALE else self.label(name)
            column = str(value["field"]) if name in ("from", "to") and "field" in value else name
            yield from self.of(inside, f"{path} › {label}" if path else label, column_of(column))

    def _pair(self, value: dict[str, Any]) -> Line | None:
        """A custom field or a mark of a campaign: one line, under the name that it brings."""
        if "label" in value and "value" in value:
            text = value_label(value["value"], kind=str(value.get("type")))
            return str(value["label"]), text or NOTHING
        if value.keys() == {"key", "value"}:
            return self.word("key", value["key"]), value_label(value["value"]) or NOTHING
        return None

    def label(self, key: str) -> str:
        text = label_of(column_of(key), self.fields)
        return text[:1].upper() + text[1:]

    def word(self, key: str, value: Any) -> str:
        """Return one value as text: a label, a language, a date, yes or no."""
        if not isinstance(value, str) or not value:
            return value_label(value)
        if key in self.words:
            return label_of(value, self.words[key])
        if key == "field":
            return self.label(value)
        if key in TAGS:
            return tag_label(value)
        return language_label(value) if key in LOCALES else _moment(value)


def _moment(text: str) -> str:
    """Return a date or an instant as people write it, and any other text as it is."""
    try:
        if DAY.fullmatch(text):
            return date_format(date.fromisoformat(text))
        instant = parse_datetime(text) if INSTANT.match(text) else None
    except ValueError:
        return text
    return date_format(instant, "DATETIME_FORMAT") if instant else text

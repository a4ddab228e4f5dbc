"""Whatever the code writes into the audit trail has words for people, in the language they read."""

import ast
from typing import Any

import pytest
from auditlog.registry import auditlog
from django.apps import apps
from django.conf import settings
from django.utils.functional import Promise

from customers.note_decisions import deciding
from insights.questions import QUESTIONS
from reservations.service_clock import NAMES
from restaurants.audit_trail.words import CODES, FIELDS, KEYS, MODELS, verb_label

pytestmark = pytest.mark.once
APPS = {one.name for one in apps.get_app_configs()}


def test_every_verb_in_the_code_has_a_label():
    found = set(verbs_in_the_code())

    assert len(found) > 30
    assert {verb for verb in found if verb_label(verb) == verb} == set()


def test_every_detail_in_the_code_has_a_label():
    assert keys_in_the_code() - KEYS.keys() == set()


def test_every_audited_model_has_a_label():
    names = {model._meta.model_name for model in auditlog.get_models()}

    assert names - MODELS.keys() == set()


def test_every_audited_field_has_a_label():
    fields = {
        (model._meta.model_name, field.name)
        for model in auditlog.get_models()
        for field in model._meta.concrete_fields
        if not isinstance(field.verbose_name, Promise) and not field.primary_key
        if field.name not in auditlog.get_model_fields(model)["exclude_fields"]
    }

    assert fields
    assert {name for _model, name in fields} - FIELDS.keys() == set()


def test_a_target_of_a_service_has_the_names_of_services():
    assert CODES["service"] == NAMES


def test_an_export_of_insights_names_its_question():
    assert verb_label("exported insights fullness") == "Exported insights – How full were we?"


def calls(name: str) -> list[tuple[str, Any]]:
    """Every call of a function of this name in the product, with its module."""
    return [
        (path, node)
        for path, tree in product_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name
    ]


def product_trees():
    for path in sorted(settings.BASE_DIR.glob("*/**/*.py")):
        parts = path.relative_to(settings.BASE_DIR).parts
        if parts[0] in APPS and "tests" not in parts and "migrations" not in parts:
            yield str(path), ast.parse(path.read_text())


def verbs_in_the_code():
    """The text of each `audit.record`, and what composes the others: exports, readings, marks."""
    yield from (*deciding.VERBS.values(), "marked a booking", "took a mark back")
    for _path, call in calls("record"):
        owner, first = getattr(call.func.value, "id", ""), [*call.args, None, None][1]
        if owner == "audit" and isinstance(first, ast.Constant):
            yield first.value
        elif owner == "exports" and isinstance(first, ast.Constant):
            yield f"exported {first.value!s}"
    yield from (f"exported insights {slug}" for slug in QUESTIONS)


def keys_in_the_code():
    """The keys of every dictionary that is written as, or named, details beside such a call."""
    paths = {path for path, call in calls("record") if call.func.value.id == "audit"}
    return {
        key.value
        for path, tree in product_trees()
        if path in paths
        for node in ast.walk(tree)
        for data in dictionaries(node)
        for key in data.keys
        if isinstance(key, ast.Constant)
    }


def dictionaries(node):
    if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "details":
        yield from (one for one in [node.value] if isinstance(one, ast.Dict))
    if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "record":
        given = [*node.args, *(one.value for one in node.keywords)]
        yield from (one for one in given if isinstance(one, ast.Dict))

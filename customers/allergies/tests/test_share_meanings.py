"""The word lists in memory: tens of thousands of phrases have a few hundred meanings."""

import ast
from collections.abc import Iterator
from pathlib import Path

from django.test import SimpleTestCase

from customers.allergies.lexicon import lexicon


class TestShareMeanings(SimpleTestCase):
    def test_it_works(self):
        phrases = lexicon().phrases

        assert len({id(entry) for entry in phrases.values()}) < len(phrases) / 50
        assert phrases["peanut",] is phrases["peanuts",]

    def test_different_meanings_stay_apart(self):
        phrases = lexicon().phrases

        assert phrases["peanut",] is not phrases["milk",]
        assert phrases["vegan",] is not phrases["vegetarian",]


class TestBuildWordLists(SimpleTestCase):
    """They take most of a second, which a command that reads no note need not wait for."""

    def test_no_module_asks_for_them_when_it_is_imported(self):
        modules = list(Path("customers/allergies").rglob("*.py"))

        early = [
            f"{path}:{call.lineno}"
            for path in modules
            for call in calls_on_import(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(call.func, ast.Name) and call.func.id in {"lexicon", "small_words"}
        ]

        assert len(modules) > 30
        assert early == []

    def test_the_check_sees_a_constant(self):
        source = "YES = small_words('affirms')\ndef later():\n    lexicon()\n"

        assert [call.lineno for call in calls_on_import(ast.parse(source))] == [1]


def calls_on_import(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Call):
        yield node
    is_later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
    for child in [] if is_later else ast.iter_child_nodes(node):
        yield from calls_on_import(child)

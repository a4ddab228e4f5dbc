"""Pages are read from top to bottom: no lazy property hides a query or depends on another."""

import ast
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
LAZY = {"cached_property"}
# What runs a query or calls the service when it stands in the property itself.
RUNS = re.compile(
    r"\.objects\b|\.filter\(|\.aggregate\(|\.exists\(\)|\.client\(|\b_ask\(|find\(self\)"
)
SAYS = re.compile(r"\bquer(y|ies)\b|\bcalls? (of )?the service\b", re.IGNORECASE)
STATE = re.compile(r"\bvars\(self\)|\bin self\.__dict__")

pytestmark = pytest.mark.once


def modules() -> Iterator[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "--", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    paths = (path for path in listed.stdout.split() if "tests/" not in path)
    return (ROOT / path for path in paths if (ROOT / path).exists())


def lazy_properties() -> Iterator[tuple[str, ast.FunctionDef]]:
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and LAZY & set(
                map(ast.unparse, node.decorator_list)
            ):
                yield f"{path.relative_to(ROOT)}: {node.name}", node


def without_docstring(node: ast.FunctionDef) -> str:
    body = node.body[1:] if ast.get_docstring(node) else node.body
    return "\n".join(map(ast.unparse, body))


def test_it_works():
    assert len(list(lazy_properties())) > 100


def test_a_lazy_property_that_reads_says_so():
    silent = [
        name
        for name, node in lazy_properties()
        if RUNS.search(without_docstring(node)) and not SAYS.search(ast.get_docstring(node) or "")
    ]
    assert silent == []


def test_nothing_depends_on_which_property_was_read_first():
    found = [str(path.relative_to(ROOT)) for path in modules() if STATE.search(path.read_text())]
    assert found == []

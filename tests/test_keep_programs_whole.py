"""Programs that tests and benchmarks hand to another process as text import what exists.

They run in whole installations only, so a module or a class that was renamed would be noticed late.
"""

import importlib
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
IMPORT = re.compile(r"(?:^|[\"';]\s*)from ([a-z_]+[.\w]*) import (\w+(?:, \w+)*)", re.M)

pytestmark = pytest.mark.once


def strings_of(path: Path) -> Iterator[str]:
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.STRING or "FSTRING" in tokenize.tok_name[token.type]:
                yield token.string


def imports() -> list[tuple[str, str, str]]:
    """The file, the module and the name of each import in a text."""
    return [
        (str(path.relative_to(ROOT)), module, name)
        for path in sorted(ROOT.glob("tests/**/*.py"))
        for text in strings_of(path)
        for module, names in IMPORT.findall(text)
        if (ROOT / module.split(".")[0]).is_dir()  # ours: a benchmark also tries other libraries
        for name in names.split(", ")
    ]


def is_there(module: str, name: str) -> bool:
    try:
        return hasattr(importlib.import_module(module), name) or bool(
            importlib.import_module(f"{module}.{name}")
        )
    except ModuleNotFoundError:
        return False


def test_it_works():
    assert ("live.models", "LatencySample") in {one[1:] for one in imports()}
    assert not is_there("live.models", "Hop")


def test_every_import_is_there():
    assert [one for one in imports() if not is_there(*one[1:])] == []

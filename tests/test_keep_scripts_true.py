"""Code in strings, run by other processes: no type checker reads it, so its names are tried."""

import ast
import re
import subprocess
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
IMPORTS = re.compile(r"^ *from ([\w.]+) import ([\w, ]+)$", re.M)


def texts(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = (p.value if isinstance(p, ast.Constant) else "0" for p in node.values)
            yield "".join(map(str, parts))


def scripts() -> Iterator[tuple[Path, str]]:
    command = ["git", "ls-files", "--", "tests/*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for path in map(ROOT.joinpath, listed.split()):
        for text in texts(ast.parse(path.read_text())):
            # A package that only a benchmark installs may be missing here.
            if IMPORTS.search(text) and "djstripe" not in text:
                yield path, text


def test_the_names_in_each_exist():
    found = list(scripts())

    assert found
    assert [(path.stem, name) for path, text in found for name in missing_in(text)] == []


def missing_in(text: str) -> list[str]:
    missing = []
    for module_name, names in IMPORTS.findall(text):
        for name, _as, alias in (one.strip().partition(" as ") for one in names.split(",")):
            found = imported(module_name, name)
            used = re.findall(rf"(?<![\w.]){alias or name}\.(\w+)", text)
            if found is None:
                missing.append(f"{module_name}.{name}")
            elif hasattr(found, "__path__") or hasattr(found, "__file__"):
                missing += [f"{name}.{one}" for one in used if not hasattr(found, one)]
    return missing


def imported(module_name: str, name: str) -> object | None:
    """The module or the name in it; None if there is neither."""
    try:
        module = import_module(module_name)
    except ModuleNotFoundError:
        return None
    if hasattr(module, "__path__") and find_spec(f"{module_name}.{name}"):
        return import_module(f"{module_name}.{name}")
    return getattr(module, name, None)

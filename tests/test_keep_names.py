"""Names: a class is named once in the repository, and the words of `BANNED` name nothing."""

import io
import re
import subprocess
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# Private words of earlier days. docs/glossary.md has the one word for each thing.
BANNED = frozenset(
    [
        "wish",
        "wishes",
        "wished",
        "said",
        "asked",
        "told",
        "hail",
        "elders",
        "strangers",
        "dossier",
        "slip",
        "bell",
        "tally",
        "heap",
        "pile",
        "lump",
        "refile",
        "misfiled",
        "holding",
        "holdings",
        "wall",
        "walls",
        "desk",
        "door",
        "doors",
        "sisters",
        "unclosed",
        "departures",
        "habits",
        "likeness",
        "hops",
        "house",
        "room",
    ]
)
# Where a banned word stays: as a part of what, and why.
EXCEPTIONS = {
    "in_house": "guests who are in the house: the restaurants' own word for those at table",
    "IN_HOUSE": "the same",
    "_heap": "an attribute of Celery's scheduler",
}


def files(*patterns: str) -> list[Path]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in listed.split() if "/migrations/" not in name]


@cache
def words_of(identifier: str) -> set[str]:
    return {part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", identifier)}


def python_names(path: Path) -> set[str]:
    """To take a file apart takes long, so it is done where a word of it is banned, code or not."""
    text = path.read_text()
    if not any(words_of(word) & BANNED for word in set(re.findall(r"\w+", text))):
        return set()
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}


def template_names(path: Path) -> set[str]:
    """Variables and files in tags, and the classes of elements."""
    text = path.read_text()
    tags = re.findall(r"\{[{%](.*?)[%}]\}", text, re.S)
    outside = (re.sub(r'"[^"]*"', "", tag) for tag in tags)
    return {*re.findall(r"\w+", " ".join(outside)), *re.findall(r'class="([^"{]*)"', text)}


def style_names(path: Path) -> set[str]:
    return set(
        re.findall(r"\.([a-z][\w-]*)", re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S))
    )


def script_names(path: Path) -> set[str]:
    """What stands in code: no comment, no text."""
    apart = r"/\*.*?\*/|//[^\n]*|\"[^\"\n]*\"|'[^'\n]*'|`[^`]*`"
    return set(re.findall(r"[A-Za-z_$][\w$]*", re.sub(apart, "", path.read_text(), flags=re.S)))


NAMES = {".py": python_names, ".html": template_names, ".css": style_names, ".js": script_names}


@cache
def found() -> dict[str, set[str]]:
    """Names with a banned word in them, and the files that have them."""
    named = defaultdict(set)
    for path in files(*(f"*{suffix}" for suffix in NAMES)):
        for name in NAMES[path.suffix](path) | {path.stem}:
            if words_of(name) & BANNED:
                named[name].add(str(path.relative_to(ROOT)))
    return dict(named)


def test_no_name_has_a_banned_word():
    left = {name: sorted(where) for name, where in found().items() if not is_exception(name)}
    assert left == {}


def is_exception(name: str) -> bool:
    return any(part in name for part in EXCEPTIONS)


@pytest.mark.parametrize("part", EXCEPTIONS)
def test_every_exception_is_needed(part):
    assert any(part in name for name in found())


def test_a_class_name_stands_once():
    """Tests have classes of their own, and every command is a Command."""
    defined = defaultdict(list)
    for path in files("*.py"):
        if "tests" not in path.relative_to(ROOT).parts[:-1]:
            for name in re.findall(r"^class (\w+)", path.read_text(), re.M):
                defined[name].append(str(path.relative_to(ROOT)))
    del defined["Command"]
    assert {name: where for name, where in defined.items() if len(where) > 1} == {}

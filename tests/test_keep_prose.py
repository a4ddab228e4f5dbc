"""Prose: docstrings, comments, docs and sentences on screen hold no banned word."""

import ast
import io
import re
import tokenize
from functools import cache
from pathlib import Path

import pytest

from tests.test_keep_names import BANNED, ROOT, files

# Where a banned word stays: the words around it, and why. At most 30 places in all.
EXCEPTIONS = {
    "in house": "guests at table: the restaurants' own word, on screens and for them",
    "no room for this booking": "what restaurants answer when all tables are taken",
    "next days with room": "the same",
    "there is room at this time": "the same",
    "a guest may have said": "a person speaks",
    "what it is asked for": "a sentence on screen, repeated in docs/operating.md",
    "what it was asked for": "the same",
    "being asked of the service": "the same",
    "*asked, not confirmed*": "the same, in docs/managing.md",
}
MOST_HITS = 30
# Sentences on screen quote people, who say, ask and tell.
SPOKEN = {"said", "asked", "told"}
PAGES = ("*.md", "locale/fr/*.po")
CODE = ("*.py", "*.css", "*.js", "*.html", "*.toml", "*.yaml", "*.template", "Makefile")
SCRIPTS = ("Procfile", "Dockerfile", ".env.example", "bin/setup", "bin/check", "bin/process")
# This guard and that of the names list the words.
GUARDS = {"tests/test_keep_prose.py", "tests/test_keep_names.py"}
# Words that guests write in their notes: data, not our prose.
DATA = ("customers/allergies/words/",)


def python_prose(text: str) -> str:
    """Comments and docstrings."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string for token in tokens if token.type == tokenize.COMMENT]
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, documented))
    return "\n".join([*comments, *filter(None, map(ast.get_docstring, nodes))])


def block_comments(text: str) -> str:
    return "\n".join(re.findall(r"/\*.*?\*/", text, re.S))


def script_comments(text: str) -> str:
    return "\n".join(re.findall(r"/\*.*?\*/|(?:^|\s)//[^\n]*", text, re.S))


def template_comments(text: str) -> str:
    found = re.findall(r"\{#.*?#\}|<!--.*?-->|\{% comment.*?endcomment %\}", text, re.S)
    return "\n".join(found)


def hash_comments(text: str) -> str:
    return "\n".join(re.findall(r"(?:^|\s)#[^\n]*", text))


def sentences_on_screen(text: str) -> str:
    found = re.findall(r'^msgid(?:_plural)? ((?:".*"\n)+)', text, re.M)
    return "\n".join(re.sub(r'"\n"', "", sentence) for sentence in found)


def whole(text: str) -> str:
    return text


PROSE = {
    ".py": python_prose,
    ".css": block_comments,
    ".js": script_comments,
    ".html": template_comments,
    ".md": whole,
    ".po": sentences_on_screen,
}


@cache
def sources() -> dict[str, str]:
    named = ((str(path.relative_to(ROOT)), path) for path in files(*PAGES, *CODE, *SCRIPTS))
    return {
        name: path.read_text()
        for name, path in named
        if name not in GUARDS and not name.startswith(DATA)
    }


def prose_of(name: str, source: str) -> str:
    """The prose in one line: a sentence may be broken anywhere."""
    text = PROSE.get(Path(name).suffix, hash_comments)(source)
    return re.sub(r"\s*\n\s*(?:#|//|\*)?\s*", " ", text)


@cache
def hits() -> list[tuple[str, str]]:
    """Files and banned words, each with what stands around it."""
    found = []
    for name, source in sources().items():
        words = BANNED - SPOKEN if name.endswith(".po") else BANNED
        banned = re.compile(rf"\b(?:{'|'.join(words)})\b", re.I)
        # Most sources have none of the words anywhere, and to parse all of them takes seconds.
        prose = prose_of(name, source) if banned.search(source) else ""
        for match in banned.finditer(prose):
            found.append((name, prose[max(0, match.start() - 60) : match.end() + 40]))
    return found


def exceptions_of(around: str) -> list[str]:
    return [phrase for phrase in EXCEPTIONS if phrase in around.lower()]


def test_no_prose_has_a_banned_word():
    assert [hit for hit in hits() if not exceptions_of(hit[1])] == []


def test_exceptions_are_few():
    assert len(hits()) <= MOST_HITS


@pytest.mark.parametrize("phrase", EXCEPTIONS)
def test_every_exception_is_needed(phrase):
    assert any(phrase in exceptions_of(around) for _, around in hits())


@pytest.mark.parametrize("suffix", PROSE)
def test_every_kind_of_file_is_read(suffix):
    """A guard that reads nothing would pass."""
    read = (one for one in sources().items() if one[0].endswith(suffix))
    assert any(prose_of(name, source) for name, source in read)

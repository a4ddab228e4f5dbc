"""docs/security.md and docs/asvs.md name tests and files that exist, and leave nothing out."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = ["docs/asvs.md", "docs/security.md"]
# OWASP ASVS 5.0.0: the last parts of the numbers of level 1 and of level 2, by section.
ASVS = """
1.1: / 1 2 | 1.2: 1 2 3 4 5 / 6 7 8 9 | 1.3: 1 2 / 3 4 5 6 7 8 9 10 11 | 1.4: / 1 2 3 | 1.5: 1 / 2
2.1: 1 / 2 3 | 2.2: 1 2 / 3 | 2.3: 1 / 2 3 4 | 2.4: / 1
3.2: 1 2 / | 3.3: 1 / 2 3 4 | 3.4: 1 2 / 3 4 5 6 | 3.5: 1 2 3 / 4 5 | 3.7: / 1 2
4.1: 1 / 2 3 | 4.2: / 1 | 4.3: / 1 2 | 4.4: 1 / 2 3 4
5.1: / 1 | 5.2: 1 2 / 3 | 5.3: 1 2 / | 5.4: / 1 2 3
6.1: 1 / 2 3 | 6.2: 1 2 3 4 5 6 7 8 / 9 10 11 12 | 6.3: 1 2 / 3 4 | 6.4: 1 2 / 3 4
6.5: / 1 2 3 4 5 | 6.6: / 1 2 3 | 6.8: / 1 2 3 4
7.1: / 1 2 3 | 7.2: 1 2 3 4 / | 7.3: / 1 2 | 7.4: 1 2 / 3 4 5 | 7.5: / 1 2 | 7.6: / 1 2
8.1: 1 / 2 | 8.2: 1 2 / 3 | 8.3: 1 / | 8.4: / 1
9.1: 1 2 3 / | 9.2: 1 / 2 3 4
10.1: / 1 2 | 10.2: / 1 2 | 10.3: / 1 2 3 4 | 10.4: 1 2 3 4 5 / 6 7 8 9 10 11 | 10.5: / 1 2 3 4 5
10.6: / 1 2 | 10.7: / 1 2 3
11.1: / 1 2 | 11.2: / 1 2 3 | 11.3: 1 2 / 3 | 11.4: 1 / 2 3 4 | 11.5: / 1 | 11.6: / 1
12.1: 1 / 2 3 | 12.2: 1 2 / | 12.3: / 1 2 3 4
13.1: / 1 | 13.2: / 1 2 3 4 5 | 13.3: / 1 2 | 13.4: 1 / 2 3 4 5
14.1: / 1 2 | 14.2: 1 / 2 3 4 | 14.3: 1 / 2 3
15.1: 1 / 2 3 | 15.2: 1 / 2 3 | 15.3: 1 / 2 3 4 5 6 7
16.1: / 1 | 16.2: / 1 2 3 4 5 | 16.3: / 1 2 3 4 | 16.4: / 1 2 3 | 16.5: / 1 2 3
17.1: / 1 | 17.2: / 1 2 3 4 | 17.3: / 1 2
"""


def asvs_requirements():
    """Return each number of the standard with its level."""
    for section in ASVS.replace("\n", "|").split("|"):
        if section.strip():
            name, _colon, numbers = section.strip().partition(":")
            for level, part in enumerate(numbers.split("/"), start=1):
                yield from ((f"{name}.{number}", level) for number in part.split())


def asvs_rows():
    row = re.compile(r"^\| (\d+\.\d+\.\d+) \| (\d) \| [^|]+ \| (met|not met|n/a) \| [^|]+ \|$")
    lines = (ROOT / "docs/asvs.md").read_text().splitlines()
    return [match.groups() for line in lines if (match := row.match(line))]


def test_every_requirement_of_levels_1_and_2_stands_once():
    assert sum(level == 1 for _number, level in asvs_requirements()) == 70
    assert [(number, int(level)) for number, level, _state in asvs_rows()] == list(
        asvs_requirements()
    )


def test_the_sums_are_those_of_the_table():
    states = [state for _number, _level, state in asvs_rows()]
    head = " ".join((ROOT / "docs/asvs.md").read_text().split())

    assert (
        f"{states.count('met')} met, {states.count('not met')} not met, "
        f"{states.count('n/a')} that do not apply"
    ) in head


@pytest.mark.parametrize("doc", PAGES)
def test_every_file_that_is_named_exists(doc):
    named = re.findall(r"`([\w./-]+/[\w./-]+)`", (ROOT / doc).read_text())
    ours = [path for path in named if re.match(r"[a-z]+/", path)]

    assert [path for path in ours if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("doc", PAGES)
def test_every_test_that_is_named_exists(doc):
    named = re.findall(r"`([\w/]+\.py)::([\w:]+)`", (ROOT / doc).read_text())

    assert [f"{path}::{test}" for path, test in named if test not in names_in(path)] == []


def promises():
    text = (ROOT / "docs/security.md").read_text()
    table = text[text.index("## Promises") : text.index("## Faults")]
    return [line for line in table.splitlines() if line.startswith("| ")][1:]


def test_every_promise_names_its_test():
    assert len(promises()) > 40
    assert [row for row in promises() if not re.search(r"::test_\w+`|::Test\w+`", row)] == []


@cache
def names_in(path):
    """Return the names of a file's tests: functions, classes, and methods as Class::method."""
    if not (ROOT / path).exists():
        return set()
    tree = ast.parse((ROOT / path).read_text())
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names |= {
                f"{node.name}::{method.name}"
                for method in node.body
                if isinstance(method, ast.FunctionDef)
            }
    return names

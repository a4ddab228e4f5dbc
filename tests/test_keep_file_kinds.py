"""Every module of an app has a place that docs/architecture.md names, and no folder is crowded."""

import re
import subprocess
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(settings.BASE_DIR)
PAGE = (ROOT / "docs" / "architecture.md").read_text()
MOST_MODULES = 15  # of one folder, its __init__.py aside
MOST_LINES = 400  # of one module, its tests aside

pytestmark = pytest.mark.once


def rows_of(heading: str) -> list[str]:
    """The rows of the table that begins with this line."""
    _before, _heading, table = PAGE.partition(f"{heading}\n|---|---|\n")
    return table.split("\n\n")[0].splitlines()


def first_cell(row: str) -> str:
    return row.split("|")[1]


def quoted(text: str) -> set[str]:
    return set(re.findall(r"`([^`]+)`", text))


KINDS = {name for row in rows_of("| file | what it is |") for name in quoted(first_cell(row))}
FEATURES = [name for row in rows_of("| package | feature |") for name in quoted(first_cell(row))]
SHARED = {
    f"{app}{name}"
    for row in rows_of("| app | shared by its features |")
    for app in quoted(first_cell(row))
    for name in quoted(row) - {app}
}
APPS = {name for row in rows_of("| app | what lives there |") for name in quoted(first_cell(row))}


@cache
def all_modules() -> list[str]:
    """Of the apps, and of the sandbox, which has a shape of its own."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.py"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    paths = (path for path in listed.split() if (ROOT / path).exists())
    return [path for path in paths if f"{path.split('/')[0]}/" in APPS]


def modules() -> list[str]:
    return [path for path in all_modules() if not path.startswith("sandbox/")]


def has_kind(path: str) -> bool:
    *folders, name = path.split("/")[1:]
    return name == "__init__.py" or name in KINDS or any(f"{one}/" in KINDS for one in folders)


def is_placed(path: str) -> bool:
    return has_kind(path) or path in SHARED or path.startswith(tuple(FEATURES))


def test_it_works():
    assert {"models.py", "pages/"} <= KINDS
    assert "reservations/day_board/" in FEATURES
    assert "partner/client.py" in SHARED
    assert len(modules()) > 400


def test_every_module_has_a_place():
    assert [path for path in modules() if not is_placed(path)] == []


@pytest.mark.parametrize("path", sorted(SHARED) + FEATURES)
def test_what_the_page_names_is_there(path: str):
    assert (ROOT / path).exists()


def test_every_kind_is_in_use():
    named = {part for path in modules() for part in [path.split("/")[-1], *folders_of(path)]}
    assert sorted(KINDS - named) == []


def folders_of(path: str) -> list[str]:
    return [f"{folder}/" for folder in path.split("/")[1:-1]]


def test_no_folder_is_crowded():
    """Tests, migrations and commands are listed by time and name, and nobody reads them through."""
    own = (path for path in all_modules() if not re.search("/(tests|migrations|commands)/", path))
    counts = Counter(str(Path(path).parent) for path in own if not path.endswith("/__init__.py"))
    assert {folder: number for folder, number in counts.items() if number > MOST_MODULES} == {}


def test_no_module_is_too_long():
    own = (path for path in all_modules() if "/tests/" not in path)
    counts = {path: len((ROOT / path).read_text().splitlines()) for path in own}
    assert {path: n for path, n in counts.items() if n > MOST_LINES} == {}, "split it by subject"


# Features that are about requests themselves: adapters of the sign-in library, middleware, htmx.
OF_REQUESTS = ("accounts/sign_in/", "config/", "lib/")
ANSWERS = re.compile(
    r"^from django\.(shortcuts|http) import .*\b(render|redirect|\w+Response)", re.M
)


def subjects() -> list[str]:
    placed = (path for path in modules() if not has_kind(path) and path not in SHARED)
    return [path for path in placed if not path.startswith(OF_REQUESTS)]


def test_only_views_answer():
    """What stands in a feature beside its kinds of files answers no request."""
    assert len(subjects()) > 100
    assert [path for path in subjects() if ANSWERS.search((ROOT / path).read_text())] == []

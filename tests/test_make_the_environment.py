"""`make setup` makes the virtual environment with the Python that the reader names."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.processes import ROOT

pytestmark = pytest.mark.once

# Writes down how it was called; as `-m venv` it puts itself where the environment's own would be.
RECORDER = """#!/bin/sh
echo "$*" >>"{calls}"
case "$*" in
    --version) echo "Python 3.13.0 of this test" ;;
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *bin.dotenv*) echo "SECRET_KEY=a" ;;
esac
"""
TOO_OLD = """#!/bin/sh
exit 1
"""


@pytest.fixture
def copy(tmp_path):
    """A fresh copy of the chores alone, whose name has a space as some home folders have."""
    folder = tmp_path / "a copy"
    (folder / "bin").mkdir(parents=True)
    (folder / "sandbox").mkdir()
    for name in (
        "Makefile",
        "bin/setup",
        "requirements.txt",
        "requirements-dev.txt",
        "sandbox/pyproject.toml",
    ):
        shutil.copy(ROOT / name, folder / name)
    return folder


def program(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o755)
    return path


def chores() -> list[str]:
    return re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE)


def make_setup(folder: Path, *, python: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", "setup"],
        cwd=folder,
        env=os.environ | {"PYTHON": str(python)},
        capture_output=True,
        text=True,
    )


def test_it_works(copy):
    calls = copy / "calls"
    python = program(copy / "my python", RECORDER.format(calls=calls))

    made = make_setup(copy, python=python)

    assert made.returncode == 0, made.stdout + made.stderr
    assert "with Python 3.13.0 of this test" in made.stdout
    assert "-m venv .venv" in calls.read_text().splitlines()
    assert "-m bin.database" in calls.read_text().splitlines()


def test_a_named_python_that_is_too_old_is_refused_and_not_replaced(copy):
    python = program(copy / "old python", TOO_OLD)

    made = make_setup(copy, python=python)

    assert made.returncode != 0
    assert f"{python} is none" in made.stderr
    assert not (copy / ".venv").exists()


def test_every_chore_begins_with_a_program_that_is_there():
    """A variable of the Makefile that nobody sets leaves a line that begins with its option."""
    # Under `make test` this make would be its child and speak of folders.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("M")}
    make = subprocess.run(
        ["make", "--dry-run", *chores()],
        cwd=ROOT,
        env=plain,
        capture_output=True,
        text=True,
        check=True,
    )
    programs = {line.removeprefix("exec ").split()[0] for line in make.stdout.splitlines()}

    assert {"bin/setup", ".venv/bin/python"} <= programs
    assert not [name for name in programs if not (ROOT / name).exists() and not shutil.which(name)]

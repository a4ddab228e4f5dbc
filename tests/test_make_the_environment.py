"""`make setup` makes the virtual environment with the Python that the reader names."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.processes import ROOT

pytestmark = pytest.mark.once

# Writes down how it was called. As `-m venv` it puts itself where the environment's own would be,
# and in place of uv where it should install that.
RECORDER = """#!/bin/sh
echo "$*" >>"{calls}"
case "$*" in
    "-c import hashlib"*) exec {python} "$@" ;;
    "-c import pip") [ ! -e "{calls}.no-pip" ] ;;
    --version) echo "Python 3.13.0 of this test" ;;
    "-m venv .venv") mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *bin.dotenv*) echo "SECRET_KEY=a" ;;
    *requirements-setup.lock) cp "$0" .venv/bin/uv ;;
    *"config list") cat "{calls}.pip-settings" ;;
    *"pip install --quiet"*) [ ! -e "{calls}.no-uv" ] ;;
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
        "requirements.lock",
        "requirements-demo.lock",
        "requirements-dev.lock",
        "requirements-setup.lock",
        "sandbox/pyproject.toml",
    ):
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def calls(copy):
    """What was called, by a Python of its own that installs nothing."""
    program(copy / "my python", RECORDER.format(calls=copy / "calls", python=sys.executable))
    (copy / "calls.pip-settings").write_text("global.extra-index-url='https://packages.example'\n")
    return copy / "calls"


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


def installed(calls: Path) -> list[str]:
    """The locks of each installation since it was last read, but for that of uv itself."""
    lines = calls.read_text().splitlines()
    calls.write_text("")
    locks = [line.split("--require-hashes ")[1] for line in lines if "--require-hashes" in line]
    return [lock for lock in locks if lock != "-r requirements-setup.lock"]


def set_up(calls: Path, *words: str) -> list[str]:
    python = {"PYTHON": str(calls.parent / "my python")}
    subprocess.run(
        ["bin/setup", *words],
        cwd=calls.parent,
        env=os.environ | python,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    return installed(calls)


def test_it_works(copy, calls):
    made = make_setup(copy, python=copy / "my python")

    assert made.returncode == 0, made.stdout + made.stderr
    assert "with Python 3.13.0 of this test" in made.stdout
    assert "-m venv .venv" in calls.read_text().splitlines()
    assert "-m bin.database" in calls.read_text().splitlines()


def test_an_environment_without_pip_gets_it(copy, calls):
    Path(f"{calls}.no-pip").touch()
    make_setup(copy, python=copy / "my python")

    assert "-m ensurepip" in calls.read_text().splitlines()


def test_a_named_python_that_is_too_old_is_refused_and_not_replaced(copy):
    python = program(copy / "old python", TOO_OLD)

    made = make_setup(copy, python=python)

    assert made.returncode != 0
    assert f"{python} is none" in made.stderr
    assert not (copy / ".venv").exists()


def dry_run(*names: str) -> list[str]:
    # Under `make test` this make would be its child and speak of folders.
    plain = {name: value for name, value in os.environ.items() if not name.startswith("M")}
    make = subprocess.run(
        ["make", "--dry-run", *names],
        cwd=ROOT,
        env=plain,
        capture_output=True,
        text=True,
        check=True,
    )
    return make.stdout.splitlines()


class TestWhatIsInstalled:
    """`make run` waits for what runs alone; what tests need is more than as much again."""

    RUNTIME = ["-r requirements.lock -r requirements-demo.lock"]
    ALL = ["-r requirements-dev.lock"]

    def test_it_is_what_runs_and_once(self, calls):
        assert set_up(calls, "runtime") == self.RUNTIME
        assert set_up(calls, "runtime") == []

    def test_tests_add_theirs_and_lack_nothing_that_runs(self, calls):
        set_up(calls, "runtime")

        assert set_up(calls) == self.ALL
        assert set_up(calls) == []
        assert set_up(calls, "runtime") == []

    def test_a_changed_lock_is_installed_by_both(self, copy, calls):
        set_up(calls)
        for name in ("requirements.lock", "requirements-dev.lock"):
            (copy / name).write_text((copy / name).read_text() + "# another version\n")

        assert set_up(calls, "runtime") == self.RUNTIME
        assert set_up(calls) == self.ALL

    def test_a_lock_of_before_is_installed_again(self, copy, calls):
        before = (copy / "requirements.lock").read_text()
        set_up(calls, "runtime")
        (copy / "requirements.lock").write_text(before + "# another version\n")
        set_up(calls, "runtime")
        (copy / "requirements.lock").write_text(before)

        assert set_up(calls, "runtime") == self.RUNTIME

    def test_what_uv_cannot_install_pip_does(self, calls):
        Path(f"{calls}.no-uv").touch()

        assert set_up(calls, "runtime") == 2 * self.RUNTIME
        assert set_up(calls, "runtime") == []

    def test_where_pip_has_an_index_of_its_own_pip_installs(self, calls):
        Path(f"{calls}.pip-settings").write_text("global.index-url='https://packages.example'\n")
        Path(f"{calls}.no-uv").touch()

        assert set_up(calls, "runtime") == self.RUNTIME

    @pytest.mark.parametrize("chore", ["run", "start"])
    def test_who_runs_it_waits_for_nothing_else(self, chore):
        assert dry_run(chore)[0] == "bin/setup runtime"


def test_every_chore_begins_with_a_program_that_is_there():
    """A variable of the Makefile that nobody sets leaves a line that begins with its option."""
    programs = {line.removeprefix("exec ").split()[0] for line in dry_run(*chores())}

    assert {"bin/setup", ".venv/bin/python"} <= programs
    assert not [name for name in programs if not (ROOT / name).exists() and not shutil.which(name)]

"""What is installed is what was locked: each direct dependency, and the hash of each file."""

import re
from pathlib import Path

import pytest

from bin.dependencies import LOCKS

ROOT = Path(__file__).resolve().parents[2]
PIN = re.compile(r"^([\w.-]+)(?:\[[\w,-]+\])?==([^\s;]+)", re.M)


def pins(name):
    """Read `name==version` lines; a name is spelled in one way whatever the file spells."""
    found = PIN.findall((ROOT / name).read_text())
    return {re.sub(r"[-_.]+", "-", package).lower(): version for package, version in found}


@pytest.mark.parametrize(("source", "target"), LOCKS.items())
class TestEachLock:
    def test_it_holds_each_direct_dependency_at_its_version(self, source, target):
        assert pins(source).items() <= pins(target).items(), "run `make lock`"

    def test_each_line_has_a_hash(self, source, target):
        entries = re.split(r"\n(?=\w)", (ROOT / target).read_text().strip())

        assert len(entries) == len(pins(target))
        assert [entry for entry in entries if "--hash=sha256:" not in entry] == []


def test_tests_run_on_what_an_installation_runs_on():
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


@pytest.mark.parametrize("file", ["bin/setup", "Dockerfile", "docs/deploy.md", "docs/operating.md"])
def test_every_installation_takes_the_lock_and_compares_hashes(file):
    installs = re.findall(r"pip.* install .*-r (\S+)", (ROOT / file).read_text())

    assert installs
    assert all(re.search(r"requirements(-dev)?\.lock", name) for name in installs)
    assert (ROOT / file).read_text().count("--require-hashes") == len(installs)

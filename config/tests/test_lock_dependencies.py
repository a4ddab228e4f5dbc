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


@pytest.mark.parametrize("target", ["requirements.lock", "requirements-demo.lock"])
def test_tests_run_on_what_an_installation_runs_on(target):
    assert pins(target).items() <= pins("requirements-dev.lock").items()


def test_the_demo_adds_no_package_that_runs():
    assert not pins("requirements.lock").keys() & pins("requirements-demo.lock").keys()


@pytest.mark.parametrize("file", ["bin/setup", "Dockerfile", "docs/deploy.md", "docs/operating.md"])
def test_every_installation_takes_the_lock_and_compares_hashes(file):
    text = (ROOT / file).read_text()
    installs = re.findall(r"pip.* install .*(?: -r |\"\$@\")", text)
    names = re.findall(r"-r (\S*requirements\S+)", text)

    assert installs
    assert names
    assert all(
        re.fullmatch(r"(/tmp/)?requirements(-demo|-dev|-setup)?\.lock", name) for name in names
    )
    assert text.count("--require-hashes") == len(installs)

"""A program whose output goes to “head”."""

import subprocess
import sys

import pytest
from django.conf import settings

PROGRAM = """
from contextlib import nullcontext
from lib.processes.closed_pipes import until_nobody_reads
with until_nobody_reads() if {is_guarded} else nullcontext():
    for line in range({lines}):
        print(line)
"""


def run(lines, *, is_guarded=True):
    """Start it, and close its output before it has written anything."""
    code = PROGRAM.format(lines=lines, is_guarded=is_guarded)
    with subprocess.Popen(
        [sys.executable, "-c", f"input()\n{code}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=settings.BASE_DIR,
    ) as process:
        assert process.stdout
        process.stdout.close()
        process.stdout = None
        _out, errors = process.communicate(b"\n")
    return process.returncode, errors


@pytest.mark.parametrize("lines", [1, 100_000])
def test_it_works(lines):
    assert run(lines) == (0, b"")


def test_without_it_there_is_a_traceback():
    status, errors = run(100_000, is_guarded=False)

    assert status != 0
    assert b"BrokenPipeError" in errors

"""Management commands without their start: a process that has read the product forks for each.

Whoever waits asks often, and to start Django costs seconds of processor time that the processes
under test need. A child begins as a new process does: nothing is connected, nothing is cached.

python -m tests.faults.commands    lines of JSON: the words, and the files for what it says
"""

import gc
import json
import os
import select
import subprocess
import sys
import traceback
from pathlib import Path
from typing import IO

from tests.processes import ROOT


class Commands:
    """The end of who asks. The process is replaced when the environment has changed."""

    def __init__(self, folder: Path) -> None:
        self._output, self._errors = folder / "command.out", folder / "command.err"
        self._environment: dict[str, str] = {}
        self._process: subprocess.Popen[str] | None = None

    def run(
        self, words: tuple[str, ...], *, environment: dict[str, str], within: float
    ) -> tuple[int, str, str]:
        """The exit code and what was written to standard output and standard error."""
        process = self._process_in(environment)
        assert process.stdin
        assert process.stdout
        json.dump([words, str(self._output), str(self._errors)], process.stdin)
        process.stdin.write("\n")
        process.stdin.flush()
        code = _line_of(process.stdout, within=within)
        return int(code), self._output.read_text(), self._errors.read_text()

    def stop(self) -> None:
        if self._process:
            self._process.kill()
            self._process.communicate()

    def _process_in(self, environment: dict[str, str]) -> subprocess.Popen[str]:
        if self._process is None or environment != self._environment:
            self.stop()
            self._environment = dict(environment)
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.faults.commands"],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        return self._process


def _line_of(stream: IO[str], *, within: float) -> str:
    readable, _writable, _broken = select.select([stream], [], [], within)
    assert readable, f"no answer within {within} s"
    line = stream.readline()
    assert line, "the process of the commands has ended"
    return line


def _fork(words: list[str], output: str, errors: str) -> int:
    """Run a command in a child; return its exit code."""
    if child := os.fork():
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = 1
    try:
        for number, path in ((1, output), (2, errors)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        code = _execute(words)
    finally:
        os._exit(code)


def _execute(words: list[str]) -> int:
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(["manage.py", *words])
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as the interpreter does at the end of a process
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
    return 0


if __name__ == "__main__":
    import django
    from django.urls import get_resolver

    django.setup()
    _patterns = get_resolver().reverse_dict  # all views and links, which children would read anew
    gc.collect()
    gc.freeze()  # the pages of what stays are not copied by a search for garbage
    for line in sys.stdin:
        print(_fork(*json.loads(line)), flush=True)  # noqa: T201 - a pipe

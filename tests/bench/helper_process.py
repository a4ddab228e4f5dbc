"""A process that holds an installation and answers a word on a line with a line of JSON."""

import atexit
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import IO, Any

from tests.processes import ROOT


class HelperProcess:
    def __init__(
        self, module: str, *words: str, environment: dict[str, str], code: Path = ROOT
    ) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, *words],
            cwd=code,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        atexit.register(self.close)
        self._stdin: IO[str] = self.process.stdin  # type: ignore[assignment]  # a pipe, by the argument
        self._stdout: IO[str] = self.process.stdout  # type: ignore[assignment]
        self.facts: Any = self._read()

    def ask(self, word: str) -> Any:
        self._stdin.write(f"{word}\n")
        self._stdin.flush()
        return self._read()

    def measure(self, word: str, *, part: str = "") -> Callable[[], float]:
        """To be taken by the frame; `part` picks one figure of several."""
        return lambda: float(self.ask(word)[part] if part else self.ask(word))

    def _read(self) -> Any:
        line = self._stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args!r} has stopped.")
        return json.loads(line)

    def close(self) -> None:
        self._stdin.close()
        self._stdout.close()
        self.process.wait()


def say(what: object) -> None:
    """The other end of the pipe."""
    print(json.dumps(what), flush=True)  # noqa: T201 - a pipe to the one who asks

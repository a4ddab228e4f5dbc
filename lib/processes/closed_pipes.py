"""Programs whose output somebody stops reading, as in “| head”."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_nobody_reads() -> Iterator[None]:
    """End in silence when the reader is gone, also with what Python flushes at its end."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

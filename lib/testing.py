"""What another process does between two statements of a request."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection


@contextmanager
def meanwhile(act: Callable[[], Any], *, before: str, number: int = 1) -> Iterator[None]:
    """Run `act` once, right before the statement of this number that begins so."""
    waiting = [act]
    begun = 0

    def watch(execute: Any, sql: str, *rest: Any) -> Any:
        nonlocal begun
        begun += sql.startswith(before)
        if begun == number and waiting:
            waiting.pop()()
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        yield
    if waiting:
        raise AssertionError(f"{begun} statements began with {before}")

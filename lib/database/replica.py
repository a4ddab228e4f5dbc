"""Reads from a replica, of the views that are marked with `reads_replica` and of no others.

A replica is used once it has replayed all that the primary had committed when the request began:
nothing on the page is older than what the person has just written. One that is late, away or
promoted is not used.
"""

import logging
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, Error, connections
from django.db.models import Model
from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

logger = logging.getLogger(__name__)

ALIAS = "replica"
# Whose rows are many. All others are read with the person's rights, from the primary.
APPS = ("customers", "insights", "reservations", "reviews")
LOOK_EVERY = 0.02  # seconds
# One that did not answer is left alone for so long: its time-out would slow each page.
REST_SECONDS = 15.0
COMMITTED = "SELECT pg_current_wal_flush_lsn()"
REPLAYED = "SELECT pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= %s"

T = TypeVar("T")
View = Callable[..., HttpResponseBase]
_reads_there: ContextVar[bool] = ContextVar("reads_there", default=False)


class Rest:
    """Until when the replica is left alone."""

    until = 0.0


class ReplicaRouter:
    """Django's database router: everything is written to the primary."""

    def db_for_read(self, model: type[Model], **_hints: Any) -> str | None:
        return ALIAS if _reads_there.get() and model._meta.app_label in APPS else None

    def db_for_write(self, _model: type[Model], **_hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, _one: Model, _other: Model, **_hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, _app_label: str, **_hints: Any) -> bool | None:
        return False if db == ALIAS else None


def reads_replica(view: View) -> View:
    """A view that only reads. What it fails to read from a replica it reads from the primary."""

    @wraps(view)
    def reading(*args: Any, **kwargs: Any) -> HttpResponseBase:
        if not is_fresh():
            return view(*args, **kwargs)
        try:
            with _reading_there():
                response = view(*args, **kwargs)
        except Error as error:
            _rest(error)
            return view(*args, **kwargs)
        return _streamed_from_there(response)

    return reading


def is_fresh() -> bool:
    """Whether the replica has all that is committed by now, waiting a moment for it."""
    if ALIAS not in connections.databases or time.monotonic() < Rest.until:
        return False
    try:
        return _catches_up(_one(DEFAULT_DB_ALIAS, COMMITTED), within=settings.REPLICA_WAIT)
    except Error as error:
        _rest(error)
        return False


def _catches_up(position: str, *, within: float) -> bool:
    deadline = time.monotonic() + within
    while not _one(ALIAS, REPLAYED, position):
        if time.monotonic() > deadline:
            return False
        time.sleep(LOOK_EVERY)
    return True


def _one(alias: str, query: str, *values: str) -> Any:
    with connections[alias].cursor() as cursor:
        cursor.execute(query, values)
        return cursor.fetchone()[0]


def _rest(error: Error) -> None:
    logger.warning("The replica is not read: %s", type(error).__name__)
    Rest.until = time.monotonic() + REST_SECONDS


@contextmanager
def _reading_there() -> Iterator[None]:
    token = _reads_there.set(True)
    try:
        yield
    finally:
        _reads_there.reset(token)


def _streamed_from_there(response: HttpResponseBase) -> HttpResponseBase:
    """Rows of a file are read while it is sent, after the view."""
    if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
        response.streaming_content = _steps(response.streaming_content)  # type: ignore[arg-type]  # no async stream here
    return response


def _steps(rows: Iterable[T]) -> Iterator[T]:
    iterator, end = iter(rows), object()
    while True:
        with _reading_there():
            row = next(iterator, end)
        if row is end:
            return
        yield row  # type: ignore[misc]  # not the end

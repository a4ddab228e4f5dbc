"""One open stream as the bytes that a browser's EventSource reads.

A generator in a thread of the web server: it holds a queue, and no database connection.
"""

import json
import random
import time
from collections.abc import Iterator
from typing import Any

from lib.database.own_connection import release_connection
from live.announcements import Reading, Scope, scope_now
from live.hub import Hub, Stream

# Proxies and telephones drop what is silent; a screen that hears nothing for long reconnects.
# A screen that receives nothing for nine seconds no longer says that it is live (live-state.js).
HEARTBEAT_SECONDS = 3
# After a sign-out or a lost role a screen hears on for this long at most. A look costs 5 ms.
RECHECK_SECONDS = 20
# No stream is for ever, so that a deploy and a new worker get their share of screens.
LIFE_SECONDS = 600
RETRY_MILLISECONDS = 1500


class EventStream:
    """Iterated by the server, and closed by it whether or not iterating ever began."""

    def __init__(self, hub: Hub, stream: Stream, *, opening: Reading) -> None:
        self._hub = hub
        self._stream = stream
        self._opening = opening
        self._life = LIFE_SECONDS * random.uniform(0.8, 1.2)  # noqa: S311 - spread, not secrecy

    def __iter__(self) -> Iterator[bytes]:
        release_connection()
        ends = time.monotonic() + self._life
        recheck = time.monotonic() + RECHECK_SECONDS
        cursor = self._opening.cursor
        yield f"retry: {RETRY_MILLISECONDS}\n\n".encode() + self._render(self._opening)
        while time.monotonic() < ends:
            batch = self._stream.take(seconds=HEARTBEAT_SECONDS)
            if self._stream.is_superseded:
                yield event("superseded", {})
            if self._stream.is_over:
                return
            if time.monotonic() >= recheck:
                recheck += RECHECK_SECONDS
                scope = self._scope_now()
                if scope is None:
                    yield event("signed-out", {})
                    return
                if scope != self._stream.scope:  # what is shown may be no longer theirs
                    self._stream.scope = scope
                    batch = Reading([], batch.cursor if batch else cursor, complete=False)
            cursor = batch.cursor if batch else cursor
            yield self._render(batch or Reading([], cursor))

    def close(self) -> None:
        self._hub.leave(self._stream)

    def _scope_now(self) -> Scope | None:
        try:
            return scope_now(session_key=self._stream.session_key, user_id=self._stream.user_id)
        finally:
            release_connection()

    def _render(self, batch: Reading) -> bytes:
        """The id comes last and once: a cut before it makes the browser ask for all of this again.

        `late` is how long ago the database was seen: a stream that is open is not yet one that
        would hear of anything.
        """
        scope = self._stream.scope  # may have shrunk since the lines were put into the mailbox
        lines = [event("change", scope.message(line)) for line in batch.lines if scope.sees(line)]
        late = round(time.monotonic() - self._hub.looked_at)
        last = event("beat" if batch.complete else "resync", {"late": late}, cursor=batch.cursor)
        return b"".join([*lines, last])


def event(name: str, data: dict[str, Any], *, cursor: int | None = None) -> bytes:
    head = f"event: {name}\n" if cursor is None else f"id: {cursor}\nevent: {name}\n"
    return f"{head}data: {json.dumps(data)}\n\n".encode()

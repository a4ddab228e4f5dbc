"""Thread limit of pages, so that the receiver and the probes always find a free thread.

A page holds its thread until the server has sent the answer; a live stream for as long as its
screen is open. What comes beyond that is answered 503 at once.
"""

from collections.abc import Callable, Iterable, Iterator
from io import BytesIO
from threading import BoundedSemaphore
from typing import Any

from prometheus_client import Counter

from config.requests.request_bodies import BodyReader, BodyRefused, Environ, body_length
from webhooks.receiver import BROWSER_HEADERS

# Of the server's 192 (Procfile). LIVE_STREAMS are among them.
PAGE_THREADS = 168
REFUSED = Counter("couvert_requests_refused", "Requests refused to spare threads", ["status"])
NO_THREAD = "503 Service Unavailable"

StartResponse = Callable[..., Any]
Application = Callable[[Environ, StartResponse], Iterable[bytes]]


class PageThreads:
    """WSGI middleware that answers 503 when the threads for pages are in use."""

    def __init__(self, pages: Application, *, threads: int = PAGE_THREADS) -> None:
        self._pages = pages
        self._free = BoundedSemaphore(threads)
        self._bodies = BodyReader()

    def __call__(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        if not self._free.acquire(blocking=False):
            return refuse(NO_THREAD, start_response)
        try:
            answer = self._answer(environ, start_response)
        except BaseException:
            self._free.release()
            raise
        if isinstance(answer, list):  # nothing that the server would close
            self._free.release()
            return answer
        return HeldAnswer(answer, release=self._free.release)

    def _answer(self, environ: Environ, start_response: StartResponse) -> Iterable[bytes]:
        try:
            environ["wsgi.input"] = (
                self._bodies.read(environ) if body_length(environ) else BytesIO()
            )
        except BodyRefused as refused:
            return refuse(str(refused), start_response)
        return self._pages(environ, start_response)


class HeldAnswer:
    """An answer that holds its thread until it was handed over whole, or the server closes it.

    The server may close it a while later: thousands of small answers a second would hold all.
    """

    def __init__(self, answer: Iterable[bytes], *, release: Callable[[], None]) -> None:
        self._answer = answer
        self._release = release
        self._is_closed = self._is_released = False

    def __iter__(self) -> Iterator[bytes]:
        yield from self._answer
        self._let_go()

    def close(self) -> None:
        if self._is_closed:
            return
        self._is_closed = True
        try:
            getattr(self._answer, "close", lambda: None)()
        finally:
            self._let_go()

    def _let_go(self) -> None:
        if not self._is_released:
            self._is_released = True
            self._release()


def refuse(status: str, start_response: StartResponse) -> list[bytes]:
    """Answer without Django: whoever is refused here must cost nothing. The body is left unread."""
    REFUSED.labels(status[:3]).inc()
    body = status.encode()
    headers = [
        ("Content-Type", "text/plain; charset=utf-8"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
        *BROWSER_HEADERS,
        *([("Retry-After", "5")] if status.startswith("503") else []),
    ]
    start_response(status, headers)
    return [body]

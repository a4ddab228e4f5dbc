"""Delivery to a real receiver over a real socket."""

import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from cast import Cast
from partner_sandbox.webhooks import sender

GOOD = (200, b'{"data": {}}', 0.0)


class Receiver:
    """Gives the queued answers in turn; the last one is repeated."""

    def __init__(self) -> None:
        self.answers: list[tuple[int, bytes, float]] = [GOOD]
        self.bodies: list[bytes] = []
        self.paths: list[str] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                receiver.paths.append(self.path)
                receiver.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                answers = receiver.answers
                status, body, wait = answers.pop(0) if len(answers) > 1 else answers[0]
                time.sleep(wait)
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hook/?token=abc"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver(cast: Cast) -> Iterator[Receiver]:
    receiver = Receiver()
    cast.control("POST", "webhook", url=receiver.url)
    cast.sandbox.sender.start()
    yield receiver
    cast.sandbox.sender.stop()
    receiver.server.shutdown()
    receiver.server.server_close()
    time.sleep(0.3)


def eventually(condition: Callable[[], bool], seconds: float = 8) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def outcomes(cast: Cast) -> dict[str, int]:
    totals: dict[str, int] = cast.control("GET", "deliveries").json["totals"]
    return totals


def test_it_delivers_json_to_the_whole_address(cast: Cast, receiver: Receiver) -> None:
    cast.book()

    eventually(lambda: outcomes(cast) == {"delivered": 2})
    assert receiver.paths[0] == "/hook/?token=abc"
    assert len(receiver.bodies) == 2


def test_after_a_receipt_it_never_sends_again(cast: Cast, receiver: Receiver) -> None:
    cast.control("POST", "emit", payload={"n": 1})
    eventually(lambda: outcomes(cast) == {"delivered": 1})
    time.sleep(1.3)

    assert receiver.bodies == [b'{"n": 1}']
    assert cast.breaches() == {}


@pytest.mark.parametrize("answer", [(500, b"", 0.0), (200, b"ok", 0.0), (204, b"", 0.0)])
def test_anything_but_the_receipt_is_sent_again_after_a_second(
    cast: Cast, receiver: Receiver, answer: tuple[int, bytes, float]
) -> None:
    receiver.answers = [answer, GOOD]
    cast.control("POST", "emit", payload={"n": 1})

    eventually(lambda: outcomes(cast) == {"delivered": 1})

    row = cast.control("GET", "deliveries").json["deliveries"][0]
    assert (row["attempts"], len(receiver.bodies)) == (2, 2)
    assert row["answered"] - row["created"] != 0
    assert cast.breaches() == {"webhook_wrong_answer": 1}


def test_a_late_receipt_is_no_receipt(
    cast: Cast, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender, "PATIENCE_SECONDS", 0.2)
    receiver.answers = [(200, b'{"data": {}}', 0.4), GOOD]
    cast.control("POST", "emit", payload={"n": 1})

    eventually(lambda: outcomes(cast) == {"delivered": 1})

    assert cast.breaches() == {"webhook_late_answer": 1}


def test_the_pauses_grow(cast: Cast) -> None:
    cast.control("POST", "webhook", url="http://127.0.0.1:9/")
    number = cast.control("POST", "emit", payload={"n": 1}).json["deliveries"][0]
    pauses = []
    for attempt in range(1, 9):
        before = int(time.time() * 1000)
        cast.sandbox.sender._settle(number, attempt, "unreachable")
        row = cast.control("GET", "deliveries").json["deliveries"][0]
        pauses.append(round((row["due"] - before) / 1000))

    assert pauses == [1, 2, 4, 8, 16, 32, 64, 64]


def test_a_receiver_that_is_away_gets_it_when_it_is_back(cast: Cast, receiver: Receiver) -> None:
    receiver_url = receiver.url
    cast.control("POST", "webhook", url="http://127.0.0.1:9/")
    cast.control("POST", "emit", payload={"n": 1})
    eventually(lambda: outcomes(cast) == {"resending": 1})

    cast.control("POST", "webhook", url=receiver_url)

    eventually(lambda: outcomes(cast) == {"delivered": 1})
    assert cast.breaches() == {}


def test_without_a_receiver_nothing_is_kept_for_later(cast: Cast) -> None:
    cast.control("POST", "emit", payload={"n": 1})

    assert outcomes(cast) == {"no receiver": 1}

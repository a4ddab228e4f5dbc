"""A sender of events in a process of its own.

python -m tests.bench.load open|closed URL HEADERS < BODIES    one body a line, sent in turn
"""

import json
import re
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from itertools import count, cycle
from statistics import quantiles
from urllib.parse import urlsplit

ARRIVALS = 200
CONNECTIONS = 16
SECONDS = 10.0  # of a closed loop
STEADY_SECONDS = 60.0


class Sender:
    """Keeps one connection per thread, as the service does."""

    def __init__(self, address: str, *, bodies: list[str], headers: dict[str, str]) -> None:
        url = urlsplit(address)
        self._where = (url.hostname, url.port)
        lines = [f"POST {url.path}?{url.query} HTTP/1.1", f"Host: {url.netloc}"]
        lines += [f"{key}: {value}" for key, value in headers.items()]
        requests = ["\r\n".join([*lines, f"Content-Length: {len(b)}", "", b]) for b in bodies]
        self._requests = cycle([request.encode() for request in requests])
        self._own = threading.local()

    def send(self) -> int:
        """Send one, and again after a 503, as the service does. Returns the number of refusals."""
        request = next(self._requests)
        for refused in count():
            answer = self._answer(request)
            if answer.startswith(b"HTTP/1.1 200"):
                return refused
            if not answer.startswith(b"HTTP/1.1 503"):
                raise RuntimeError(answer.decode(errors="replace"))
        raise AssertionError("unreachable")

    def _answer(self, request: bytes) -> bytes:
        if not hasattr(self._own, "wire"):
            self._own.wire = socket.create_connection(self._where, timeout=10)
        self._own.wire.sendall(request)
        answer = b""
        while not is_whole(answer):
            piece = self._own.wire.recv(65536)
            if not piece:
                raise RuntimeError("The connection was closed before the answer was there.")
            answer += piece
        return answer


def is_whole(answer: bytes) -> bool:
    """Head and body may come in pieces of their own."""
    head, end, body = answer.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: *(\d+)", head)
    return bool(end) and (length is None or len(body) >= int(length[1]))


def closed_loop(sender: Sender) -> dict[str, float]:
    began = time.perf_counter()

    def keep_sending(_number: int) -> int:
        sent = 0
        while time.perf_counter() - began < SECONDS:
            sender.send()
            sent += 1
        return sent

    with ThreadPoolExecutor(CONNECTIONS) as pool:
        sent = sum(pool.map(keep_sending, range(CONNECTIONS)))
    return {"rate": sent / (time.perf_counter() - began)}


def open_loop(sender: Sender) -> dict[str, float]:
    """Every wait counts from the moment the event was due, so that a late sender hides nothing."""
    began = time.perf_counter() + 0.5
    refused: list[int] = []

    def send_at(due: float) -> float:
        time.sleep(max(0.0, due - time.perf_counter()))
        refused.append(sender.send())
        return (time.perf_counter() - due) * 1000

    dues = [began + number / ARRIVALS for number in range(int(ARRIVALS * STEADY_SECONDS))]
    with ThreadPoolExecutor(4 * CONNECTIONS) as pool:
        waits = list(pool.map(send_at, dues))
    cuts = quantiles(waits, n=100)
    return {
        "p50": round(cuts[49], 1),
        "p99": round(cuts[98], 1),
        "max": round(max(waits), 1),
        "sent": len(waits),
        "refused": sum(refused),
    }


if __name__ == "__main__":
    kind, address, headers = sys.argv[1:]
    sender = Sender(address, bodies=sys.stdin.read().splitlines(), headers=json.loads(headers))
    print(json.dumps({"open": open_loop, "closed": closed_loop}[kind](sender)))  # noqa: T201

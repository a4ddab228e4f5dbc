"""Publishing, taking and acknowledging a message in files, beside a Redis on this machine."""

import tempfile
import time
from typing import Any

from kombu.connection import Connection

from bin import servers
from config import celery_app
from config.celery import transport_options
from tests.bench.frame import Bench, Measure

MESSAGES = 1000


def carry(url: str, options: dict[str, Any]) -> float:
    """Return messages a second, all the way through."""
    with Connection(url, transport_options=options) as connection:
        queue = connection.SimpleQueue("bench")
        started = time.perf_counter()
        for number in range(MESSAGES):
            queue.put({"number": number})
        for _ in range(MESSAGES):
            queue.get(timeout=5).ack()
        return MESSAGES / (time.perf_counter() - started)


def carry_in_redis() -> float:
    with servers.private_redis() as url:
        return carry(url, transport_options(url, answer=5))


def carry_in_files() -> float:
    with tempfile.TemporaryDirectory() as folder:
        return carry("durablefiles://", {"folder": folder})


def run() -> list[Bench]:
    celery_app.set_current()  # importing it is what makes the transport known
    in_redis = {} if "Redis" in servers.missing_programs() else {"Redis": carry_in_redis}
    measures: dict[str, Measure] = {**in_redis, "durable files": carry_in_files}
    return [Bench("carrying a message", unit="messages/s", measures=measures, aim="≥ 0.5")]

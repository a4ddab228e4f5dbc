"""Processes for the tests of what many share. Each leaves its result as a file of JSON.

python -m tests.contract.worker    lines of JSON: the file for the result, and the words

    connect FACTS
    authorise THREADS
    pull LANE THREADS SECONDS PAUSE RESTAURANT

They are forked from one that has read the whole product: to start Django costs a second of
processor time. A child begins as a new process does: nothing is connected, nothing is cached.
"""

import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import django

django.setup()

from django.db import connections  # noqa: E402 - the models exist only now

from partner import factory  # noqa: E402
from partner.errors import PartnerError, Throttled  # noqa: E402
from partner.limits.priorities import CallPriority  # noqa: E402
from partner.models import Connection  # noqa: E402


def main(what: str, *words: Any) -> dict[str, Any]:
    if what == "connect":
        return {"key": Connection.objects.create(**words[0]).pk}
    if what == "authorise":
        return authorise(*words)
    lane, threads, seconds, pause, restaurant = words
    priority = CallPriority[lane.upper()]
    return pull(priority, threads, seconds=seconds, pause=pause, restaurant=restaurant)


def authorise(threads: int) -> dict[str, Any]:
    faults: list[str] = []

    def ask() -> None:
        try:
            factory.client(priority=CallPriority.BACKFILL).authorise()
        except PartnerError as fault:
            faults.append(str(fault))

    together(ask, threads)
    return {"faults": faults}


def pull(
    lane: CallPriority, threads: int, *, seconds: float, pause: float, restaurant: str
) -> dict[str, Any]:
    waits: list[float] = []
    faults: list[str] = []
    start = time.monotonic()

    def keep_asking() -> None:
        client = factory.client(priority=lane)
        while time.monotonic() < start + seconds:
            began = time.monotonic()
            try:
                client.offers(restaurant, locale="en")
                waits.append(time.monotonic() - began)
            except PartnerError as fault:
                faults.append("429" if isinstance(fault, Throttled) else str(fault))
            time.sleep(pause)

    together(keep_asking, threads)
    facts = {"calls": len(waits), "faults": faults, "waits": sorted(waits)}
    return facts | {"began": start, "ended": time.monotonic()}


def together(work: Callable[[], None], count: int) -> None:
    """Run `work` in that many threads, all starting at once."""
    barrier = threading.Barrier(count)

    def start() -> None:
        barrier.wait()
        try:
            work()
        finally:
            connections.close_all()

    threads = [threading.Thread(target=start) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def start(file: str, words: list[Any]) -> int:
    """Fork a process that does this; return its number."""
    if pid := os.fork():
        return pid
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    code = 1
    try:
        with open(file, "w") as output:
            json.dump(main(*words), output)
        code = 0
    finally:
        sys.excepthook(*sys.exc_info()) if code else None
        os._exit(code)


if __name__ == "__main__":
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    for line in sys.stdin:
        print(start(*json.loads(line)), flush=True)  # noqa: T201 - a pipe to the parent

"""One process of many, for the tests of what they share. Prints one line of JSON.

python -m tests.contract.worker authorise THREADS
python -m tests.contract.worker pull LANE THREADS SECONDS PAUSE RESTAURANT
"""

import json
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


def main(what: str, *words: str) -> dict[str, Any]:
    if what == "authorise":
        return authorise(int(words[0]))
    lane, threads, seconds, pause, restaurant = words
    return pull(
        CallPriority(lane),
        int(threads),
        seconds=float(seconds),
        pause=float(pause),
        restaurant=restaurant,
    )


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


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201 - a pipe to the parent

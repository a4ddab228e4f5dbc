"""The other side of `tests.bench.client`: the calls themselves, in an installation of their own."""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable
from datetime import timedelta
from statistics import median
from typing import Any
from uuid import UUID

import django
import requests

django.setup()

from django.db import connections  # noqa: E402 - the models exist only now
from django.utils import timezone  # noqa: E402

from partner import factory  # noqa: E402
from partner.limits.priorities import CallPriority  # noqa: E402
from partner.models import Connection, Token  # noqa: E402

ROUNDS = 5
CALLS = 800


def main(facts: str, restaurant: str) -> dict[str, Any]:
    connection = Connection.objects.create(**json.loads(facts))
    today = timezone.now().date()
    uuids = list(
        factory.client(priority=CallPriority.SWEEP).reservation_uuids(
            restaurant=restaurant,
            start=today - timedelta(days=40),
            end=today + timedelta(days=10),
            by="mealDate",
        )
    )
    token = Token.objects.of(connection).access_token
    found: dict[str, Any] = {}
    for threads in (16, 32):
        bare, ours = [], []
        for _ in range(ROUNDS):  # in turns: both meet the same moments of a shared machine
            bare.append(timed(uuids, threads, bare_reader(connection.base_url, token)))
            ours.append(timed(uuids, threads, client_reader()))
        found |= compare(threads, bare, ours)
    return found


def bare_reader(base_url: str, token: str) -> Callable[[UUID], object]:
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", requests.adapters.HTTPAdapter(pool_connections=1, pool_maxsize=64))
    headers = {"Authorization": f"Bearer {token}"}

    def read(uuid: UUID) -> object:
        return session.get(
            f"{base_url}/v1/reservations/{uuid}", headers=headers, timeout=(3, 15)
        ).json()

    return read


def client_reader() -> Callable[[UUID], object]:
    return factory.client(priority=CallPriority.BACKFILL).reservation


def timed(uuids: list[UUID], threads: int, read: Callable[[UUID], object]) -> tuple[float, float]:
    """Return calls per second and milliseconds of processor per call."""
    work = iter([uuids[n % len(uuids)] for n in range(CALLS)])
    lock = threading.Lock()

    def pull(source: Iterable[UUID]) -> None:
        while True:
            with lock:
                uuid = next(iter(source), None)
            if uuid is None:
                break
            read(uuid)
        connections.close_all()

    began, processor = time.perf_counter(), time.process_time()
    pullers = [threading.Thread(target=pull, args=(work,)) for _ in range(threads)]
    for puller in pullers:
        puller.start()
    for puller in pullers:
        puller.join()
    spent = time.process_time() - processor
    return CALLS / (time.perf_counter() - began), spent / CALLS * 1000


def compare(
    threads: int, bare: list[tuple[float, float]], ours: list[tuple[float, float]]
) -> dict[str, Any]:
    bare_rate, our_rate = median(r for r, _ in bare), median(r for r, _ in ours)
    return {
        f"{threads} threads: bare session, calls/s": round(bare_rate),
        f"{threads} threads: client, calls/s": round(our_rate),
        f"{threads} threads: ratio": round(our_rate / bare_rate, 2),
        f"{threads} threads: of the ideal": round(our_rate / (threads / 0.05), 2),
        f"{threads} threads: bare session, ms processor a call": round(
            median(spent for _, spent in bare), 2
        ),
        f"{threads} threads: client, ms processor a call": round(
            median(spent for _, spent in ours), 2
        ),
    }


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))  # noqa: T201 - a pipe to the parent

"""What was answered 200 is in the database, whoever is killed and whenever."""

import os
import random
import signal
import time
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count

import pytest

from partner import testing as partner
from webhooks.models import Delivery
from webhooks.testing import some_payload
from webhooks.tests.serving import Web, request, web_program

KILLS = 6
SENDERS = 12
SEED = 5
# The server takes a worker that dies younger than this for one that cannot start, and gives up.
COMES_OF_AGE = 6.0


def kill_workers(web: Web) -> int:
    """Kill one worker after the other, at a moment of chance in its life."""
    dice = random.Random(SEED)
    seen: dict[int, float] = {}
    for _ in range(KILLS):
        time.sleep(COMES_OF_AGE / 2 + dice.uniform(0.1, 1))
        for pid in web.workers():
            seen.setdefault(pid, time.monotonic())
        eldest = min(web.workers(), key=lambda pid: seen.get(pid, time.monotonic()))
        os.kill(eldest, signal.SIGKILL)
    return len(seen)


def send_events(web: Web, *, until: "Future[int]") -> dict[bytes, int]:
    """Send as the service does, each again until its 200. Returns how often each was sent."""
    sent = {}
    while not until.done():
        raw = some_payload()
        sent[raw] = next(
            times
            for times in count(1)
            if web.say(request(raw), patience=3).startswith(b"HTTP/1.1 200")
        )
    return sent


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_it_loses_nothing_when_workers_are_killed():
    partner.connection()
    with web_program(workers=2) as web, ThreadPoolExecutor(SENDERS + 1) as pool:
        killing = pool.submit(kill_workers, web)
        senders = [pool.submit(send_events, web, until=killing) for _ in range(SENDERS)]
        sent = {raw: times for sender in senders for raw, times in sender.result().items()}

    stored = [bytes(raw) for raw in Delivery.objects.values_list("raw", flat=True)]
    assert killing.result() >= KILLS
    assert set(stored) == set(sent)
    assert len(stored) <= sum(sent.values())

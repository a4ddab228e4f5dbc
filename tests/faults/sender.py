"""Workers to be killed: each line that comes in starts so many, and says their numbers.

Forked from a process that has read the whole product already, so that a death costs
milliseconds. A child has its own database connection and sockets, as a real worker does.
"""

import json
import os
import signal
import sys
import time

import django

django.setup()

from django.db import connections  # noqa: E402 - the models exist only now
from django.utils import timezone  # noqa: E402

from outbox import engine  # noqa: E402

REST = 0.02  # seconds between two looks into an empty queue


def work_until_killed(*, mother: int) -> None:
    """Or until nobody is left who would kill it: a test that was broken off leaves no orphans."""
    while os.getppid() == mother:
        engine.work(now=timezone.now())
        time.sleep(REST)


def start() -> int:
    mother = os.getpid()
    pid = os.fork()
    if not pid:
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        work_until_killed(mother=mother)
        os._exit(0)
    return pid


if __name__ == "__main__":
    connections.close_all()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the dead
    for line in sys.stdin:
        print(json.dumps([start() for _n in range(int(line))]), flush=True)  # noqa: T201 - a pipe

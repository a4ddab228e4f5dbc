"""Threads that only take turns stay on one core for the duration of a `with` block."""

import os
import threading

import pytest

from lib.processes.one_core import on_one_core

pytestmark = pytest.mark.skipif(
    not hasattr(os, "sched_getaffinity"), reason="this system lets no process choose its cores"
)


def test_who_is_started_meanwhile_stays_on_the_same_core():
    seen = []
    with on_one_core():
        here = os.sched_getaffinity(0)
        thread = threading.Thread(target=lambda: seen.append(os.sched_getaffinity(0)))
        thread.start()
        thread.join()

    assert len(here) == 1
    assert seen == [here]


def test_afterwards_every_core_may_be_used_again():
    before = os.sched_getaffinity(0)

    with pytest.raises(ValueError, match="stopped"), on_one_core():
        raise ValueError("stopped")

    assert os.sched_getaffinity(0) == before


def test_a_system_that_forbids_it_is_no_obstacle(monkeypatch):
    def refuse(*_args):
        raise PermissionError

    monkeypatch.setattr(os, "sched_setaffinity", refuse)

    with on_one_core():
        worked = True

    assert worked

"""The order of a run: the longest first, and for every worker its share of them.

At the end of a run no worker waits for another that has just begun a long test.
"""

import os
from collections.abc import Iterable
from itertools import groupby, islice
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

WALKS = Path(__file__).parent
# The longest modules, by their seconds: at the end of a run nobody waits for one of these.
LONGEST = (
    "test_storm_on_two_accounts", "test_foreign_answers", "test_start_the_demo",
    "test_set_clock", "test_lose_nothing", "test_many_processes", "test_set_up_from_nothing",
    "test_kill_the_receiver", "test_report_standstills", "test_say_no_raw_word", "test_every_form",
)  # fmt: skip


class Test(Protocol):
    @property
    def path(self) -> Path: ...


SomeTest = TypeVar("SomeTest", bound=Test)


@pytest.hookimpl(trylast=True)  # when what was not chosen has left the list
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    long, walks, short = list[pytest.Item](), list[pytest.Item](), list[pytest.Item]()
    for item in items:
        if {"faults", "slow"} & {mark.name for mark in item.iter_markers()}:
            long.append(item)
        elif WALKS in item.path.parents:
            walks.append(item)
        else:
            short.append(item)
    workers = int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", "1"))
    items[:] = in_blocks(sorted(long, key=place_of), sorted(walks, key=place_of), short, workers)


def place_of(test: Test) -> int:
    """The longest modules by their place in the list, all others behind them, as they stood."""
    return LONGEST.index(test.path.stem) if test.path.stem in LONGEST else len(LONGEST)


def in_blocks(
    long: list[SomeTest], walks: list[SomeTest], short: list[SomeTest], workers: int
) -> list[SomeTest]:
    """The long tests stand at the head of half of the blocks, the walks at the head of the others.
    So no worker has all whole installations to itself, and never are all workers busy with them.
    What is short stands behind: a worker that has done takes from the end of another's block.
    """
    if workers < 2:
        return long + walks + short
    half = (workers + 1) // 2
    heads = hands(long, half) + hands(walks, workers - half)
    rest, ordered = iter(short), list[SomeTest]()
    total = len(long) + len(walks) + len(short)
    for place, head in enumerate(heads):
        size = (total - len(ordered)) // (workers - place)  # as the scheduler cuts the list
        ordered += head + list(islice(rest, max(0, size - len(head))))
    return ordered + list(rest)


def hands(tests: Iterable[SomeTest], count: int) -> list[list[SomeTest]]:
    """Module by module, in turn: what a module has set up is shared."""
    dealt = [list[SomeTest]() for _ in range(count)]
    for place, (_, module) in enumerate(groupby(tests, key=lambda test: test.path)):
        dealt[place % count] += module
    return dealt

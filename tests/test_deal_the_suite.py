"""A run in parallel: no worker is left alone with the long tests at its end."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.blocks import LONGEST, in_blocks, place_of
from tests.processes import ROOT


@dataclass(frozen=True)
class Listed:
    path: Path
    number: int


def some(word: str, *, modules: int, each: int) -> list[Listed]:
    return [Listed(Path(f"{word}_{m}"), n) for m in range(modules) for n in range(each)]


LONG = some("long", modules=5, each=2)
WALKS = some("walk", modules=3, each=3)
SHORT = some("short", modules=7, each=9)


def cut(tests: list[Listed], workers: int) -> list[list[Listed]]:
    """As the scheduler does at the beginning of a run."""
    blocks = []
    for left in range(workers, 0, -1):
        size = len(tests) // left
        blocks.append(tests[:size])
        tests = tests[size:]
    return blocks


@pytest.mark.parametrize("workers", [1, 2, 3, 4, 7])
def test_every_test_runs_once(workers):
    ordered = in_blocks(LONG, WALKS, SHORT, workers)

    assert sorted(ordered, key=str) == sorted([*LONG, *WALKS, *SHORT], key=str)


def test_half_of_the_workers_begin_with_long_tests_and_the_others_with_walks():
    blocks = cut(in_blocks(LONG, WALKS, SHORT, 4), 4)

    assert [block[0].path.name for block in blocks] == ["long_0", "long_1", "walk_0", "walk_1"]


def test_no_block_ends_with_a_long_one():
    blocks = cut(in_blocks(LONG, WALKS, SHORT, 4), 4)

    assert all(block[-1] in SHORT for block in blocks)


def test_tests_of_a_module_stay_together():
    for block in cut(in_blocks(LONG, WALKS, SHORT, 4), 4):
        long = [test for test in block if test in LONG]
        assert long == [test for test in LONG if test.path in {one.path for one in long}]


def test_one_worker_begins_with_the_long_ones():
    assert in_blocks(LONG, WALKS, SHORT, 1) == [*LONG, *WALKS, *SHORT]


def test_the_longest_modules_begin_first():
    names = ["test_drain_web.py", "test_start_the_demo.py", "test_storm_on_two_accounts.py"]
    listed = sorted([Listed(Path(name), 0) for name in names], key=place_of)

    assert [test.path.name for test in listed] == names[::-1]


def test_a_long_walk_begins_before_the_others():
    walks = sorted([*WALKS, Listed(Path("test_every_form.py"), 0)], key=place_of)
    blocks = cut(in_blocks(LONG, walks, SHORT, 4), 4)

    assert [block[0].path.name for block in blocks[2:]] == ["test_every_form.py", "walk_0"]


@pytest.mark.parametrize("name", LONGEST)
def test_each_of_the_longest_is_a_module(name):
    assert list(ROOT.glob(f"tests/**/{name}.py"))

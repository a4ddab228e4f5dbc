"""A process that answers pages gets ready before the first of them."""

import gc

import pytest

from config.warm import warm
from lib.garbage import YOUNG


@pytest.fixture
def collector():
    """The tests go on with the collector as it was."""
    thresholds = gc.get_threshold()
    yield gc
    gc.unfreeze()
    gc.set_threshold(*thresholds)


def test_the_program_itself_is_no_longer_looked_through(collector):
    warm()

    assert collector.get_freeze_count() > 10_000
    assert collector.get_threshold()[0] == YOUNG


def test_what_comes_later_still_goes(collector):
    warm()
    made: list[object] = []
    made.append(made)
    del made

    assert collector.collect() >= 1

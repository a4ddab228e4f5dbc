"""A process that answers pages gets ready before the first of them."""

import gc
import importlib

import pytest
from celery.signals import worker_init
from django.db import connection
from django.db.backends.signals import connection_created
from django.db.backends.sqlite3.base import DatabaseWrapper

import config
from config.warm import warm
from customers.allergies.lexicon import lexicon
from lib.database.sqlite import read_in_place
from lib.processes.gc_tuning import YOUNG

pytestmark = pytest.mark.django_db


@pytest.fixture
def collector():
    """The tests go on with the collector as it was."""
    thresholds = gc.get_threshold()
    yield gc
    gc.unfreeze()
    gc.set_threshold(*thresholds)
    connection_created.disconnect(read_in_place)


def test_its_start_is_hardly_searched_for_garbage(collector):
    collector.set_threshold(700)

    importlib.reload(config)

    assert collector.get_threshold()[0] == YOUNG


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


def test_it_reads_sqlite_in_place_and_others_do_not(collector, tmp_path):
    def mapped():
        wrapper = DatabaseWrapper(
            {**connection.settings_dict, "NAME": str(tmp_path / "mapped"), "OPTIONS": {}}, "mapped"
        )
        with wrapper.cursor() as cursor:
            (size,) = cursor.execute("PRAGMA mmap_size").fetchone()
        wrapper.close()
        return size

    before = mapped()
    warm()

    assert mapped() > before == 0


def test_a_worker_has_loaded_the_word_lists_before_its_first_task():
    lexicon.cache_clear()
    worker_init.send(sender=None)

    assert lexicon.cache_info().currsize == 1

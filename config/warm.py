"""Warm-up of a web process, once before its first page.

The benchmarks start with the same call, so that they measure what people get.
"""

from django.db import connection
from django.db.backends.signals import connection_created
from django.urls import get_resolver

from customers.allergies.lexicon import lexicon
from lib.database.sqlite import read_in_place
from lib.processes.gc_tuning import keep_what_is_loaded


def warm() -> None:
    """Load the URL configuration and the word lists of allergies, tune the garbage collector, map
    the SQLite file.
    """
    _patterns = get_resolver().reverse_dict
    _words = lexicon()
    connection_created.connect(read_in_place)
    if connection.connection:
        read_in_place(connection=connection)
    keep_what_is_loaded()

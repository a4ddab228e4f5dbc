"""What a process that answers pages does once, before the first of them.

The benchmarks start with the same call, so that they measure what people get.
"""

import gc

from django.urls import get_resolver

# Pages make thousands of short-lived objects and hardly a cycle: to look through the young ones
# seventy times less often holds back a few megabytes.
YOUNG, MIDDLE, OLD = 50_000, 10, 10


def warm() -> None:
    """Read all addresses, and let the garbage collector forget the program itself.

    A full collection walks every object that lives. Modules, models and addresses are nearly all
    of them, stay for ever, and would hold up the unlucky request for a tenth of a second.
    """
    _patterns = get_resolver().reverse_dict
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, MIDDLE, OLD)

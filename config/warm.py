"""What a process that answers pages does once, before the first of them.

The benchmarks start with the same call, so that they measure what people get.
"""

from django.urls import get_resolver

from lib.garbage import collect_rarely


def warm() -> None:
    """Read all addresses, which are many, and stay."""
    _patterns = get_resolver().reverse_dict
    collect_rarely()

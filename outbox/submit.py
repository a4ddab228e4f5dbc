"""Takes intents from the apps: stores them at once and notifies the workers."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from django.core.cache import cache

from accounts.models import User
from lib.broker.worker_signals import notify_workers
from outbox import engine, tasks
from outbox.models import Intent

# Longer than a request may take; a process that dies holds the others up no longer than this.
LOCK_SECONDS = 30
POLL_SECONDS = 0.05


@contextmanager
def form_lock(key: str, *, actor: User) -> Iterator[None]:
    """Serialise requests with the same form, across all processes.

    The second request waits for the first, and then finds its intent.
    """
    name = f"outbox:form:{actor.pk}:{key[:36]}"
    give_up_at = time.monotonic() + LOCK_SECONDS
    while not (is_ours := cache.add(name, True, LOCK_SECONDS)) and time.monotonic() < give_up_at:
        time.sleep(POLL_SECONDS)
    try:
        yield
    finally:
        if is_ours:
            cache.delete(name)


def resent(key: str, *, actor: User) -> Intent | None:
    """The intent that was already made from this form, if it is sent a second time."""
    try:
        return Intent.objects.filter(key=UUID(key), actor=actor).first()
    except ValueError:
        return None


def submit(action: str, **fields: Any) -> Intent:
    """Record an intent (see `engine.submit`) and offer it to the workers after the commit.

    Without a broker the periodic task finds it within two seconds.
    """
    intent = engine.submit(action, **fields)
    notify_workers(tasks.work)
    return intent

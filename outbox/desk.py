"""Where the rooms hand in their wishes: recorded at once, and the workers told."""

from typing import Any
from uuid import UUID

from accounts.models import User
from lib.hints import hint_workers
from outbox import engine, tasks
from outbox.models import Intent


def resent(key: str, *, actor: User) -> Intent | None:
    """The wish that this very form has become already, when it comes a second time."""
    try:
        return Intent.objects.filter(key=UUID(key), actor=actor).first()
    except ValueError:
        return None


def submit(action: str, **wish: Any) -> Intent:
    """Record a wish (see `engine.submit`) and offer it to the workers after the commit.

    Without a broker it is found by the beat within two seconds; the person never waits for one.
    """
    intent = engine.submit(action, **wish)
    hint_workers(tasks.work)
    return intent

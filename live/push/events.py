"""Notes what people may get a push message of, in the transaction that stores what happened."""

from collections.abc import Sequence

from accounts.push.models import PushDevice
from lib.broker.worker_signals import notify_workers
from live import tasks
from live.push.models import PushEvent


def are_wanted() -> bool:
    """Whether anybody has a device. One query: ask before others."""
    return PushDevice.objects.exists()


def note(events: Sequence[PushEvent]) -> None:
    """Store events, unless nobody has a device. One that was noted before stays one.

    Two queries where something happened, else none.
    """
    if events and are_wanted():
        PushEvent.objects.bulk_create(events, ignore_conflicts=True)
        notify_workers(tasks.send_pushes)

"""Ask the mirror for a fresh copy of a guest, because somebody is waiting for it."""

from uuid import UUID

from django.utils import timezone

from accounts.requests import SignedInRequest
from lib.worker_signals import notify_workers
from mirror import queue, tasks
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority


def read_soon(request: SignedInRequest, uuid: UUID, location: EntityLocation) -> None:
    """Before everything that no person waits for."""
    target = EntityRef("customer", uuid, location)
    queue.request([target], priority=Priority.PERSON, now=timezone.now(), actor=request.user.pk)
    notify_workers(tasks.work)

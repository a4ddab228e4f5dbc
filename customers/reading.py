"""Requests a fresh copy of a guest from the mirror, because a person waits for it."""

from uuid import UUID

from django.utils import timezone

from accounts.requests import SignedInRequest
from lib.worker_signals import notify_workers
from mirror import queue, tasks
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority


def request_refresh(request: SignedInRequest, uuid: UUID, location: EntityLocation) -> None:
    """Request with the priority of a person."""
    target = EntityRef("customer", uuid, location)
    queue.request([target], priority=Priority.PERSON, now=timezone.now(), actor=request.user.pk)
    notify_workers(tasks.work)

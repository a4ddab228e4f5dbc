"""The sandbox's groups and restaurants as rows of ours, and the workers' part of a journey."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from django.utils import timezone

from mirror import kinds
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from outbox import engine
from partner import factory
from restaurants.models import Group, Restaurant

A_HOLD = timedelta(seconds=9)


def make_places(world: dict[str, Any]) -> list[Restaurant]:
    made = []
    for known in world["groups"]:
        group = Group.objects.create(uuid=UUID(known["uuid"]), name=known["name"])
        for place in known["restaurants"]:
            facts = {name: place[name] for name in ("name", "timezone", "currency", "country")}
            made.append(Restaurant.objects.create(group=group, uuid=UUID(place["uuid"]), **facts))
    return made


def carry() -> None:
    """What the workers do: send what is due, held intents included, then read what changed."""
    engine.work(now=timezone.now() + A_HOLD)
    read_what_changed()


def read_what_changed() -> None:
    """One read after the other, in the test's own thread: a test's transaction is not shared."""
    client = factory.client()
    while claims := sync_requests.claim(limit=50, now=timezone.now() + A_HOLD):
        results = []
        for claim in claims:
            answer = kinds.get(claim.kind).fetch(client, claim.uuid)
            results.append(ReadResult(claim, answer=answer, fetched_at=timezone.now()))
        store.settle(results, now=timezone.now())

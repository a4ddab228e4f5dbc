"""Finds new comments on demand: lists reviews with a comment before the hourly sweep does.

The service lists comments by the day of the meal, per restaurant. Only reviews that are
missing or unpublished here are requested; a person waits for the lists, not for the reads.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from accounts.models import User
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from partner import factory
from partner.errors import PartnerError
from restaurants.models import Restaurant
from reviews import sync
from reviews.models import PUBLISHED, Review

MEALS_WITHIN = timedelta(days=30)
MOST_RESTAURANTS = 12


class NewComments:
    """The result of one search. It stops at the first fault and keeps what was found before."""

    def __init__(self, restaurants: list[Restaurant]) -> None:
        self.restaurants = restaurants[:MOST_RESTAURANTS]
        self.left_out = len(restaurants) - len(self.restaurants)
        self.found = 0
        self.problem: PartnerError | None = None

    def look(self, *, by: User, now: datetime) -> None:
        """Request every comment that is not here yet."""
        try:
            for restaurant in self.restaurants:
                client = factory.client(restaurant.group.connection_id)
                self._look_at(client, restaurant, by=by, now=now)
        except PartnerError as error:
            self.problem = error

    def _look_at(self, client: Any, restaurant: Restaurant, *, by: User, now: datetime) -> None:
        listed: list[UUID] = []
        try:
            # A meal of tonight may be tomorrow's by UTC.
            until = (now + timedelta(days=1)).date()
            start = (now - MEALS_WITHIN).date()
            for uuid in sync.commented_uuids(client, restaurant.uuid, start, until):
                listed.append(uuid)  # noqa: PERF402  # what came before a fault is kept
        finally:
            location = EntityLocation(restaurant.group.uuid, restaurant.uuid)
            missing = [EntityRef("review", uuid, location) for uuid in without_comment_here(listed)]
            self.found += sync_requests.request(
                missing, priority=Priority.PERSON, now=now, actor=by.pk
            )


def without_comment_here(uuids: Iterable[UUID]) -> list[UUID]:
    """Those of the listed reviews whose published comment we do not hold. One query."""
    wanted = list(dict.fromkeys(uuids))
    held = Review.objects.present().filter(pk__in=wanted, comment_status=PUBLISHED)
    known = set(held.values_list("pk", flat=True))
    return [uuid for uuid in wanted if uuid not in known]

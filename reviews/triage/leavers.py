"""Reviews that are assigned to somebody who may no longer answer them: they go back to nobody.

Roles are removed in an app that knows no reviews, and a review that waits for a person who has left
is in nobody's list.
"""

from datetime import datetime
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from restaurants.models import Membership
from reviews.models import Work
from reviews.models.work import OPEN
from reviews.reply import workflow
from reviews.triage.people import ANSWER


def release(*, now: datetime) -> int:
    """Release the open ones. One query while nobody has left; returns how many."""
    pks = _left_behind()
    for pk in pks:
        workflow.release(pk, now=now)
    return len(pks)


def _left_behind() -> list[UUID]:
    writing = Membership.objects.allowing(ANSWER).filter(
        Q(restaurant=OuterRef("restaurant")) | Q(group=OuterRef("restaurant__group")),
        user=OuterRef("assignee"),
        user__is_active=True,
    )
    assigned = Work.objects.filter(assignee__isnull=False, queue__in=OPEN)
    return list(assigned.filter(~Exists(writing)).values_list("pk", flat=True))

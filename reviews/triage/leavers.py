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
    found = _left_behind()
    for pk, left in found:
        workflow.release(pk, left=left, now=now)
    return len(found)


def _left_behind() -> list[tuple[UUID, int]]:
    """The reviews, and who has left each of them."""
    writing = Membership.objects.allowing(ANSWER).filter(
        Q(restaurant=OuterRef("restaurant")) | Q(group=OuterRef("restaurant__group")),
        user=OuterRef("assignee"),
        user__is_active=True,
    )
    assigned = Work.objects.filter(assignee__isnull=False, queue__in=OPEN)
    return list(assigned.filter(~Exists(writing)).values_list("pk", "assignee"))

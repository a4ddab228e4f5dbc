"""Who may answer reviews, and how many open ones each has."""

from collections.abc import Collection

from django.db.models import Count, Q, QuerySet

from accounts.models import User
from restaurants.models import Membership, Restaurant
from reviews.models import Work
from reviews.models.work import OPEN

ANSWER = "reviews.suggest_reply"


def who_may_answer(restaurants: Collection[Restaurant]) -> QuerySet[User]:
    """The people with a role at one of them, or in its group, that may write replies."""
    groups = {one.group_id for one in restaurants}
    writing = Membership.objects.allowing(ANSWER)
    there = writing.filter(Q(restaurant__in=restaurants) | Q(group__in=groups))
    return User.objects.filter(is_active=True, pk__in=there.values("user")).order_by("name", "pk")


def open_counts(people: QuerySet[User], viewer: User) -> dict[int, int]:
    """How many open reviews each of them has already, within the viewer's reach. One query."""
    works = Work.objects.visible_to(viewer).filter(assignee__in=people, queue__in=OPEN)
    return dict(works.values_list("assignee").annotate(n=Count("pk")))

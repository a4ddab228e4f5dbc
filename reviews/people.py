"""Who takes part in answering."""

from django.db.models import Q, QuerySet

from accounts.models import User
from restaurants.models import Membership, Restaurant


def who_may_answer(restaurant: Restaurant) -> QuerySet[User]:
    """The people with a role at the restaurant or in its group that may write replies."""
    writing = Membership.objects.allowing("reviews.suggest_reply")
    there = writing.filter(Q(restaurant=restaurant) | Q(group=restaurant.group_id))
    return User.objects.filter(is_active=True, pk__in=there.values("user"))

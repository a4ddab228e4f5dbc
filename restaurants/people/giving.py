"""Gives roles that last: the one place that writes them for a person's page and for invitations."""

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.models import Group, Membership, Restaurant


def give_role(
    person: User, *, role: str, group: Group | None, restaurant: Restaurant | None
) -> Membership:
    """Give the person the role; another one that they held there is replaced.

    One that they took there for a while ends first, because its end deletes its row.
    """
    with transaction.atomic():
        EmergencyAccess.objects.running().filter(person=person, group=group).update(
            ended_at=timezone.now(), membership=None
        )
        membership, _made = Membership.objects.update_or_create(
            user=person, group=group, restaurant=restaurant, defaults={"role": role}
        )
    return membership

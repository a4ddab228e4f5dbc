"""Which people a person sees, and which of them they may change."""

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from restaurants.models import Group, Membership, Restaurant

RIGHT = "accounts.manage_people"


def people_visible_to(user: User, permission: str | None = None) -> QuerySet[User]:
    """Everyone with a role in a place within reach, or where `permission` is held. One query.

    Owners see everybody, because they decide who else is one.
    """
    if permission and user.is_barred_from(permission):
        return User.objects.none()
    if user.owns_installation:
        return User.objects.all()
    there = Membership.objects.filter(
        Q(group__in=Group.objects.visible_to(user, permission))
        | Q(restaurant__in=Restaurant.objects.visible_to(user, permission))
    )
    return User.objects.filter(pk__in=there.values("user"))


def memberships_visible_to(user: User) -> QuerySet[Membership]:
    """The roles at places where the person manages people, none of elsewhere. Owners see all."""
    if user.owns_installation:
        return Membership.objects.select_related("group", "restaurant")
    there = Q(group__in=Group.objects.visible_to(user, RIGHT))
    roles = Membership.objects.filter(
        there | Q(restaurant__in=Restaurant.objects.visible_to(user, RIGHT))
    )
    return roles.select_related("group", "restaurant")


def with_visible_roles(people: QuerySet[User], user: User) -> QuerySet[User]:
    """Each person with `visible_roles`, and `works_elsewhere`: what they do there is not shown."""
    visible = memberships_visible_to(user)
    elsewhere = Membership.objects.filter(user=OuterRef("pk")).exclude(pk__in=visible.values("pk"))
    return people.annotate(works_elsewhere=Exists(elsewhere)).prefetch_related(
        Prefetch("memberships", queryset=visible, to_attr="visible_roles")
    )


def works_in(person: User, place: Group | Restaurant) -> bool:
    """Whether the person has a role somewhere in the group of the place."""
    group = place if isinstance(place, Group) else place.group
    return person.memberships.filter(Q(group=group) | Q(restaurant__group=group)).exists()


def memberships_run_by(user: User) -> QuerySet[Membership]:
    """The roles that a person may give and take away."""
    return Membership.objects.filter(
        Q(group__in=Group.objects.run_by(user, RIGHT))
        | Q(restaurant__in=Restaurant.objects.visible_to(user, RIGHT))
    )


def is_run_by(person: User, user: User) -> bool:
    """Whether a person works only at places of this admin.

    Only then may the admin deactivate them or send them a password link, because both affect other
    groups too. Two queries.
    """
    if user.owns_installation:
        return not person.is_superuser
    elsewhere = person.memberships.exclude(pk__in=memberships_run_by(user).values("pk"))
    is_above = person.is_owner or person.is_superuser or person.is_staff
    return not is_above and not elsewhere.exists()


def names_of_places(user: User) -> list[str]:
    """The names of the places where a person works, which no password may consist of. One query."""
    places = Restaurant.objects.visible_to(user)
    names = places.values_list("name", "short_name", "group__name")
    return [name for place in names for name in place if name]

"""Which people a person sees, and which of them they may change."""

from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from accounts.models import User
from partner.models import Connection
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.models import Group, Membership, Restaurant

RIGHT = "accounts.manage_people"


def people_visible_to(user: User, permission: str | None = None) -> QuerySet[User]:
    """Everyone with a role in a place within reach, or where `permission` is held. One query.

    Owners see everybody of their connections, because they decide who else is an owner.
    """
    if permission and user.is_barred_from(permission):
        return User.objects.none()
    if user.owns_installation:
        return User.objects.all()
    there = Membership.objects.filter(
        Q(group__in=Group.objects.visible_to(user, permission))
        | Q(restaurant__in=Restaurant.objects.visible_to(user, permission))
        | of_owned_groups(user)
    )
    owners = Q(owned_connections__in=user.owned_connection_ids)
    return User.objects.filter(Q(pk__in=there.values("user")) | owners).distinct()


def of_owned_groups(user: User) -> Q:
    """Roles in groups of the person's connections."""
    connections = user.owned_connection_ids
    of_place = Q(restaurant__group__connection__in=connections)
    return Q(group__connection__in=connections) | of_place


def memberships_visible_to(user: User) -> QuerySet[Membership]:
    """The roles at places where the person manages people, and at those of their connections."""
    if user.owns_installation:
        return Membership.objects.select_related("group", "restaurant")
    there = Q(group__in=Group.objects.visible_to(user, RIGHT)) | of_owned_groups(user)
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


def groups_staffed_by(user: User) -> QuerySet[Group]:
    """Groups in which the person gives and takes roles: as their admin, or as an owner."""
    run = lasting_roles(user).exclude(group=None).values("group")
    return Group.objects.filter(Q(pk__in=run) | Q(pk__in=owned_groups(user)))


def restaurants_staffed_by(user: User) -> QuerySet[Restaurant]:
    roles = lasting_roles(user)
    return Restaurant.objects.filter(
        Q(pk__in=roles.exclude(restaurant=None).values("restaurant"))
        | Q(group__in=roles.exclude(group=None).values("group"))
        | Q(group__in=owned_groups(user))
    )


def lasting_roles(user: User) -> QuerySet[Membership]:
    """The roles with which the person manages people, without those taken for a while.

    A role given by one of these, to the person or to anybody, would outlive its end.
    """
    if user.is_barred_from(RIGHT):
        return Membership.objects.none()
    taken = EmergencyAccess.objects.running().filter(membership=OuterRef("pk"))
    return Membership.objects.of(user, permission=RIGHT).filter(~Exists(taken))


def owned_groups(user: User) -> QuerySet[Group, int]:
    """The keys of the groups of an owner.

    None of a superuser: whoever runs the server takes a role for a while, and that gives no other.
    """
    if user.is_superuser or user.is_barred_from(RIGHT):
        return Group.objects.none().values_list("pk", flat=True)
    return Group.objects.owned_by(user).values_list("pk", flat=True)


def memberships_run_by(user: User) -> QuerySet[Membership]:
    """The roles that a person may give and take away."""
    return Membership.objects.filter(at_places_of(user))


def at_places_of(user: User) -> Q:
    """Of roles and of invitations: those at places where the person gives and takes roles."""
    groups, restaurants = groups_staffed_by(user), restaurants_staffed_by(user)
    return Q(group__in=groups) | Q(restaurant__in=restaurants)


def is_run_by(person: User, user: User) -> bool:
    """Whether a person works only at places of this admin.

    Only then may the admin deactivate them or send them a password link, because both affect other
    groups too. Two queries.
    """
    if user.owns_installation:
        return not person.is_superuser
    here = memberships_run_by(user) | Membership.objects.filter(of_owned_groups(user))
    elsewhere = person.memberships.exclude(pk__in=here.values("pk"))
    owns_more = person.is_owner and not user.owned_connection_ids.issuperset(owned_by(person))
    is_above = owns_more or person.is_superuser or person.is_staff
    return not is_above and not elsewhere.exists()


def owned_by(person: User) -> set[int]:
    """The keys of the person's connections; a key that nobody owns before there is a connection."""
    return set(person.owned_connections.values_list("pk", flat=True)) or {0}


def owns_with(person: User, user: User) -> bool:
    """Whether the person is an owner, as far as this owner may know: of a connection of both."""
    if user.owns_installation:
        return person.is_owner
    return person.is_owner and not user.owned_connection_ids.isdisjoint(owned_by(person))


def connections_to_own(person: User, user: User) -> list[tuple[Connection, bool]]:
    """The connections of this owner, and whether the person owns each; none if there is no choice.

    Two queries for who owns several, else none.
    """
    mine = user.owned_connection_ids
    if len(mine) < 2:
        return []
    theirs = owned_by(person)
    rows = Connection.objects.filter(pk__in=mine).order_by("name", "pk")
    return [(one, one.pk in theirs) for one in rows]


def names_of_places(user: User) -> list[str]:
    """The names of the places where a person works, which no password may consist of. One query."""
    places = Restaurant.objects.visible_to(user)
    names = places.values_list("name", "short_name", "group__name")
    return [name for place in names for name in place if name]

"""Who may do what, where: memberships turned into Django permissions.

`require` guards views; below this app `user.has_perm` gives the same answer, because the backend
here is one of `AUTHENTICATION_BACKENDS`.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AnonymousUser, Permission
from django.core.exceptions import PermissionDenied
from django.db.models import BigIntegerField, Model, Value
from django.db.models.functions import Coalesce
from django.http import HttpRequest

from accounts.models import User
from accounts.rights import INSTANCE, OF_INSTALLATION, OWNER, OWNERS_TOO, SUPERUSERS_TOO
from lib.database.compiled_queries import prepared, prepared_models
from partner.models import Connection
from restaurants.models import Group, Membership, Restaurant

IN_MENUS = ("group__name", "group_id", "name")


def can(
    user: User | AnonymousUser,
    permission: str,
    restaurant: Restaurant | None = None,
    *,
    group: Group | None = None,
) -> bool:
    """Whether the person holds the permission: there, or anywhere when no place is given.

    Costs one query per request, however many rights and places are checked.
    """
    return user.has_perm(permission, restaurant or group)


def require(
    request: HttpRequest,
    permission: str,
    restaurant: Restaurant | None = None,
    *,
    group: Group | None = None,
) -> None:
    """Answer 403 to a person without the permission. Outsiders were answered 404 before."""
    if not can(request.user, permission, restaurant, group=group):
        raise PermissionDenied


def places_with(user: User, permission: str) -> list[Restaurant]:
    """The restaurants where the person holds the permission, with their groups; nowhere is 403."""
    places = Restaurant.objects.visible_to(user, permission).select_related("group")
    found = list(places.order_by(*IN_MENUS))
    if not found:
        raise PermissionDenied
    return found


class MembershipBackend(BaseBackend):
    """Tells Django which permissions a person's memberships carry. Signs nobody in."""

    def get_all_permissions(
        self, user_obj: User | AnonymousUser, obj: Model | None = None
    ) -> set[str]:
        if not isinstance(user_obj, User) or not user_obj.is_active:
            return set()
        rights = rights_of_roles(user_obj)
        roles = rights.keys() if obj is None else roles_at(user_obj, obj)
        found = set[str]().union(*(rights.get(role, ()) for role in roles))
        if user_obj.is_owner:
            found |= rights_of_owner(user_obj, obj)
        return found | INSTANCE.keys() | SUPERUSERS_TOO if user_obj.is_superuser else found

    def get_roles(self, user: User) -> Iterable[str]:
        return rights_of_roles(user).keys()

    def get_roles_by_connection(self, user: User) -> Iterable[tuple[str, int | None]]:
        of_place = Coalesce("group__connection", "restaurant__group__connection")
        return Membership.objects.filter(user=user).values_list("role", of_place)


def rights_of_owner(user: User, place: Model | None) -> set[str]:
    """The rights of an owner at a place of one of their connections, or anywhere."""
    if user.owns_installation:
        return OWNER.keys() | OWNERS_TOO
    is_own = place is None or connection_of(place) in user.owned_connection_ids
    if not (is_own and user.owned_connection_ids):
        return set()
    return (OWNER.keys() | OWNERS_TOO) - OF_INSTALLATION


def connection_of(place: Model) -> int | None:
    """The key of the connection to which a place belongs, or which it is."""
    if isinstance(place, Connection):
        return place.pk
    group = place.group if isinstance(place, Restaurant) else place
    return group.connection_id if isinstance(group, Group) else None


class Held(NamedTuple):
    """What the memberships of a person carry."""

    rights: dict[str, set[str]]  # of every role they hold anywhere
    # The role, the group it was given for, or the restaurant and the group of that.
    places: list[tuple[str, int | None, int | None, int | None]]


def rights_of_roles(user: User) -> dict[str, set[str]]:
    """The rights of every role the person holds anywhere."""
    return _held_by(user).rights


def roles_at(user: User, place: Model) -> set[str]:
    """The roles a person holds at a restaurant, or anywhere within a group."""
    places = _held_by(user).places
    if isinstance(place, Group):
        return {role for role, group, _id, within in places if place.pk in (group, within)}
    if not isinstance(place, Restaurant):
        return set()
    return {
        role
        for role, group, restaurant, _group in places
        if place.group_id == group or place.pk == restaurant
    }


def _held_by(user: User) -> Held:
    """One query, kept on the user."""
    if "rights" not in user.held:
        held = Held({}, [])
        for role, app, codename, *place in _rights_and_places(user.pk):
            if codename:
                held.rights.setdefault(role, set()).add(f"{app}.{codename}")
            else:
                held.places.append((role, *place))
        user.held["rights"] = held
    found: Held = user.held["rights"]
    return found


@prepared
def _rights_and_places(user_id: int) -> Any:
    held, nowhere = Membership.objects.filter(user=user_id), Value(None, BigIntegerField())
    rights = Permission.objects.filter(group__name__in=held.values("role")).order_by()
    places = held.order_by().values_list(
        *("role", Value(""), Value(""), "group_id", "restaurant_id", "restaurant__group_id")
    )
    return places.union(
        rights.values_list(
            *("group__name", "content_type__app_label", "codename", nowhere, nowhere, nowhere)
        ),
        all=True,
    )


def within_reach(user: User) -> list[Restaurant]:
    """Every restaurant the person may see, with its group, in the order of menus.

    One query, kept on the user.
    """
    if "reach" not in user.held:
        found: list[Restaurant] = _reach(user.pk)
        groups: dict[int, Group] = {}
        for restaurant in found:
            restaurant.group = groups.setdefault(restaurant.group_id, restaurant.group)
        user.held["reach"] = found
    return list(user.held["reach"])


@prepared_models
def _reach(user_id: int) -> Any:
    reach = Restaurant.objects.visible_to(User(pk=user_id))
    return reach.select_related("group").order_by(*IN_MENUS)

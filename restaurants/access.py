"""Who may do what, where: memberships turned into Django permissions.

`require` guards views; below this room `user.has_perm` gives the same answer, because the backend
here is one of `AUTHENTICATION_BACKENDS`.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.backends import BaseBackend
from django.contrib.auth.models import AnonymousUser, Permission
from django.core.exceptions import PermissionDenied
from django.db.models import Model
from django.http import HttpRequest

from accounts.models import User
from lib.prepared import prepared, prepared_models
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

    Costs one query per request without a place and one more with any number of places.
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
        return {right for role in roles for right in rights.get(role, ())}

    def get_roles(self, user: User) -> Iterable[str]:
        return rights_of_roles(user).keys()


def rights_of_roles(user: User) -> dict[str, set[str]]:
    """The rights of every role the person holds anywhere. One query, kept on the user."""
    if "rights" not in user.held:
        rights: dict[str, set[str]] = {}
        for role, app, codename in _rights(user.pk):
            rights.setdefault(role, set()).add(f"{app}.{codename}")
        user.held["rights"] = rights
    held: dict[str, set[str]] = user.held["rights"]
    return held


def roles_at(user: User, place: Model) -> set[str]:
    """The roles a person holds at a restaurant, or anywhere within a group. May query once."""
    if "places" not in user.held:
        user.held["places"] = _places(user.pk)
    if isinstance(place, Group):
        return {
            role for role, group, _id, within in user.held["places"] if place.pk in (group, within)
        }
    if not isinstance(place, Restaurant):
        return set()
    return {
        role
        for role, group, restaurant, _group in user.held["places"]
        if place.group_id == group or place.pk == restaurant
    }


@prepared
def _rights(user_id: int) -> Any:
    roles = Membership.objects.filter(user=user_id).values("role")
    rights = Permission.objects.filter(group__name__in=roles).order_by()
    return rights.values_list("group__name", "content_type__app_label", "codename")


@prepared
def _places(user_id: int) -> Any:
    held = Membership.objects.filter(user=user_id)
    return held.values_list("role", "group_id", "restaurant_id", "restaurant__group_id")


def within_reach(user: User) -> list[Restaurant]:
    """Every restaurant the person may see, with its group, in the order of menus.

    One query, kept on the user.
    """
    if "reach" not in user.held:
        found: list[Restaurant] = _everywhere() if user.is_superuser else _reach(user.pk)
        groups: dict[int, Group] = {}
        for restaurant in found:
            restaurant.group = groups.setdefault(restaurant.group_id, restaurant.group)
        user.held["reach"] = found
    return list(user.held["reach"])


@prepared_models
def _reach(user_id: int) -> Any:
    reach = Restaurant.objects.visible_to(User(pk=user_id))
    return reach.select_related("group").order_by(*IN_MENUS)


@prepared_models
def _everywhere() -> Any:
    return Restaurant.objects.select_related("group").order_by(*IN_MENUS)

"""Taking data away: whose it may be, and the line in the audit trail."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

from accounts import audit, quotas
from accounts.requests import SignedInRequest
from restaurants.access import can
from restaurants.models import Group, Restaurant
from restaurants.shell import shell_of

EXPORT = "insights.export_data"


def exportable_restaurants(request: HttpRequest) -> list[Restaurant]:
    """The restaurants of the screen whose data the person may take away; 403 when there is none."""
    shown = shell_of(request).scope_restaurants
    allowed = [one for one in shown if can(request.user, EXPORT, one)]
    if not allowed:
        raise PermissionDenied
    return allowed


def exportable_groups(request: HttpRequest) -> list[Group]:
    """The groups whose guests the person may export. 403 when there is none."""
    if not (groups := groups_to_export(request)):
        raise PermissionDenied
    return groups


def groups_to_export(request: HttpRequest) -> list[Group]:
    """Profiles belong to all restaurants of a group, so the right must be held at each."""
    held = {one.pk for one in shell_of(request).restaurants if can(request.user, EXPORT, one)}
    groups = {one.group_id: one.group for one in shell_of(request).scope_restaurants}
    everywhere = Restaurant.objects.filter(group__in=groups).values_list("group_id", "pk")
    for group_id, restaurant_id in everywhere:
        if restaurant_id not in held:
            groups.pop(group_id, None)
    return list(groups.values())


def record(request: SignedInRequest, what: str, *, suffix: str) -> None:
    """Write down who took what, before the first byte leaves; too much in an hour is refused."""
    quotas.spend(request, "export")
    shell = shell_of(request)
    details = {"as": suffix, "address": shell.query}
    audit.record(request.user, f"exported {what}", details=details, within=shell.scope_restaurants)

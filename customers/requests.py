"""What a request reaches: one guest, the guests in scope, a search, a fresh read."""

from typing import Any
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from accounts.models import User
from accounts.requests import SignedInRequest
from customers.guest_list.pages import ListContext
from customers.models import Customer
from customers.search.quick_search import Search
from lib.broker.worker_signals import notify_workers
from lib.database.compiled_queries import prepared_models
from mirror import tasks
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from partner.auth import capabilities
from partner.errors import NotConfigured
from restaurants.access import can, require
from restaurants.models import Group, Restaurant
from restaurants.shell import shell_of

VIEW = "customers.view_customer"


def guest_within_reach(request: SignedInRequest, uuid: UUID) -> Customer:
    """404 for an outsider, 403 without the right. The erased are found too, as tombstones."""
    found: list[Customer] = _visible_guest(request.user.pk, uuid)
    if not found:
        raise Http404
    require(request, VIEW, group=found[0].group)
    return found[0]


@prepared_models
def _visible_guest(user_id: int, uuid: UUID) -> Any:
    rows = Customer.objects.visible_to(User(pk=user_id)).filter(pk=uuid)
    return rows.select_related("group").light()


def where_of(request: SignedInRequest) -> ListContext:
    shell = shell_of(request)
    found = {one.group_id: one.group for one in shell.scope_restaurants}
    allowed = [g for g in found.values() if can(request.user, VIEW, group=g)]
    return ListContext(request.user, shell.scope_restaurants, allowed, shell.day)


def search_of(request: SignedInRequest, text: str) -> Search:
    return Search(text, request.user, shell_of(request).scope_restaurants, now=timezone.now())


def request_refresh(
    request: SignedInRequest, uuid: UUID, group: Group, place: Restaurant | None = None
) -> str:
    """Request with the priority of a person. Returns why it is not read at once, or "".

    Nothing is requested that the key has no right to. What is paused is read once it goes on.
    """
    try:
        why = capabilities.can("customers", connection=group.connection_id).reason
    except NotConfigured as error:
        why = f"{error.sentence} {error.next_step}"
    else:
        if why:
            return why
    target = EntityRef("customer", uuid, EntityLocation(group.uuid, place.uuid if place else None))
    sync_requests.request(
        [target], priority=Priority.PERSON, now=timezone.now(), actor=request.user.pk
    )
    notify_workers(tasks.work)
    return why

"""What a request reaches: one guest, the guests in scope, a search, a fresh read."""

from uuid import UUID

from django.shortcuts import get_object_or_404
from django.utils import timezone

from accounts.requests import SignedInRequest
from customers.guest_list.pages import ListContext
from customers.models import Customer
from customers.search.quick_search import Search
from lib.broker.worker_signals import notify_workers
from mirror import tasks
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from restaurants.access import can, require
from restaurants.shell import shell_of

VIEW = "customers.view_customer"


def guest_within_reach(request: SignedInRequest, uuid: UUID) -> Customer:
    """404 for an outsider, 403 without the right. The erased are found too, as tombstones."""
    user = request.user
    rows = Customer.objects.visible_to(user).select_related("group").light()
    guest = get_object_or_404(rows, pk=uuid)
    require(request, VIEW, group=guest.group)
    return guest


def where_of(request: SignedInRequest) -> ListContext:
    shell = shell_of(request)
    found = {one.group_id: one.group for one in shell.scope_restaurants}
    allowed = [g for g in found.values() if can(request.user, VIEW, group=g)]
    return ListContext(request.user, shell.scope_restaurants, allowed, shell.day)


def search_of(request: SignedInRequest, text: str) -> Search:
    return Search(text, request.user, shell_of(request).scope_restaurants, now=timezone.now())


def request_refresh(request: SignedInRequest, uuid: UUID, location: EntityLocation) -> None:
    """Request with the priority of a person."""
    target = EntityRef("customer", uuid, location)
    sync_requests.request(
        [target], priority=Priority.PERSON, now=timezone.now(), actor=request.user.pk
    )
    notify_workers(tasks.work)

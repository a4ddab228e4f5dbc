"""The setup page of the telephone: its address with the token, and the steps of its onboarding."""

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import User
from accounts.requests import SignedInRequest
from lib.encryption import DecryptionFailed
from lib.web.fresh_sign_in import needs_fresh_sign_in
from outbox import submit as outbox
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured
from partner.models import Connection
from phone import actions
from phone.forms import MilestoneForm
from phone.models import PhoneSystem
from phone.setup_pages.pages import Onboarding
from restaurants.models import Group, Restaurant, RestaurantQuerySet

RIGHT = "phone.change_system"  # the address opens the calls of all restaurants of an account
PLACES_RIGHT = "restaurants.change_restaurant"
owners_only = permission_required(RIGHT, raise_exception=True)


@require_safe
@owners_only
@needs_fresh_sign_in
def index(request: SignedInRequest) -> HttpResponse:
    chosen_uuid = request.GET.get("restaurant", "")
    return page(request, connection=connection_of(request), chosen_uuid=chosen_uuid)


@require_POST
@owners_only
@needs_fresh_sign_in
def rotate(request: SignedInRequest) -> HttpResponse:
    """Create an address; a previous one stays valid for a while."""
    connection = connection_of(request)
    system = PhoneSystem.objects.rotate_of(connection, now=timezone.now())
    audit.record(request.user, "phone.rotate_token", connection or system)
    messages.success(request, _("Put the new address into your telephone system."))
    return redirect(address_of_page(connection))


@require_POST
@owners_only
@needs_fresh_sign_in
def revoke(request: SignedInRequest) -> HttpResponse:
    """Stop accepting the previous address now."""
    connection = connection_of(request)
    if system := PhoneSystem.objects.of(connection):
        system.revoke_previous()
        audit.record(request.user, "phone.revoke_token", connection or system)
    messages.success(request, _("The old address is no longer accepted."))
    return redirect(address_of_page(connection))


@require_POST
@owners_only
@needs_fresh_sign_in
def report(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Report one step of a restaurant's installation."""
    restaurant = get_object_or_404(places_of(request), uuid=uuid)
    form = MilestoneForm(request.POST, restaurant=restaurant)
    if not form.is_valid():
        connection = restaurant.group.connection
        return page(request, connection=connection, chosen_uuid=str(uuid), form=form)
    data = form.cleaned_data
    outbox.submit(
        actions.REPORT_MILESTONE,
        key=data["key"],
        kind="milestone",
        uuid=restaurant.uuid,
        restaurant=restaurant,
        payload={"status": data["status"]},
        actor=request.user,
    )
    audit.record(request.user, "phone.report_milestone", restaurant, {"status": data["status"]})
    page_url = address_of_page(restaurant.group.connection, restaurant=str(uuid))
    return redirect(f"{page_url}#milestones")


def connections_of(user: User) -> QuerySet[Connection]:
    """Those that the person owns: whoever runs the server sees the other ones, but no token."""
    mine = Connection.objects.current_ones().filter(pk__in=user.owned_connection_ids)
    return mine.order_by("name", "pk")


def connection_of(request: SignedInRequest) -> Connection | None:
    """The person's connection that the address names, else the first; none before there is one."""
    mine = connections_of(request.user)
    if not (named := request.GET.get("connection", "")):
        return mine.first()
    return get_object_or_404(mine, pk=int(named) if named.isdecimal() else 0)


def address_of_page(connection: Connection | None, **query: str) -> str:
    named = {"connection": str(connection.pk)} if connection else {}
    return f"{reverse('telephone:index')}?{urlencode(named | query)}"


def places_of(request: SignedInRequest) -> RestaurantQuerySet:
    """Restaurants of the person's connections: the page of each shows that one's token."""
    mine = Group.objects.owned_by(request.user)
    places = Restaurant.objects.visible_to(request.user, PLACES_RIGHT).filter(group__in=mine)
    return places.select_related("group")


def page(
    request: SignedInRequest,
    *,
    connection: Connection | None,
    chosen_uuid: str,
    form: MilestoneForm | None = None,
) -> HttpResponse:
    """The page of one connection; who has several chooses above it."""
    places = places_of(request).filter(group__connection=connection)
    restaurants = list(places.order_by("group__name", "name"))
    chosen = next((one for one in restaurants if str(one.uuid) == chosen_uuid), None)
    chosen = chosen or (restaurants[0] if restaurants else None)
    system = PhoneSystem.objects.of(connection)
    connections = list(connections_of(request.user))
    context = {
        "connection": connection,
        "connections": connections if len(connections) > 1 else [],
        "query": f"?connection={connection.pk}" if connection else "",
        "system": system,
        "address": address_of(system),
        "restaurants": restaurants,
        "chosen": chosen,
        "onboarding": Onboarding(chosen) if chosen else None,
        "form": form,
        "right": right_to_report(chosen) if chosen else None,
    }
    return render(request, "phone/setup.html", context, status=422 if form else 200)


def address_of(system: PhoneSystem | None) -> str:
    """The address to hand over; nothing when no key opens it any more."""
    try:
        return system.address if system else ""
    except DecryptionFailed:
        return ""


def right_to_report(restaurant: Restaurant) -> Capability | None:
    try:
        return capabilities.can("calls", connection=restaurant.group.connection_id)
    except NotConfigured:
        return None

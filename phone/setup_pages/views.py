"""The setup page of the telephone: its address with the token, and the steps of its onboarding."""

from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import permission_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.requests import SignedInRequest
from lib.encryption import DecryptionFailed
from lib.web.fresh_sign_in import needs_fresh_sign_in
from outbox import submit as outbox
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured
from phone import actions
from phone.forms import MilestoneForm
from phone.models import PhoneSystem
from phone.setup_pages.pages import Onboarding
from restaurants.models import Restaurant, RestaurantQuerySet

RIGHT = "phone.change_system"  # the address opens every restaurant's calls
PLACES_RIGHT = "restaurants.change_restaurant"
owners_only = permission_required(RIGHT, raise_exception=True)


@require_safe
@owners_only
@needs_fresh_sign_in
def index(request: SignedInRequest) -> HttpResponse:
    return page(request, chosen_uuid=request.GET.get("restaurant", ""))


@require_POST
@owners_only
@needs_fresh_sign_in
def rotate(request: SignedInRequest) -> HttpResponse:
    """Create an address; a previous one stays valid for a while."""
    system = PhoneSystem.objects.first() or PhoneSystem()
    system.rotate(now=timezone.now())
    audit.record(request.user, "phone.rotate_token", system)
    messages.success(request, _("Put the new address into your telephone system."))
    return redirect("telephone:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def revoke(request: SignedInRequest) -> HttpResponse:
    """Stop accepting the previous address now."""
    if system := PhoneSystem.objects.first():
        system.revoke_previous()
        audit.record(request.user, "phone.revoke_token", system)
    messages.success(request, _("The old address is no longer accepted."))
    return redirect("telephone:index")


@require_POST
@owners_only
@needs_fresh_sign_in
def report(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Report one step of a restaurant's installation."""
    restaurant = get_object_or_404(places_of(request), uuid=uuid)
    form = MilestoneForm(request.POST, restaurant=restaurant)
    if not form.is_valid():
        return page(request, chosen_uuid=str(uuid), form=form)
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
    return redirect(f"{reverse('telephone:index')}?restaurant={uuid}#milestones")


def places_of(request: SignedInRequest) -> RestaurantQuerySet:
    return Restaurant.objects.visible_to(request.user, PLACES_RIGHT).select_related("group")


def page(
    request: SignedInRequest, *, chosen_uuid: str, form: MilestoneForm | None = None
) -> HttpResponse:
    restaurants = list(places_of(request).order_by("group__name", "name"))
    chosen = next((one for one in restaurants if str(one.uuid) == chosen_uuid), None)
    chosen = chosen or (restaurants[0] if restaurants else None)
    system = PhoneSystem.objects.first()
    context = {
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

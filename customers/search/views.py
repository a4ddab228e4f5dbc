"""Views of the quick search, and the look-up of a number in the service."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from customers import requests, sync
from customers.forms import GuestLookUpForm
from customers.models import Customer
from customers.requests import VIEW, search_of
from lib.web.htmx import part_of
from partner import factory
from partner.errors import PartnerError
from restaurants.access import require
from restaurants.models import Restaurant


@require_safe
def find(request: SignedInRequest) -> HttpResponse:
    """Results of the quick search while somebody types."""
    require(request, VIEW)
    if not part_of(request, parts=(), default="palette-found"):
        return redirect(f"{reverse('customers:index')}?{request.GET.urlencode()}")
    found = search_of(request, request.GET.get("q", ""))
    return render(request, "customers/_found.html", {"search": found})


@require_POST
def look_up(request: SignedInRequest) -> HttpResponse:
    """Look a number up in the service, because the copy has no guest with it."""
    form = GuestLookUpForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("That is not a full telephone number."))
        return redirect("customers:index")
    places = Restaurant.objects.visible_to(request.user).select_related("group")
    place = get_object_or_404(places, uuid=form.cleaned_data["restaurant"])
    require(request, VIEW, place)
    return redirect(ask_service(request, place, number=form.cleaned_data["phone"]))


def ask_service(request: SignedInRequest, place: Restaurant, *, number: str) -> str:
    """The next page: the guest's when the copy has it, else the list."""
    try:
        uuid = sync.look_up(factory.client(place.group.connection_id), place, number)
    except PartnerError as error:
        messages.warning(request, f"{error.sentence} {error.next_step}")
        return reverse("customers:index")
    if uuid is None:
        messages.warning(request, _("The service has no number written exactly like this."))
        return reverse("customers:index")
    why_not = requests.request_refresh(request, uuid, place.group, place)
    if Customer.objects.visible_to(request.user).present().filter(uuid=uuid).exists():
        return reverse("customers:show", args=[uuid])
    if why_not:
        messages.warning(request, why_not)
    else:
        messages.success(request, _("The service knows this guest. The profile is being read now."))
    return reverse("customers:index")

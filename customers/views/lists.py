"""Views of the guest list, its search and export, and the look-up of a number in the service."""

from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from customers import export as spreadsheet
from customers import reading, saved, sync
from customers.coverage import coverage_of
from customers.forms import GuestLookUpForm
from customers.lists import GuestList, ListContext
from customers.models import Customer
from customers.quick_search import Search
from lib.htmx import part_of, render_part
from lib.spreadsheets import spreadsheet_response
from mirror.kinds import EntityLocation
from partner import factory
from partner.errors import PartnerError
from restaurants import exports
from restaurants.access import can, require
from restaurants.models import Restaurant
from restaurants.shell import shell_of

VIEW = "customers.view_customer"


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The guests that the address selects, and how complete the copy is."""
    require(request, VIEW)
    guests = GuestList(request.GET, where_of(request))
    context = {
        "guests": guests,
        "search": search_of(request, guests.q),
        "coverage": coverage_of(guests.where.groups),
    }
    if not part_of(request, parts=("guests",), default="guests"):
        context["views"] = saved.menu(guests, request.user)
    return render_part(
        request, "customers/index.html", context, parts=("guests",), default="guests"
    )


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
        uuid = sync.look_up(factory.client(), place, number)
    except PartnerError as error:
        messages.warning(request, f"{error.sentence} {error.next_step}")
        return reverse("customers:index")
    if uuid is None:
        messages.warning(request, _("The service has no number written exactly like this."))
        return reverse("customers:index")
    reading.request_refresh(request, uuid, EntityLocation(place.group.uuid, place.uuid))
    if Customer.objects.visible_to(request.user).present().filter(uuid=uuid).exists():
        return reverse("customers:show", args=[uuid])
    messages.success(request, _("The service knows this guest. The profile is being read now."))
    return reverse("customers:index")


@require_safe
def export(request: SignedInRequest, suffix: str) -> HttpResponseBase:
    """The guests that the filters show, as a file."""
    groups = exports.exportable_groups(request)
    exports.record(request, "guests", suffix=suffix)
    where = replace(where_of(request), groups=groups)
    rows = spreadsheet.rows(
        GuestList(request.GET, where).guests,
        reveals=all(can(request.user, "customers.reveal_contact", group=g) for g in groups),
        health=all(can(request.user, "customers.view_health", group=g) for g in groups),
    )
    return spreadsheet_response(suffix, "guests", rows, bom="bom" in request.GET)


@require_safe
def phones(request: SignedInRequest) -> HttpResponseBase:
    """The telephone numbers that are not stored in full, to be corrected in the host app."""
    groups = exports.exportable_groups(request)
    exports.record(request, "phone numbers", suffix="csv")
    rows = spreadsheet.numbers(
        Customer.objects.visible_to(request.user).present().filter(group__in=groups),
        reveals=all(can(request.user, "customers.reveal_contact", group=g) for g in groups),
    )
    return spreadsheet_response("csv", "phones", rows, bom="bom" in request.GET)


def where_of(request: SignedInRequest) -> ListContext:
    shell = shell_of(request)
    found = {one.group_id: one.group for one in shell.scope_restaurants}
    allowed = [g for g in found.values() if can(request.user, VIEW, group=g)]
    return ListContext(request.user, shell.scope_restaurants, allowed, shell.day)


def search_of(request: SignedInRequest, text: str) -> Search:
    return Search(text, request.user, shell_of(request).scope_restaurants, now=timezone.now())

"""Views of the guest list and its export."""

from dataclasses import replace
from functools import partial

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from customers.guest_list import export as spreadsheet
from customers.guest_list.coverage import coverage_of
from customers.guest_list.pages import GuestList
from customers.models import Customer
from customers.requests import VIEW, search_of, where_of
from customers.saved_views import pages as saved
from lib.database.replica import reads_replica
from lib.spreadsheets import spreadsheet_response
from lib.web.htmx import part_of, render_part
from restaurants import exports
from restaurants.access import can, require


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
        # A query only for those who may take anything away.
        context["groups_to_export"] = partial(exports.groups_to_export, request)
    return render_part(
        request, "customers/index.html", context, parts=("guests",), default="guests"
    )


@require_safe
@reads_replica
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

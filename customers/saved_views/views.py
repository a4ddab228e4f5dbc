"""The views of the guest list that people keep under a name: open, save, change, delete."""

from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SignedInRequest
from customers.guest_list.pages import GuestList
from customers.requests import VIEW, where_of
from customers.saved_views import pages as saved
from customers.saved_views.forms import SavedViewForm
from restaurants.access import require
from restaurants.models import Group, SavedView
from restaurants.shell import shell_of


@require_safe
def open_view(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The shared address of a view: redirects to the list."""
    view = view_within_reach(request, uuid)
    return redirect(saved.address_of(view, frame=shell_of(request).query))


@require_http_methods(["GET", "HEAD", "POST"])
def save_view(request: SignedInRequest) -> HttpResponse:
    """Save the filters and columns of the address as a view."""
    require(request, VIEW)
    guests = GuestList(request.GET, where_of(request))
    if not guests.query:
        messages.info(request, _("Choose a filter or columns first; they are what a view keeps."))
        return redirect("customers:index")
    view = SavedView(owner=request.user, page=saved.PAGE, query=guests.query)
    return _edit(request, view, guests)


@require_http_methods(["GET", "HEAD", "POST"])
def edit_view(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Another name, or other people."""
    view = view_to_change(request, uuid)
    return _edit(request, view, GuestList(saved.words_of(view), where_of(request)))


@require_POST
def delete_view(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    view = view_to_change(request, uuid)
    view.delete()
    messages.success(request, _("View deleted. Your guests are unchanged."))
    return redirect("customers:index")


def _edit(request: SignedInRequest, view: SavedView, guests: GuestList) -> HttpResponse:
    groups = Group.objects.visible_to(request.user, VIEW)
    form = SavedViewForm(request.POST or None, instance=view, groups=groups)
    if form.is_valid():
        view = form.save() if view.pk else saved.keep(form.save(commit=False))
        return redirect(saved.address_of(view, frame=shell_of(request).query))
    context = {"form": form, "view": view, "guests": guests}
    status = 422 if request.method == "POST" else 200
    return render(request, "customers/view.html", context, status=status)


def view_within_reach(request: SignedInRequest, uuid: UUID) -> SavedView:
    """404 for an outsider; 403 for a colleague who may not use one of its filters."""
    view = get_object_or_404(saved.views_of(request.user).select_related("group"), uuid=uuid)
    require(request, VIEW)
    if not saved.may_use(view, request.user):
        raise PermissionDenied
    return view


def view_to_change(request: SignedInRequest, uuid: UUID) -> SavedView:
    view = view_within_reach(request, uuid)
    if not SavedView.objects.changeable_by(request.user).filter(pk=view.pk).exists():
        raise PermissionDenied
    return view

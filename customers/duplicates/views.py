"""Views of duplicates: the page, the panel of a guest, and marking as two people."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from customers.duplicates import scores
from customers.forms import NotSameForm
from customers.models import Customer
from customers.requests import VIEW, guest_within_reach, where_of
from lib.web.htmx import part_of
from restaurants.access import require


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """The likeliest pairs of the groups on the screen."""
    require(request, VIEW)
    groups = [group.pk for group in where_of(request).groups]
    context = {"suggestions": scores.likely(groups)}
    return render(request, "customers/duplicates.html", context)


@require_safe
def of_guest(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Other profiles that may be of this guest, loaded after the page."""
    guest = guest_within_reach(request, uuid)
    found = scores.of_guest(Customer.objects.get(pk=guest.pk))
    context = {"suggestions": found, "guest": guest}
    if part_of(request, parts=(), default="pairs"):
        return render(request, "customers/_pairs.html", context)
    return render(request, "customers/duplicates.html", context)


@require_POST
def mark_not_same(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Record that two profiles are of two people."""
    guest = guest_within_reach(request, uuid)
    form = NotSameForm(request.POST)
    if form.is_valid():
        rows = Customer.objects.visible_to(request.user).filter(group=guest.group_id)
        other = get_object_or_404(rows, uuid=form.cleaned_data["other"])
        scores.mark_not_same(guest.pk, other.pk, user=request.user, now=timezone.now())
        messages.success(request, _("Remembered: these are two people."))
    return redirect(guest)

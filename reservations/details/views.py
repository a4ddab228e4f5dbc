"""Views of one booking: the page or drawer, and what people decide about its notes."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from customers.note_decisions.deciding import DecisionSubject, apply
from customers.note_decisions.forms import DecisionForm
from lib.web.htmx import render_part
from reservations.details.pages import HEALTH, Details
from reservations.models import Reservation
from restaurants.access import require


@require_safe
def show(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The page of one booking, or the drawer beside the board."""
    return render_details(request, details_of(request, uuid))


@require_POST
def decide_reading(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Confirm or dismiss what a note says, for this booking or for its guest, or take that back."""
    details = details_of(request, uuid)
    require(request, HEALTH, details.restaurant)
    form = DecisionForm(request.POST)
    if not form.is_valid() or form.cleaned_data["digest"] not in details.decidable:
        return render_details(request, details, has_changed=True)
    apply(form.cleaned_data, subjects_of(details), user=request.user)
    return redirect("reservations:show", uuid=uuid)


def details_of(request: SignedInRequest, uuid: UUID) -> Details:
    rows = Reservation.objects.visible_to(request.user).with_guests()
    reservation = get_object_or_404(rows.select_related("restaurant__group"), uuid=uuid)
    return Details(reservation, request.user, now=timezone.now())


def render_details(
    request: SignedInRequest, details: Details, *, has_changed: bool = False
) -> HttpResponse:
    """`has_changed`: the note is another than the person has read, so nothing was decided."""
    context = {"details": details, "has_changed": has_changed}
    with timezone.override(details.restaurant.zone):
        return render_part(request, "reservations/show.html", context, parts=(), default="drawer")


def subjects_of(details: Details) -> list[DecisionSubject]:
    """The booking, and its guest if there is one."""
    row, group = details.reservation, details.restaurant.group
    booking = DecisionSubject(row.pk, group, is_of_guest=False)
    if row.customer_id is None:
        return [booking]
    return [booking, DecisionSubject(row.customer_id, group, is_of_guest=True)]

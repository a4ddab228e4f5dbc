"""Views that set a mark on a booking, and take it back."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.views.decorators.http import require_POST

from accounts.requests import SignedInRequest
from reservations.changes.pages.summaries import CHANGE_RIGHT
from reservations.host_marks.forms import HostMarkForm
from reservations.host_marks.store import set_mark, withdraw_mark
from reservations.models import Reservation
from restaurants.access import require


@require_POST
def mark(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Set a mark, unless the guest has come meanwhile, which the answer shows."""
    booking = booking_to_mark(request, uuid)
    form = HostMarkForm(request.POST)
    if form.is_valid():
        kind, minutes = form.cleaned_data["mark"]
        set_mark(booking.pk, kind, minutes=minutes, user=request.user, now=timezone.now())
    return redirect("reservations:show", uuid=uuid)


@require_POST
def take_back(request: SignedInRequest, uuid: UUID, number: int) -> HttpResponse:
    """Take a mark back, also a colleague's."""
    withdraw_mark(booking_to_mark(request, uuid), number, user=request.user)
    return redirect("reservations:show", uuid=uuid)


def booking_to_mark(request: SignedInRequest, uuid: UUID) -> Reservation:
    rows = Reservation.objects.visible_to(request.user).select_related("restaurant__group")
    reservation = get_object_or_404(rows, uuid=uuid)
    require(request, CHANGE_RIGHT, reservation.restaurant)
    return reservation

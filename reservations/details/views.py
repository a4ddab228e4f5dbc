"""View of one booking."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from lib.web.htmx import render_part
from reservations.details.pages import Details
from reservations.models import Reservation


@require_safe
def show(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The page of one booking, or the drawer beside the board."""
    rows = Reservation.objects.visible_to(request.user).with_guests()
    reservation = get_object_or_404(rows.select_related("restaurant__group"), uuid=uuid)
    context = {"details": Details(reservation, request.user, now=timezone.now())}
    with timezone.override(reservation.restaurant.zone):
        return render_part(request, "reservations/show.html", context, parts=(), default="drawer")

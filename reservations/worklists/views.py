"""Views of the worklists: requests and undated bookings, open past bookings."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from reservations.models import Reservation, ReservationQuerySet
from reservations.worklists.pages.open_past import OpenPastBookings
from reservations.worklists.pages.requests import RequestWorklist
from restaurants.shell import shell_of

MOST_UNDATED = 200


@require_safe
def open_past(request: SignedInRequest) -> HttpResponse:
    """Past bookings without an outcome, by restaurant."""
    within = shell_of(request).scope_restaurants
    worklist = OpenPastBookings(within, request.GET, now=timezone.now())
    return render(request, "reservations/open_past.html", {"worklist": worklist})


@require_safe
def requests(request: SignedInRequest) -> HttpResponse:
    """Requests that wait for the restaurant, and undated bookings, the oldest first."""
    within = shell_of(request).scope_restaurants
    rows = Reservation.objects.visible_to(request.user).for_restaurants(one.pk for one in within)
    context = {
        "worklist": RequestWorklist(within, request.GET, now=timezone.now()),
        "undated": longest_wait(rows.undated()),
    }
    return render(request, "reservations/requests.html", context)


def longest_wait(rows: ReservationQuerySet) -> dict[str, Any]:
    """The oldest bookings of a worklist, and the total."""
    shown = rows.with_guests().select_related("restaurant").defer("raw").order_by("created_at")
    return {"rows": shown[:MOST_UNDATED], "total": rows.count()}

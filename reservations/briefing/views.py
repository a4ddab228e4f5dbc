"""Views of the briefing: the page, and the kitchen's tick below a line."""

from datetime import date
from typing import Any, cast
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.requests import SignedInRequest
from lib.web.addresses import opening
from lib.web.htmx import part_of, render_part
from reservations.briefing.acknowledgements import acknowledge
from reservations.briefing.pages import Briefing, kitchen_line, moment_of
from reservations.models import Reservation
from reservations.service_day.day import ServiceDay
from reservations.service_day.requests import HEALTH, evening_of
from restaurants.access import require

PARTS = ("kitchen",)


@require_safe
def brief(request: SignedInRequest) -> HttpResponse:
    """The briefing of a day, or only its changes since it was printed."""
    evening = evening_of(request)
    if part_of(request, parts=PARTS, default="changes") != "changes":
        evening.read()
    context = context_of(request, evening)
    return render_part(request, "reservations/brief.html", context, parts=PARTS, default="changes")


@require_POST
def seen_by_kitchen(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Tick a line of the kitchen's part, if it still says what the person has read."""
    rows = Reservation.objects.present().visible_to(request.user).select_related("restaurant")
    reservation = get_object_or_404(rows, uuid=uuid, service_day__isnull=False)
    require(request, HEALTH, reservation.restaurant)
    day = cast(date, reservation.service_day)
    found = kitchen_line(reservation, now=timezone.now())
    if found and found[0].digest == request.POST.get("digest", ""):
        acknowledge(reservation, found[0].digest, day=day, user=request.user)
    else:
        messages.warning(request, _("It has changed meanwhile. Nothing was ticked: read it again."))
    return redirect(f"{reverse('reservations:brief')}?day={day}#kitchen")


def context_of(request: SignedInRequest, evening: ServiceDay) -> dict[str, Any]:
    briefing = Briefing(evening)
    since = moment_of(request.GET.get("since", "")) or evening.now
    return {
        "evening": evening,
        "brief": briefing,
        "made_at": evening.as_local_time(since),
        "since_query": opening(request.GET, "since") + quote(since.isoformat()),
        "changes": briefing.changes_since(since),
    }

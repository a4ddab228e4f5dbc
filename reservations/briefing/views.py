"""Views of the briefing: the page, the kitchen's tick below a line, and the paper."""

from datetime import date
from typing import Any, cast
from urllib.parse import quote
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
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
from reservations.briefing.paper import PaperCheck, qr_code, record_print
from reservations.models import PrintedBriefing, Reservation
from reservations.service_day.day import HEALTH, ServiceDay, evening_of
from restaurants.access import require
from restaurants.models import Restaurant
from restaurants.shell import shell_of

PARTS = ("kitchen",)
LONGEST_NUMBER = 16  # digits of a paper in an address


@require_safe
def brief(request: SignedInRequest) -> HttpResponse:
    """The briefing of a day, or only its changes since it was printed."""
    evening = evening_of(shell_of(request))
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


@require_POST
def print_briefing(request: SignedInRequest) -> HttpResponse:
    """Give the briefing a number, and open it for the printer."""
    evening = evening_of(shell_of(request))
    if not evening.health:
        raise PermissionDenied
    printed = record_print(evening, user=request.user)
    address = f"{reverse('reservations:brief')}{opening(request.GET, 'printed')}{printed.pk}"
    return redirect(f"{address}#print")


@require_safe
def printed(request: SignedInRequest, number: int) -> HttpResponse:
    """Whether a paper is still true, and what changed since."""
    rows = PrintedBriefing.objects.visible_to(request.user, HEALTH).select_related("printed_by")
    paper = get_object_or_404(rows, pk=number)
    mine = Restaurant.objects.visible_to(request.user, HEALTH).select_related("group")
    places = list(mine.filter(pk__in=paper.restaurants.all()).order_by("name", "pk"))
    health = [one.pk for one in places]
    evening = ServiceDay(places, paper.service_day, now=timezone.now(), health=health)
    context = {"check": PaperCheck(paper, Briefing(evening))}
    parts = ("paper",)
    return render_part(request, "reservations/paper.html", context, parts=parts, default="paper")


def context_of(request: SignedInRequest, evening: ServiceDay) -> dict[str, Any]:
    briefing = Briefing(evening)
    since = moment_of(request.GET.get("since", "")) or evening.now
    return {
        "evening": evening,
        "brief": briefing,
        **_paper_of(request, briefing),
        "made_at": evening.as_local_time(since),
        "since_query": opening(request.GET, "since") + quote(since.isoformat()),
        "changes": briefing.changes_since(since),
    }


def _paper_of(request: SignedInRequest, briefing: Briefing) -> dict[str, Any]:
    """The paper that the address names, with its code, if it is of this briefing."""
    number, evening = request.GET.get("printed", ""), briefing.evening
    if not (number.isdecimal() and len(number) < LONGEST_NUMBER):
        return {}
    rows = PrintedBriefing.objects.visible_to(request.user, HEALTH).select_related("printed_by")
    paper = rows.filter(pk=number, service_day=evening.day).first()
    if not paper or evening.health != set(paper.restaurants.values_list("pk", flat=True)):
        return {}
    address = reverse("reservations:printed_briefing", args=[paper.pk])
    return {
        "check": PaperCheck(paper, briefing),
        "paper_code": qr_code(request.build_absolute_uri(address)),
    }

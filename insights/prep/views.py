"""The prep sheet, its file, and the targets that an admin sets."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import SignedInRequest
from insights.prep.forms import TargetsForm
from insights.prep.models import RIGHT
from insights.prep.pages import PrepPage
from insights.requests import VIEW, exportable, visible
from lib.spreadsheets import spreadsheet_response
from reservations.service_day.day import HEALTH
from reservations.service_day.services import NAMES as SERVICE_NAMES
from restaurants import exports
from restaurants.access import can, require
from restaurants.models import Restaurant
from restaurants.shell import shell_of


@require_safe
def show(request: SignedInRequest) -> HttpResponse:
    """Of one restaurant every service in full, of several a line for each."""
    require(request, VIEW)
    page = PrepPage(visible(request), shell_of(request).day, now=timezone.now())
    context: dict[str, Any] = {"page": page}
    if len(page.restaurants) == 1:
        [place] = page.restaurants
        sees_health = can(request.user, HEALTH, place)
        context |= {
            "place": place,
            "sheet": page.sheet_of(place, sees_health=sees_health),
            "sees_health": sees_health,
            "may_set": can(request.user, RIGHT, place),
        }
    return render(request, "insights/prep.html", context)


@require_safe
def export(request: SignedInRequest) -> HttpResponseBase:
    """Covers by quarter of an hour, of the restaurants whose data the person may take away."""
    restaurants = exportable(request)
    if not restaurants:
        raise PermissionDenied
    exports.record(request, "insights prep sheet", suffix="csv")
    page = PrepPage(restaurants, shell_of(request).day, now=timezone.now())
    rows = page.file.lines
    return spreadsheet_response("csv", f"prep-{page.day}", rows, bom="bom" in request.GET)


@require_http_methods(["GET", "HEAD", "POST"])
def targets(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """The targets of one restaurant, weekday by weekday."""
    place = get_object_or_404(Restaurant.objects.visible_to(request.user), uuid=uuid)
    require(request, RIGHT, place)
    form = TargetsForm(request.POST or None, restaurant=place)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("The targets of %(place)s are saved.") % {"place": place.name})
        return redirect(f"{reverse('insights:prep')}?scope={place.uuid}")
    context = {"form": form, "place": place, "services": SERVICE_NAMES.values()}
    return render(request, "insights/targets.html", context, status=422 if form.errors else 200)

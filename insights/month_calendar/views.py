"""The calendar. It needs no right to insights: these are the numbers that every board shows.

What is usually booked by now is shown to those who may see insights.
"""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from insights.answers import Table
from insights.month_calendar.pages import Calendar
from insights.requests import VIEW
from insights.sums import recount
from lib.spreadsheets import spreadsheet_response
from restaurants import exports
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import shell_of


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """A month or a week of the restaurants on the screen, day by day."""
    places = shell_of(request).scope_restaurants
    may_see_usual = bool(places) and all(can(request.user, VIEW, one) for one in places)
    calendar = _calendar(request, places, may_see_usual=may_see_usual)
    may_note = can(request.user, "restaurants.change_restaurant")
    context = {"calendar": calendar, "may_note": may_note, "waiting": recount.waiting(calendar.ids)}
    return render(request, "insights/calendar.html", context)


@require_safe
def export(request: SignedInRequest) -> HttpResponseBase:
    """Each day of each restaurant whose data the person may take away."""
    calendar = _calendar(request, exports.exportable_restaurants(request))
    exports.record(request, "calendar", suffix="csv")
    return _file(request, f"calendar-{calendar.days[0]}-{calendar.days[-1]}", calendar.table)


@require_safe
def export_hours(request: SignedInRequest) -> HttpResponseBase:
    """The hours of arrival of the days shown, of those restaurants together."""
    calendar = _calendar(request, exports.exportable_restaurants(request))
    exports.record(request, "calendar hours", suffix="csv")
    return _file(request, f"hours-{calendar.days[0]}-{calendar.days[-1]}", calendar.hours_table)


def _calendar(
    request: SignedInRequest, places: list[Restaurant], *, may_see_usual: bool = False
) -> Calendar:
    shell = shell_of(request)
    return Calendar(
        places,
        shell.day,
        today=shell.today,
        scope=str(shell.scope.uuid) if shell.scope else "",
        address=request.GET,
        may_see_usual=may_see_usual,
    )


def _file(request: SignedInRequest, name: str, table: Table) -> HttpResponseBase:
    return spreadsheet_response("csv", name, table.lines, bom="bom" in request.GET)

"""The calendar. It needs no right to insights: these are the numbers that every board shows.

What is usually booked by now is shown to those who may see insights.
"""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from insights.month_calendar.pages import Calendar
from insights.requests import VIEW
from insights.sums import recount
from restaurants.access import can
from restaurants.shell import shell_of


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """A month or a week of the restaurants on the screen, day by day."""
    shell = shell_of(request)
    places = shell.scope_restaurants
    may_see_usual = bool(places) and all(can(request.user, VIEW, one) for one in places)
    calendar = Calendar(
        shell.scope_restaurants,
        shell.day,
        today=shell.today,
        scope=str(shell.scope.uuid) if shell.scope else "",
        address=request.GET,
        may_see_usual=may_see_usual,
    )
    may_note = can(request.user, "restaurants.change_restaurant")
    context = {"calendar": calendar, "may_note": may_note, "waiting": recount.waiting(calendar.ids)}
    return render(request, "insights/calendar.html", context)

"""The calendar. It needs no right to insights: these are the numbers that every board shows."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from insights.month_calendar.pages import Calendar
from insights.sums import recount
from restaurants.shell import shell_of


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    """A month or a week of the restaurants on the screen, day by day."""
    shell = shell_of(request)
    calendar = Calendar(
        shell.scope_restaurants,
        shell.day,
        today=shell.today,
        scope=str(shell.scope.uuid) if shell.scope else "",
        address=request.GET,
    )
    context = {"calendar": calendar, "waiting": recount.waiting(calendar.ids)}
    return render(request, "insights/calendar.html", context)

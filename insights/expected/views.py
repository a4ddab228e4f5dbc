"""On the books and expected, and how wrong that was: the pages, and their tables as files."""

from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from insights.expected.pages.coming import ExpectedPage
from insights.expected.pages.errors import ErrorsPage
from insights.requests import VIEW, exportable, visible
from insights.sums import recount
from lib.spreadsheets import spreadsheet_response
from restaurants import exports
from restaurants.access import require
from restaurants.models import Restaurant


@require_safe
def show(request: SignedInRequest) -> HttpResponse:
    """The coming 28 days of the restaurants on the screen."""
    require(request, VIEW)
    page = ExpectedPage(visible(request), now=timezone.now())
    context = {"page": page, "waiting": recount.waiting(list(page.today))}
    return render(request, "insights/expected.html", context)


@require_safe
def export(request: SignedInRequest, suffix: str) -> HttpResponseBase:
    """Every service of the 28 days, of the restaurants whose data the person may take away."""
    restaurants = exportable(request)
    if not restaurants:
        raise PermissionDenied
    exports.record(request, "insights expected", suffix=suffix)
    page = ExpectedPage(restaurants, now=timezone.now())
    name = f"expected-{page.first}-{page.last}"
    rows = page.table.lines
    return spreadsheet_response(suffix, name, rows, bom="bom" in request.GET)


@require_safe
def show_errors(request: SignedInRequest) -> HttpResponse:
    """How wrong the forecasts of the restaurants on the screen were."""
    require(request, VIEW)
    page = _errors_page(request, visible(request))
    return render(request, "insights/forecast_errors.html", {"page": page})


@require_safe
def export_errors(request: SignedInRequest) -> HttpResponseBase:
    restaurants = exportable(request)
    if not restaurants:
        raise PermissionDenied
    exports.record(request, "insights forecast errors", suffix="csv")
    page = _errors_page(request, restaurants)
    name = f"forecast-errors-{page.first}-{page.last}"
    return spreadsheet_response("csv", name, page.file.lines, bom="bom" in request.GET)


def _errors_page(request: SignedInRequest, restaurants: list[Restaurant]) -> ErrorsPage:
    return ErrorsPage(restaurants, now=timezone.now(), period=request.GET.get("period", ""))

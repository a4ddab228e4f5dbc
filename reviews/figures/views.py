"""Views of the figures."""

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from lib.spreadsheets import spreadsheet_response
from restaurants import exports
from restaurants.access import can, require
from restaurants.models import Restaurant
from restaurants.shell import shell_of
from reviews.figures.pages import DIMENSIONS, PERIODS, Numbers
from reviews.forms import NumbersForm

FIGURES = "insights.view_insights"


@require_safe
def numbers(request: SignedInRequest) -> HttpResponse:
    require(request, FIGURES)
    shown = shell_of(request).scope_restaurants
    places = [one for one in shown if can(request.user, FIGURES, one)]
    context = {
        "numbers": numbers_of(request, places),
        "periods": PERIODS,
        "dimensions": DIMENSIONS,
    }
    return render(request, "reviews/numbers.html", context)


@require_safe
def numbers_csv(request: SignedInRequest) -> HttpResponseBase:
    """The figures of the restaurants on the screen, as a file."""
    places = exports.exportable_restaurants(request)
    exports.record(request, "review figures", suffix="csv")
    rows = numbers_of(request, places).spreadsheet_rows()
    return spreadsheet_response("csv", "review-figures", rows, bom="bom" in request.GET)


def numbers_of(request: SignedInRequest, places: list[Restaurant]) -> Numbers:
    form = NumbersForm(request.GET)
    form.is_valid()
    dimension = form.cleaned_data.get("by") or ""
    return Numbers(
        places,
        days=form.cleaned_data.get("days") or 90,
        dimension=dimension if dimension in DIMENSIONS else "global_rating",
        today=shell_of(request).today,
    )

"""Views of insights: all questions, one question in full, its table as a file."""

from dataclasses import replace
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.functional import Promise
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from insights.expected.pages.coming import WEEK, ExpectedPage
from insights.forms import InsightParams, InsightParamsForm
from insights.questions import QUESTIONS, Question
from insights.questions.fullness import heat
from insights.requests import VIEW, exportable, visible
from insights.sums import recount
from insights.sums.known import known_days, missing_words
from lib.database.replica import reads_replica
from lib.labels import label_of
from lib.spreadsheets import spreadsheet_response
from reservations.service_day.services import NAMES as SERVICE_NAMES
from reservations.words import CHANNELS
from restaurants import exports
from restaurants.access import can, require
from restaurants.models import Restaurant
from restaurants.shell import shell_of


@require_safe
@reads_replica
def index(request: SignedInRequest) -> HttpResponse:
    """Every question at a glance."""
    require(request, VIEW)
    context = context_of(request)
    params = context["form"].params
    narrowed = [(one, params_for(request, one, params)) for one in QUESTIONS.values()]
    context["cards"] = [(one, one.answer(own)) for one, own in narrowed if own.restaurants]
    context["expected"] = ExpectedPage(params.restaurants, now=timezone.now(), days=WEEK)
    context["answered"] = any(answer.is_known for _question, answer in context["cards"])
    return render(request, "insights/index.html", context)


@require_safe
@reads_replica
def show(request: SignedInRequest, slug: str) -> HttpResponse:
    """One question in full."""
    require(request, VIEW)
    question = question_of(slug)
    require_for(request, question)
    context = context_of(request, days_ahead=question.days_ahead)
    params = params_for(request, question, context["params"])
    context |= {"question": question, "answer": question.answer(params)}
    return render(request, "insights/show.html", context)


@require_safe
def export(request: SignedInRequest, slug: str, suffix: str) -> HttpResponseBase:
    """The table of a question, of the restaurants whose data the person may take away."""
    question = question_of(slug)
    restaurants = [one for one in exportable(request) if is_answered_at(request, question, one)]
    if not restaurants:
        raise PermissionDenied
    params = form_of(request, restaurants, days_ahead=question.days_ahead).params
    exports.record(request, f"insights {slug}", suffix=suffix)
    table = question.answer(params).table
    name = f"{slug}-{params.first}-{params.last}"
    return spreadsheet_response(suffix, name, table.lines, bom="bom" in request.GET)


@require_safe
def export_heat(request: SignedInRequest) -> HttpResponseBase:
    """The heat map as a file: covers by weekday and hour of arrival."""
    restaurants = exportable(request)
    if not restaurants:
        raise PermissionDenied
    params = form_of(request, restaurants).params
    exports.record(request, "insights heat map", suffix="csv")
    found = heat(params)
    name = f"hours-{found.first}-{found.last}" if found else "hours"
    lines = found.lines if found else []
    return spreadsheet_response("csv", name, lines, bom="bom" in request.GET)


def question_of(slug: str) -> Question:
    try:
        return QUESTIONS[slug]
    except KeyError as error:
        raise Http404 from error


def is_answered_at(request: SignedInRequest, question: Question, restaurant: Restaurant) -> bool:
    return not question.right or can(request.user, question.right, restaurant)


def require_for(request: SignedInRequest, question: Question) -> None:
    """What guests do not eat takes the right to see health data, anywhere at least."""
    if question.right:
        require(request, question.right)


def params_for(
    request: SignedInRequest, question: Question, params: InsightParams
) -> InsightParams:
    """The parameters, of the restaurants where the person may read the answer."""
    places = [one for one in params.restaurants if is_answered_at(request, question, one)]
    return replace(params, restaurants=places)


def form_of(
    request: SignedInRequest, restaurants: list[Restaurant], *, days_ahead: int = 0
) -> InsightParamsForm:
    # Where the day ends last: what is over is over at each of them.
    now = timezone.now()
    today = min((one.service_day(now) for one in restaurants), default=shell_of(request).today)
    return InsightParamsForm(
        request.GET, restaurants=restaurants, today=today, days_ahead=days_ahead
    )


def narrowed_to(params: InsightParams) -> list[str | Promise]:
    """The service and the channel that were chosen, in words."""
    service = SERVICE_NAMES.get(params.service, "")
    channel = label_of(params.channel, CHANNELS)
    return [word for word in (service, channel) if word]


def context_of(request: SignedInRequest, *, days_ahead: int = 0) -> dict[str, Any]:
    form = form_of(request, visible(request), days_ahead=days_ahead)
    params = form.params
    return {
        "form": form,
        "params": params,
        "questions": QUESTIONS.values(),
        "narrowed": [str(word) for word in narrowed_to(params)],
        "waiting": recount.waiting(params.ids),
        "known": known_days(params),
        "missing": missing_words(params),
        "compared": params.compared_with,
    }

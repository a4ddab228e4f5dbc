"""Pages of the app: the look-up with the log under it, and the card of a caller."""

from uuid import UUID

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.requests import SignedInRequest
from phone import sync
from phone.calls.callers import Caller
from phone.calls.pages import CallLine, Log, RingingLine
from phone.forms import LookUpForm
from phone.models import RIGHT, Call
from restaurants.access import places_with
from restaurants.models import Restaurant
from restaurants.shell import shell_of

MOST_CARDS = 3
MOST_LISTED = 12  # on the page of the calls, where nothing lies below the cards
CLOSED = "closed_calls"  # of the session: whose cards somebody has closed here
MOST_CLOSED = 20


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    restaurants = places_of(request)
    return page(request, LookUpForm({}, restaurants=restaurants))


@require_safe
def log(request: SignedInRequest) -> HttpResponse:
    """The log alone, for a page that follows it."""
    restaurants = places_of(request)
    return render(request, "phone/_log.html", {"log": log_of(request, restaurants)})


@require_safe
def row(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    call = get_object_or_404(Call.objects.visible_to(request.user).for_log(), uuid=uuid)
    shown = {"many": "many" in request.GET, "under": request.GET.get("under")}
    context = {"line": CallLine.of([call], request.user)[0], **shown}
    return render(request, "phone/_row.html", context)


@require_safe
def ringing(request: SignedInRequest) -> HttpResponse:
    """The cards of calls that ring now, for the corner of every screen."""
    return cards(request)


def cards(request: SignedInRequest) -> HttpResponse:
    now = timezone.now()
    ringing = Call.objects.visible_to(request.user).on_the_line(now=now)
    calls = list(ringing.exclude(uuid__in=request.session.get(CLOSED, [])).for_log())
    is_listed = is_on_calls(request)
    most = MOST_LISTED if is_listed else MOST_CARDS
    lines = [RingingLine(call, request.user, now=now) for call in calls[:most]]
    context = {"lines": lines, "others": len(calls) - len(lines), "is_listed": is_listed}
    return render(request, "phone/_ringing.html", context)


def is_on_calls(request: SignedInRequest) -> bool:
    """Whether the cards are shown on the page of the calls or of an answer."""
    try:
        around = request.htmx.current_url_abs_path if request.htmx else ""
    except ValueError:  # a header that is no address
        around = ""
    path = (around or "").partition("?")[0].partition("#")[0]
    return path in (reverse("phone:index"), reverse("phone:look_up"))


@require_POST
def close(request: SignedInRequest, uuid: UUID) -> HttpResponse:
    """Close the card of a call, on every page of this browser."""
    call = get_object_or_404(Call.objects.visible_to(request.user), uuid=uuid)
    request.session[CLOSED] = [*request.session.get(CLOSED, []), str(call.uuid)][-MOST_CLOSED:]
    return cards(request) if request.htmx else redirect("phone:index")


@require_http_methods(["GET", "HEAD", "POST"])
def look_up(request: SignedInRequest) -> HttpResponse:
    """Look a number up in our copy. POST, because an address would keep the number.

    A browser that opens the address of the answer again, without the number, is led to the field.
    """
    if request.method != "POST":
        return redirect("phone:index")
    form = LookUpForm(request.POST, restaurants=places_of(request))
    return page(request, form)


@require_POST
def ask(request: SignedInRequest) -> HttpResponse:
    """What the service says about the number, after our own answer is on the screen."""
    form = LookUpForm(request.POST, restaurants=places_of(request))
    form.is_valid()
    if not form.read:
        return page(request, form)
    answer = sync.ask(form.place, form.read.e164)
    sync.catch_up(answer, now=timezone.now())
    return page(request, form, answer=answer)


def places_of(request: SignedInRequest) -> list[Restaurant]:
    """Where this person may see calls, those of the screen's scope first; nowhere is 403."""
    scope = {one.pk for one in shell_of(request).scope_restaurants}
    return sorted(places_with(request.user, RIGHT), key=lambda one: one.pk not in scope)


def log_of(request: SignedInRequest, restaurants: list[Restaurant]) -> Log:
    scope = {one.pk for one in shell_of(request).scope_restaurants}
    return Log(request.GET, [one for one in restaurants if one.pk in scope], user=request.user)


def page(
    request: SignedInRequest, form: LookUpForm, *, answer: sync.LookUpAnswer | None = None
) -> HttpResponse:
    """The whole page, or only the answer when the field asks for it."""
    form.is_valid()
    context = {"form": form, "number": form.read, "answer": answer, "place": form.place}
    if form.read:
        context["caller"] = Caller(
            form.read, restaurant=form.place, user=request.user, now=timezone.now()
        )
    if request.htmx and request.htmx.target in ("answer", "service"):
        return render(request, f"phone/_{request.htmx.target}.html", context)
    context["log"] = log_of(request, form.restaurants)
    return render(request, "phone/index.html", context)

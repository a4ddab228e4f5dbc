"""The tour of the demo: make something happen in the sandbox, and see it on the screen."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from restaurants.models import Restaurant
from restaurants.shell import shell_of
from restaurants.tour import sandbox
from restaurants.tour.pages import SESSION_KEY, Tour, stage
from restaurants.tour.steps import NOTHING_TO_PLAY, TOUR_STEPS, TourStep


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "tour/index.html", {"tour": tour_of(request)})


@require_POST
def play(request: HttpRequest, name: str) -> HttpResponse:
    """Make a step happen. It happens again each time."""
    tour, step = tour_of(request), step_of(name)
    places = shell_of(request).restaurants
    if not places:
        raise Http404
    try:
        place = stage(places)
        result = step.play(place)
    except sandbox.SandboxAway:
        messages.error(request, NOTHING_TO_PLAY)
        return redirect("tour:index")
    request.session[SESSION_KEY] = tour.with_played(step, result, place)
    return redirect("tour:show", name)


@require_safe
def show(request: HttpRequest, name: str) -> HttpResponse:
    """Lead to the screen that shows what was played, as soon as it does."""
    tour, step = tour_of(request), step_of(name)
    found = tour.result_of(step)
    if found is None:
        return redirect("tour:index")
    result, uuid = found
    reach = Restaurant.objects.visible_to(request.user)  # type: ignore[arg-type]  # signed in
    url = step.url(result, get_object_or_404(reach, uuid=uuid))
    if not step.is_shown(result):
        return render(request, "tour/waiting.html", {"step": step, "url": url})
    if request.headers.get("HX-Request"):
        return HttpResponseClientRedirect(url)
    return redirect(url)


@require_POST
def leave(request: HttpRequest) -> HttpResponse:
    request.session[SESSION_KEY] = tour_of(request).left()
    return redirect("reservations:index")


@require_safe
def end(request: HttpRequest) -> HttpResponse:
    """How one's own account takes the place of the sandbox."""
    return render(request, "tour/end.html", {"tour": tour_of(request)})


def tour_of(request: HttpRequest) -> Tour:
    """The tour of this session; 404 outside the demo."""
    if not shell_of(request).sandbox:
        raise Http404
    return Tour(request.session)


def step_of(name: str) -> TourStep:
    try:
        return TOUR_STEPS.named(name)
    except KeyError:
        raise Http404 from None

"""Views that close or open online booking: the affected bookings, then two buttons."""

from datetime import date, time
from uuid import uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.requests import SignedInRequest
from outbox import submit as outbox
from outbox.models import Intent
from outbox.refusals import refused_change, show_refusal
from partner.auth import capabilities
from partner.auth.capabilities import Capability
from partner.errors import NotConfigured
from reservations import actions
from reservations.changes.pages.summaries import OVERRIDE_RIGHT, ChangeSummary
from reservations.models import STANDING, Reservation
from reservations.online_booking.forms import RangeForm, SwitchForm, is_long
from restaurants.access import places_with
from restaurants.models import Restaurant
from restaurants.shell import shell_of

KIND = "availability"
LOGGED = 20
FIELDS = {"date": "day", "start_time": "start", "end_time": "end"}  # the fields' names in the form


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: SignedInRequest) -> HttpResponse:
    places = places_with(request.user, OVERRIDE_RIGHT)
    scope = request.GET.get("scope", "")
    restaurant = next((one for one in places if str(one.uuid) == scope), None)
    if restaurant is None and request.method == "POST":
        raise Http404  # what is closed is the restaurant of the form, or nothing
    restaurant = restaurant or places[0]
    capability = capability_to_override(restaurant)
    if earlier := outbox.resent(request.POST.get("key", ""), actor=request.user):
        return redirect("reservations:sent_change", key=earlier.key)
    form = SwitchForm(request.POST or None)
    if request.method == "POST" and capability and form.is_valid():
        intent = switch(request, restaurant, form)
        return redirect("reservations:sent_change", key=intent.key)
    chosen = form if request.method == "POST" else range_of(request)
    inside = bookings_inside(restaurant, chosen) if chosen.is_valid() else None
    context = {
        "places": places,
        "restaurant": restaurant,
        "capability": capability,
        "form": chosen,
        "inside": inside,
        "is_long": inside is not None and is_long_range(chosen),
        "key": request.POST.get("key") or uuid4(),
        "log": log_of(restaurant),
    }
    if request.method != "POST":
        show_refused_switch(request, chosen)
    status = 422 if request.method == "POST" else 200
    return render(request, "reservations/availability.html", context, status=status)


def show_refused_switch(request: SignedInRequest, form: RangeForm) -> None:
    """Show the refusal of the switch that the address names at its field."""
    key = request.GET.get("correct", "")
    intent = refused_change(key, action=actions.OVERRIDE, user=request.user) if key else None
    if intent is not None and form.is_bound:
        show_refusal(form, intent, names=FIELDS)


def capability_to_override(restaurant: Restaurant) -> Capability | None:
    try:
        return capabilities.can("override", connection=restaurant.group.connection_id)
    except NotConfigured:
        return None


def range_of(request: SignedInRequest) -> RangeForm:
    """The range of the address, or dinner of the day in scope as a proposal."""
    if "start" in request.GET:
        return RangeForm(request.GET)
    dinner = {"day": shell_of(request).day, "start": time(19), "end": time(21, 30)}
    return RangeForm(initial=dinner)


def is_long_range(form: RangeForm) -> bool:
    return is_long(form.cleaned_data["start"], form.cleaned_data["end"])


def bookings_inside(restaurant: Restaurant, form: RangeForm) -> list[Reservation]:
    """Standing bookings between the two times of that local day, which closing does not affect."""
    day: date = form.cleaned_data["day"]
    first = restaurant.at(day, form.cleaned_data["start"])
    last = restaurant.at(day, form.cleaned_data["end"])
    rows = Reservation.objects.present().filter(restaurant=restaurant, status__in=STANDING)
    return list(rows.filter(meal_at__range=(first, last)).with_guests().order_by("meal_at"))


def switch(request: SignedInRequest, restaurant: Restaurant, form: SwitchForm) -> Intent:
    data = form.cleaned_data
    payload = {
        "day": data["day"].isoformat(),
        "start_time": f"{data['start']:%H:%M}",
        "end_time": f"{data['end']:%H:%M}",
        "is_open": data["is_open"],
    }
    # Switches of one restaurant are sent in order, because the restaurant is their subject.
    return outbox.submit(
        actions.OVERRIDE,
        key=data["key"],
        kind=KIND,
        uuid=restaurant.uuid,
        restaurant=restaurant,
        payload=payload,
        actor=request.user,
    )


def log_of(restaurant: Restaurant) -> list[ChangeSummary]:
    """The latest switches sent from here; the API lists none."""
    rows = Intent.objects.about(KIND, restaurant.uuid).select_related("actor", "restaurant")
    return [ChangeSummary(intent) for intent in rows.order_by("-created_at")[:LOGGED]]

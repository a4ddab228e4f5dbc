"""Views of a new booking, and of the outcome of an intent."""

from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.requests import SignedInRequest
from customers import phones
from customers.models import Customer
from lib.web.htmx import part_of
from outbox import submit as outbox
from outbox.models import Intent
from reservations import actions
from reservations.changes.pages.summaries import CHANGE_RIGHT
from reservations.new_booking import guests
from reservations.new_booking.corrections import correction_of
from reservations.new_booking.forms import BookForm, FindForm
from reservations.new_booking.locales import chosen_locale
from reservations.new_booking.pages.day_preview import DayPreview
from reservations.new_booking.pages.funnel import Funnel
from reservations.new_booking.pages.other_restaurants import Anywhere
from reservations.new_booking.pages.outcome import BookingOutcome
from reservations.service_clock import place_in_time
from restaurants.access import places_with
from restaurants.models import Restaurant

FOR = "booking_for"  # session key of the guest of the unfinished booking
REMEMBERED = 15 * 60  # seconds: the next caller must not get the guest of the one before


@require_http_methods(["GET", "HEAD", "POST"])
def new(request: SignedInRequest) -> HttpResponse:
    """Restaurant, size, day, time and offer are query parameters; the guest is only posted."""
    places = places_with(request.user, CHANGE_RIGHT)
    funnel = funnel_of(request, places)
    correction = correction_of(funnel.correct, restaurant=funnel.restaurant, user=request.user)
    if request.method != "POST" and correction:
        form, guest = correction.form(), correction.guest
        return page(request, funnel, places, guest=guest, form=form, refused=correction.choice)
    if request.method != "POST":
        return page(request, funnel, places, **remembered(request, funnel))
    finder = FindForm(request.POST)
    finder.is_valid()
    if part_of(request, parts=("found",), default="") == "found":
        return found_guests(request, funnel, finder)
    if finder.cleaned_data.get("step") != "confirm":
        remember(request, finder)
        return page(request, funnel, places, **whom(request, funnel, finder))
    key = request.POST.get("key", "")
    with outbox.form_lock(key, actor=request.user):
        if earlier := outbox.resent(key, actor=request.user):
            return redirect("reservations:sent_change", key=earlier.key)
        refused_fields = correction.refused_fields if correction else frozenset()
        return confirm(request, funnel, places, finder, refused_fields=refused_fields)


def confirm(
    request: SignedInRequest,
    funnel: Funnel,
    places: list[Restaurant],
    finder: FindForm,
    *,
    refused_fields: frozenset[str],
) -> HttpResponse:
    """Book the choices, or show what needs another check."""
    place = funnel.restaurant
    guest = chosen_guest(place, finder, user=request.user)
    form = BookForm(request.POST, restaurant=place, guest=guest, refused_fields=refused_fields)
    if form.is_valid() and may_leave(form, funnel, guest, user=request.user):
        intent = send(request, funnel, form, guest=guest)
        request.session.pop(FOR, None)
        return redirect("reservations:sent_change", key=intent.key)
    return page(request, funnel, places, guest=guest, form=form)


def remember(request: SignedInRequest, finder: FindForm) -> None:
    """Keep the guest in the session while size and time are chosen, out of the address."""
    guest, typed = finder.cleaned_data.get("guest"), finder.cleaned_data.get("find")
    now = timezone.now().timestamp()
    request.session[FOR] = {"guest": str(guest or ""), "find": typed or "", "at": now}


def remembered(request: SignedInRequest, funnel: Funnel) -> dict[str, Any]:
    """The guest of the unfinished booking. Without a size it is a new booking."""
    kept = request.session.get(FOR)
    if kept is None:
        return {}
    if funnel.size is None or timezone.now().timestamp() - kept["at"] > REMEMBERED:
        del request.session[FOR]
        return {}
    finder = FindForm(kept)
    finder.is_valid()
    return whom(request, funnel, finder)


def found_guests(request: SignedInRequest, funnel: Funnel, finder: FindForm) -> HttpResponse:
    """The guests who fit, while somebody types: read from the copy, without the service."""
    typed = finder.cleaned_data.get("find") or ""
    found = guests.find(typed, restaurant=funnel.restaurant, user=request.user, now=timezone.now())
    context = {"funnel": funnel, "typed": typed, "found": found}
    return render(request, "reservations/_book_found.html", context)


def whom(request: SignedInRequest, funnel: Funnel, finder: FindForm) -> dict[str, Any]:
    typed = finder.cleaned_data.get("find") or ""
    return {
        "guest": chosen_guest(funnel.restaurant, finder, user=request.user),
        "typed": typed,
        "found": guests.find(
            typed, restaurant=funnel.restaurant, user=request.user, now=timezone.now()
        ),
    }


@require_safe
def anywhere(request: SignedInRequest) -> HttpResponse:
    """Free times near a time at every restaurant of a group. Read on request only."""
    places = places_with(request.user, CHANGE_RIGHT)
    groups = list(dict.fromkeys(place.group for place in places))
    group_uuid = request.GET.get("group", "")
    group = next((one for one in groups if str(one.uuid) == group_uuid), groups[0])
    members = [place for place in places if place.group_id == group.pk]
    found = Anywhere(request.GET, group=group, restaurants=members, now=timezone.now())
    context = {"anywhere": found, "groups": groups}
    return render(request, "reservations/anywhere.html", context)


@require_POST
def phone(request: SignedInRequest) -> HttpResponse:
    """Preview how a typed number will be sent."""
    funnel = funnel_of(request, places_with(request.user, CHANGE_RIGHT))
    typed = request.POST.get("phone", "")
    number = phones.normalise(typed, countries=[funnel.restaurant.country])
    context = {"typed": typed, "number": number}
    return render(request, "reservations/_phone_preview.html", context)


@require_safe
def sent_change(request: SignedInRequest, key: UUID) -> HttpResponse:
    """The outcome of an intent: confirmed, pending, refused, or a question."""
    rows = Intent.objects.visible_to(request.user).select_related("restaurant__group", "actor")
    outcome = BookingOutcome(get_object_or_404(rows, key=key), request.user)
    return render(
        request, "reservations/sent_change.html", {"outcome": outcome, "sent": outcome.change}
    )


def funnel_of(request: SignedInRequest, places: list[Restaurant]) -> Funnel:
    """The restaurant of the address, else the first one within reach.

    A posted form is only accepted for the restaurant that it names.
    """
    scope = request.GET.get("scope", "")
    restaurant = next((one for one in places if str(one.uuid) == scope), None)
    if restaurant is None and request.method == "POST" and scope:
        raise Http404
    restaurant = restaurant or places[0]
    siblings = [one for one in places if one.group_id == restaurant.group_id and one != restaurant]
    return Funnel(
        request.GET, restaurant=restaurant, siblings=siblings, user=request.user, now=timezone.now()
    )


def chosen_guest(restaurant: Restaurant, finder: FindForm, *, user: User) -> Customer | None:
    if not (picked := finder.cleaned_data.get("guest")):
        return None
    rows = Customer.objects.visible_to(user).present().light()
    return rows.filter(group=restaurant.group, uuid=picked).first()


def may_leave(form: BookForm, funnel: Funnel, guest: Customer | None, *, user: User) -> bool:
    """Check once more before sending: the time, and other bookings of the guest that day."""
    if reason := funnel.recheck():
        form.add_error(None, reason)
        return False
    at = place_in_time(funnel.meal_date, funnel.restaurant)
    if form.cleaned_data["anyway"] or at is None:
        return True
    evening = guests.same_evening(
        group=funnel.restaurant.group,
        day=funnel.restaurant.service_day(at),
        guest=guest,
        email=form.customer.get("email", ""),
        user=user,
    )
    form.evening = evening
    return not evening


def send(
    request: SignedInRequest, funnel: Funnel, form: BookForm, *, guest: Customer | None
) -> Intent:
    data = form.cleaned_data
    payload = {
        "meal_date": funnel.meal_date,
        "party_size": funnel.size,
        "customer": form.customer,
        "guest": str(guest.pk) if guest else "",
        "offer_uuid": str(funnel.offer) if funnel.offer and not funnel.is_free else None,
        "without_slot": funnel.is_free,
        "customer_note": data["customer_note"],
        "restaurant_note": data["restaurant_note"],
    }
    if funnel.could_not_recheck:
        payload["is_unchecked"] = True
    return outbox.submit(
        actions.CREATE,
        key=data["key"],
        kind="reservation",
        uuid=None,
        restaurant=funnel.restaurant,
        payload=payload,
        actor=request.user,
    )


def page(
    request: SignedInRequest,
    funnel: Funnel,
    places: list[Restaurant],
    *,
    guest: Customer | None = None,
    form: BookForm | None = None,
    typed: str = "",
    **shown: object,
) -> HttpResponse:
    status = 422 if form is not None and request.method == "POST" else 200
    # A searched number without a result is that of the new guest.
    number = phones.normalise(typed, countries=[funnel.restaurant.country])
    form = form or BookForm(restaurant=funnel.restaurant, guest=guest, initial={"phone": number})
    funnel.language = language_of(request, guest) or funnel.language
    context = {
        "funnel": funnel,
        "evening": DayPreview(funnel),
        "places": places,
        "guest": guest,
        "typed": typed,
        "form": form,
        "key": request.POST.get("key") or uuid4(),
    }
    return render(request, "reservations/new.html", context | shown, status=status)


def language_of(request: SignedInRequest, guest: Customer | None) -> str:
    """The guest's language: of the profile, or as just chosen for a new guest."""
    return (guest.locale if guest else "") or chosen_locale(request.POST)

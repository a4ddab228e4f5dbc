"""Views of a restaurant's offers, and of the days and sizes of one."""

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.requests import SignedInRequest
from reservations.offers.forms import OfferParams
from reservations.offers.pages import OfferDaysPage, OffersPage
from restaurants.access import places_with
from restaurants.models import Restaurant

VIEW_RIGHT = "reservations.view_reservation"


@require_safe
def index(request: SignedInRequest) -> HttpResponse:
    places = places_with(request.user, VIEW_RIGHT)
    scope = request.GET.get("scope", "")
    of_group = (one for one in places if str(one.group.uuid) == scope)
    restaurant = restaurant_of(request, places) or next(of_group, places[0])
    page = OffersPage(restaurant, user=request.user, now=timezone.now())
    return render(request, "reservations/offers.html", {"page": page, "places": places})


@require_safe
def days(request: SignedInRequest) -> HttpResponse:
    return render(request, "reservations/offer_days.html", {"page": offer_days(request)})


@require_safe
def sizes(request: SignedInRequest) -> HttpResponse:
    """The party sizes of an offer, for its card in the list."""
    return render(request, "reservations/_offer_sizes.html", {"page": offer_days(request)})


def offer_days(request: SignedInRequest) -> OfferDaysPage:
    """The page of the offer in the address, at a restaurant within reach; else 404."""
    restaurant = restaurant_of(request, places_with(request.user, VIEW_RIGHT))
    form = OfferParams(request.GET)
    form.is_valid()
    offer = form.cleaned_data.get("offer")
    if restaurant is None or offer is None:
        raise Http404
    return OfferDaysPage(
        request.GET, offer, restaurant=restaurant, user=request.user, now=timezone.now()
    )


def restaurant_of(request: SignedInRequest, places: list[Restaurant]) -> Restaurant | None:
    scope = request.GET.get("scope", "")
    return next((one for one in places if str(one.uuid) == scope), None)

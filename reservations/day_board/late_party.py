"""The step of the demo's tour that ends among the late parties."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from reservations.models import Reservation
from restaurants.models import Restaurant
from restaurants.tour import sandbox
from restaurants.tour.steps import TourStep

PARTY_SIZE = 8


def _play(place: Restaurant) -> str:
    done = sandbox.happen("late_party", restaurant=str(place.uuid), party_size=PARTY_SIZE)
    return str(done["reservation"])


def _is_shown(uuid: str) -> bool:
    return Reservation.objects.filter(uuid=uuid).exists()


def _url(uuid: str, place: Restaurant) -> str:
    return f"{reverse('reservations:index')}?scope={place.uuid}&zoom=arrivals&show=late"


LATE_PARTY = TourStep(
    place=10,
    name="late-party",
    title=_("Make a party of 8 arrive late"),
    text=_("A table for eight was booked for twenty minutes ago, and nobody has come."),
    lesson=_("The party of 8 is among the late ones, and its minutes count up. Press its card."),
    play=_play,
    is_shown=_is_shown,
    url=_url,
)

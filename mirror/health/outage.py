"""The step of the demo's tour that ends on a board whose service is away."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from mirror.health.freshness import is_away
from restaurants.models import Restaurant
from restaurants.tour import sandbox
from restaurants.tour.steps import TourStep

SECONDS = 60


def _play(place: Restaurant) -> str:
    sandbox.fail(seconds=SECONDS)
    # So that somebody asks the service, which otherwise is noticed with the next event.
    sandbox.happen("new_booking", restaurant=str(place.uuid))
    return ""


def _is_shown(_nothing: str) -> bool:
    return is_away()


def _url(_nothing: str, place: Restaurant) -> str:
    return f"{reverse('reservations:index')}?scope={place.uuid}"


OUTAGE = TourStep(
    place=30,
    name="outage",
    title=_("Let the service fail for a minute"),
    text=_("For sixty seconds every call to the service is answered with an error."),
    lesson=_(
        "The mark at the top says “Offline copy”. The evening can still be read, and a change that "
        "you make now is sent when the service is back."
    ),
    play=_play,
    is_shown=_is_shown,
    url=_url,
)

"""The steps of the demo's tour. Each app adds the one that ends on its own screen."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.registration import ExtensionPoint
from restaurants.models import Restaurant


@dataclass(frozen=True, kw_only=True)
class TourStep:
    """Something that happens in the service, and the screen that shows it."""

    place: int
    name: str
    title: Promise
    text: Promise  # what will happen
    lesson: Promise  # what the screen shows afterwards
    # Makes it happen, and returns the uuid of what came of it, if anything has one.
    play: Callable[[Restaurant], str]
    is_shown: Callable[[str], bool]
    url: Callable[[str, Restaurant], str]


TOUR_STEPS: ExtensionPoint[TourStep] = ExtensionPoint(
    "Steps of the demo's tour", order=lambda step: step.place
)
NOTHING_TO_PLAY = _("The sandbox does not answer. Is it running? Try again.")

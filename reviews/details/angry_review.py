"""The step of the demo's tour that ends at a bad review."""

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from restaurants.models import Restaurant
from restaurants.tour import sandbox
from restaurants.tour.steps import TourStep
from reviews.models import Review

SCORE = 2.2  # of ten


def _play(place: Restaurant) -> str:
    written = sandbox.happen("review", restaurant=str(place.uuid), score=SCORE, comment=True)
    sandbox.happen("publish_comment", review=written["review"])
    return str(written["review"])


def _is_shown(uuid: str) -> bool:
    return Review.objects.filter(uuid=uuid, comment_status="PUBLISHED").exists()


def _url(uuid: str, place: Restaurant) -> str:
    return reverse("reviews:show", args=[uuid])


ANGRY_REVIEW = TourStep(
    place=20,
    name="angry-review",
    title=_("Publish an angry review"),
    text=_("A guest of the last days writes about a bad evening, and moderation publishes it."),
    lesson=_("The review, with the visit beside it. Write a reply: it goes to moderation."),
    play=_play,
    is_shown=_is_shown,
    url=_url,
)

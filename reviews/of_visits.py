"""The score that a guest gave a visit, beside the visit."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from mirror.models import Mirrored
from reservations.visits import EXTRAS, Extra
from reviews.models import Review


def scores(uuids: Sequence[UUID]) -> dict[UUID, str]:
    """One query. A review that was taken out of the public score is left out here too."""
    reviews = Review.objects.filter(
        reservation__in=uuids,
        presence=Mirrored.Presence.PRESENT,
        is_valid=True,
        global_rating__isnull=False,
    )
    found = reviews.values_list("reservation_id", "global_rating")
    return {
        uuid: f"{number_format(rating.normalize(), 1)} / 10" for uuid, rating in found if rating
    }


def register_all() -> None:
    EXTRAS[:] = [Extra(_("Review"), scores)]

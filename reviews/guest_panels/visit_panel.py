"""Reviews of a visit: the score in lists of visits, the whole review beside the booking."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from mirror.models import Mirrored
from reservations.details import pages
from reservations.guest_panels import visits
from restaurants.access import can
from reviews import ratings
from reviews.inbox.pages import tone_of
from reviews.models import Review

VIEW = "reviews.view_review"


def scores(uuids: Sequence[UUID]) -> dict[UUID, str]:
    """One query. A review that was taken out of the public score is left out here too."""
    found = Review.objects.filter(
        reservation__in=uuids,
        presence=Mirrored.Presence.PRESENT,
        is_valid=True,
        global_rating__isnull=False,
    ).values_list("reservation_id", "global_rating")
    return {
        uuid: f"{number_format(rating.normalize(), 1)} / 10" for uuid, rating in found if rating
    }


def written(booking: pages.Details) -> list[dict[str, Any]] | None:
    """The reviews of the visit, for those who may read them there. One query."""
    if not can(booking.user, VIEW, booking.restaurant):
        return None
    rows = Review.objects.present().filter(reservation=booking.reservation.pk)
    found = rows.filter(restaurant=booking.restaurant).select_related("work")
    return [_panel_row(review) for review in found.order_by("-created_ts", "pk")] or None


def _panel_row(review: Review) -> dict[str, Any]:
    work = getattr(review, "work", None)  # not placed yet
    return {
        "review": review,
        "bars": [bar for bar in ratings.bars(review) if bar.words],
        "tone": tone_of(review.global_rating, is_low=bool(work and work.is_low)),
        "work": work,
    }


COLUMN = visits.Extra(_("Review"), scores)
PANEL = pages.BookingPanel(template="reviews/_visit_panel.html", find=written)

"""What a guest wrote, on the page of the guest and on the page of a booking."""

from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from customers.profile.pages import GuestPanel, Profile
from lib.database.compiled_queries import prepared_models
from reviews.models import Review

MOST = 20

PANEL = GuestPanel(
    name="reviews",
    title=_("Reviews"),
    place=40,
    template="reviews/_guest_panel.html",
    facts=lambda profile: facts(profile),
    right="reviews.view_review",
)


def facts(profile: Profile) -> Any:
    """The guest's reviews at the restaurants within reach, the newest first. Two queries."""
    places = [one.pk for one in profile.restaurants]
    return {"reviews": _newest(profile.guest.pk, places)}


@prepared_models
def _newest(guest: UUID, places: list[int]) -> Any:
    rows = Review.objects.present().filter(customer=guest, restaurant__in=places)
    return rows.select_related("restaurant").defer("raw").order_by("-created_ts", "pk")[:MOST]

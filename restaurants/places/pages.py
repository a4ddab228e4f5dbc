"""New restaurants: those that the bookings of a group name, and what they share with the others."""

from collections.abc import Iterable
from uuid import UUID

from restaurants.models import Group, Restaurant
from restaurants.places import colours
from restaurants.places.sync import FoundRestaurant

SHARED = ("timezone", "country", "currency", "day_start")


def not_set_up(group: Group, found: Iterable[FoundRestaurant]) -> list[FoundRestaurant]:
    """Those with most bookings first. Calls the service if `found` is still to be read."""
    known = set(group.restaurants.values_list("uuid", flat=True))
    return sorted((one for one in found if one.uuid not in known), key=lambda one: -one.bookings)


def like_its_siblings(group: Group, uuid: str | None) -> Restaurant:
    """A new restaurant with the place of the group's newest one, to be corrected."""
    new = Restaurant(group=group, colour=colours.least_used())
    if known := _uuid(uuid):
        new.uuid = known
    if newest := group.restaurants.order_by("pk").last():
        for name in SHARED:
            setattr(new, name, getattr(newest, name))
    return new


def _uuid(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None

"""Asks an account whether it owns a group, because the service lists no groups."""

from datetime import date

from partner.client import Client
from partner.errors import NotOurs
from restaurants.models import Group

MOST = 40  # restaurants whose bookings are listed, beside those of the group: one call each


def is_owned(group: Group, *, api: Client, today: date) -> bool:
    """Whether the account may list the bookings of the group and of its restaurants.

    It ends at the first refusal: several in a row would cast doubt on a valid key.
    """
    try:
        next(api.reservation_uuids(group=group.uuid, start=today, end=today, limit=1), None)
        for place in group.restaurants.order_by("pk")[:MOST]:
            next(
                api.reservation_uuids(restaurant=place.uuid, start=today, end=today, limit=1), None
            )
    except NotOurs:
        return False
    return True

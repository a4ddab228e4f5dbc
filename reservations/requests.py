"""Bookings that a restaurant has not decided about: the number beside the menus."""

from django.utils import timezone

from reservations.models import Reservation
from restaurants.shell import Shell


def waiting(shell: Shell) -> int:
    """One query, by an index that holds nothing but such bookings."""
    ids = [restaurant.pk for restaurant in shell.scope_restaurants]
    if not ids:
        return 0
    return Reservation.objects.for_restaurants(ids).requested(now=timezone.now()).count()

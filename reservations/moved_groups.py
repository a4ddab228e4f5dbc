"""What a group that moves to another connection takes along of its bookings: all."""

from django.utils.translation import ngettext

from reservations.models import Reservation
from restaurants.models import Group


def sentence(group: Group) -> str:
    bookings = Reservation.objects.filter(restaurant__group=group).count()
    return ngettext(
        "%(count)d stored booking stays, with its history and what is waiting to be sent.",
        "%(count)d stored bookings stay, with their history and what is waiting to be sent.",
        bookings,
    ) % {"count": bookings}

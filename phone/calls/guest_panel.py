"""The calls of a guest, on the guest's page."""

from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from customers.profile.pages import GuestPanel, Profile
from lib.database.compiled_queries import prepared_models
from phone.calls.pages import CallLine
from phone.models import RIGHT, Call
from restaurants.access import can

SHOWN = 10


class GuestCalls(NamedTuple):
    lines: list[CallLine]
    missed: int


def calls(profile: Profile) -> GuestCalls | None:
    """The latest calls from the guest's numbers, where the reader may see them. Two queries."""
    guest = profile.guest
    places = [one.pk for one in profile.restaurants if can(profile.user, RIGHT, one)]
    numbers = [one for one in (guest.phone_e164, guest.secondary_phone_e164) if one]
    newest: list[Call] = _newest(places, numbers)
    if not newest:
        return None
    lines = [CallLine(call, guests=[guest], now=profile.now) for call in newest]
    return GuestCalls(lines, missed=_calls(places, numbers).missed().count())


@prepared_models
def _newest(places: list[int], numbers: list[str]) -> Any:
    return _calls(places, numbers).for_log()[:SHOWN]


def _calls(places: list[int], numbers: list[str]) -> Any:
    return Call.objects.filter(restaurant__in=places).from_numbers(numbers)


PANELS = (
    GuestPanel(
        name="calls",
        title=_("Calls"),
        place=60,
        template="phone/_of_guest.html",
        facts=calls,
        right=RIGHT,
    ),
)

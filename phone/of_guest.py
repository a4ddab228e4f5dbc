"""The calls of a guest, on the guest's page."""

from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from customers.profile import Profile, Section, register
from phone.log import CallLine
from phone.models import RIGHT, Call

SHOWN = 10


class Calls(NamedTuple):
    lines: list[CallLine]
    missed: int


def calls(profile: Profile) -> Calls | None:
    """The latest calls from the guest's numbers, where the reader may see them. Two queries."""
    guest = profile.guest
    rows = Call.objects.visible_to(profile.user).filter(restaurant__group=guest.group_id)
    rows = rows.from_numbers([guest.phone_e164, guest.secondary_phone_e164])
    newest = list(rows.for_log()[:SHOWN])
    if not newest:
        return None
    lines = [CallLine(call, profile.user, now=profile.now, guests=[guest]) for call in newest]
    return Calls(lines, missed=rows.missed().count())


def register_all() -> None:
    register(
        Section(
            name="calls",
            title=_("Calls"),
            place=60,
            template="phone/_of_guest.html",
            facts=calls,
            right=RIGHT,
        )
    )

"""Test connection: the token we have, and one cheap read per granted right, in words.

The valid token is reused; no new one is asked for. What cannot be read without changing
something is said to be granted, not tried.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from partner.capabilities import Capability, CapabilityMap
from partner.client import Client
from partner.errors import PartnerError
from partner.models import Connection


@dataclass(frozen=True)
class Place:
    """A restaurant to try the reads on."""

    group_uuid: UUID
    restaurant_uuid: UUID
    name: str


@dataclass(frozen=True)
class Finding:
    label: "str | Promise"
    is_good: bool
    sentence: "str | Promise"
    next_step: str = ""


Probe = Callable[[Client, Place, date], Any]


def _first(uuids: Any) -> Any:
    return next(iter(uuids), None)


PROBES: dict[str, Probe] = {
    "reservations": lambda api, place, day: _first(
        api.reservation_uuids(restaurant=place.restaurant_uuid, start=day, end=day, limit=1)
    ),
    "availability": lambda api, place, day: api.party_sizes(
        place.restaurant_uuid, start=day, end=day
    ),
    "offers": lambda api, place, day: api.offers(place.restaurant_uuid, locale="en"),
    "customers": lambda api, place, day: _first(
        api.customer_uuids(group=place.group_uuid, start=day, end=day, limit=1)
    ),
    "reviews": lambda api, place, day: _first(
        api.review_uuids(
            restaurant=place.restaurant_uuid, start=day - timedelta(days=1), end=day, limit=1
        )
    ),
}

_find_place: list[Callable[[], Place | None]] = []


def offer_place(find: Callable[[], Place | None]) -> None:
    """Register where to find a restaurant: restaurants are a room above this one."""
    _find_place[:] = [find]


def try_connection(client: Client, connection: Connection, *, today: date) -> list[Finding]:
    """Return one finding for the token and one for each right. At most six calls."""
    place = _find_place[0]() if _find_place else None
    try:
        client.authorise()
    except PartnerError as fault:
        return [Finding(_("Key"), False, fault.sentence, fault.next_step)]
    rights = CapabilityMap(connection).every()
    findings = [_try(right, client, place, today=today) for right in rights]
    return [Finding(_("Key"), True, _("The key is valid; no new one was asked for.")), *findings]


def _try(right: Capability, client: Client, place: Place | None, *, today: date) -> Finding:
    label, probe = right.feature.label, PROBES.get(right.feature.key)
    if not right.is_granted:
        return Finding(label, False, right.reason, right.request_text)
    if probe is None:
        return Finding(label, True, _("Granted. Trying it would change something."))
    if place is None:
        return Finding(label, True, _("Granted. Add a restaurant to try it."))
    try:
        probe(client, place, today)
    except PartnerError as fault:
        return Finding(label, False, fault.sentence, fault.next_step)
    return Finding(label, True, _("Works."))

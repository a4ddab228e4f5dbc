"""Connection test: the current token, and one cheap read per granted right.

A valid token is reused; no new one is requested. A right that cannot be tried without changing
something is reported as granted, not tried.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.registration import ExtensionPoint
from partner.auth.capabilities import Capability, CapabilityMap
from partner.client import Client
from partner.errors import PartnerError
from partner.models import Connection


@dataclass(frozen=True)
class ProbePlace:
    """A restaurant to try the reads on."""

    group_uuid: UUID
    restaurant_uuid: UUID


@dataclass(frozen=True)
class ProbeResult:
    label: "str | Promise"
    is_good: bool
    sentence: "str | Promise"
    next_step: str = ""


Probe = Callable[[Client, ProbePlace, date], Any]


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

# This app may not import `restaurants`, which finds one.
PROBE_PLACES: ExtensionPoint[Callable[[Connection], ProbePlace | None]] = ExtensionPoint(
    "Where a connection is tried"
)


def try_connection(client: Client, connection: Connection, *, today: date) -> list[ProbeResult]:
    """Return one result for the token and one for each right. At most six calls."""
    place = next((find(connection) for find in PROBE_PLACES), None)
    try:
        client.authorise()
    except PartnerError as fault:
        return [ProbeResult(_("Key"), False, fault.sentence, fault.next_step)]
    rights = CapabilityMap(connection).every()
    results = [_try(right, client, place, today=today) for right in rights]
    return [ProbeResult(_("Key"), True, _("The key is valid; no new one was asked for.")), *results]


def _try(
    right: Capability, client: Client, place: ProbePlace | None, *, today: date
) -> ProbeResult:
    label, probe = right.feature.label, PROBES.get(right.feature.key)
    if not right.is_granted:
        return ProbeResult(label, False, right.reason, right.request_text)
    if probe is None:
        return ProbeResult(label, True, _("Granted. Trying it would change something."))
    if place is None:
        return ProbeResult(label, True, _("Granted. Add a restaurant to try it."))
    try:
        probe(client, place, today)
    except PartnerError as fault:
        return ProbeResult(label, False, fault.sentence, fault.next_step)
    return ProbeResult(label, True, _("Works."))

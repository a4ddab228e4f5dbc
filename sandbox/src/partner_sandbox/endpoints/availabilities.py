"""The booking reads and the override: availabilities, timeslots, partySizes, offers."""

from collections.abc import Iterator
from datetime import date
from typing import Any

from partner_sandbox.endpoints.paths import path_restaurant
from partner_sandbox.entities import availability
from partner_sandbox.entities.availability import Bookable
from partner_sandbox.entities.directory import SandboxRestaurant
from partner_sandbox.http import fields
from partner_sandbox.http.errors import invalid
from partner_sandbox.http.fields import MISSING, Query
from partner_sandbox.service import SandboxCall, SandboxEndpoint

MOST_DAYS = 400  # nobody publishes a limit; this one keeps a mistyped year from costing minutes
READ = frozenset({"svc-restaurant", "svc-restaurant:availabilities"})
OVERRIDE = frozenset({"svc-restaurant:override-availabilities"})
OFFERS = frozenset({"svc-restaurant", "svc-restaurant:offers"})


def list_availabilities(call: SandboxCall) -> list[dict[str, Any]]:
    query = call.query()
    days, size = _days(query), _party_size(query)
    offer = query.uuid("offerUuid")
    place = path_restaurant(call)
    found = []
    for day, items in _bookable_days(call, place, days):
        normal = any(item.normal_for(place, size) for item in items)
        offers = _offers_of(place, items, size)
        wanted = place.offer(offer)
        if offer is None or (wanted is not None and wanted.uuid in offers):
            entry = {"date": day.isoformat(), "hasNormalStock": normal}
            found.append({**entry, "offerList": offers or None})
    return found


def list_timeslots(call: SandboxCall) -> list[dict[str, Any]]:
    query = call.query()
    day, size = query.date("date"), _party_size(query)
    offer = query.uuid("offerUuid")
    place = path_restaurant(call)
    found = []
    for _, items in _bookable_days(call, place, [day]):
        for item in items:
            entry = _timeslot(place, item, size)
            wanted = place.offer(offer)
            is_included = offer is None or (
                wanted is not None and wanted.uuid in (entry["offers"] or ())
            )
            if is_included and (entry["hasNormalStock"] or entry["offers"]):
                found.append(entry)
    return found


def _timeslot(place: SandboxRestaurant, item: Bookable, size: float | None) -> dict[str, Any]:
    rules = [
        {
            "guaranteeType": rule.kind,
            "amount": rule.amount,
            "minimumCancellationHours": rule.hours,
            "minimumPartySize": rule.from_party,
            **({"offerUuid": rule.offer} if rule.offer else {}),
        }
        for rule in availability.guarantees(place, item, size)
    ]
    return {
        "datetime": item.slot.text,
        "offers": [offer.uuid for offer in item.offers_for(place, size)] or None,
        "hasNormalStock": item.normal_for(place, size),
        "hasPaymentGuaranteeRequirement": bool(rules),
        "guaranteeRequirementList": rules,
    }


def list_party_sizes(call: SandboxCall) -> list[int]:
    query = call.query()
    days = _days(query)
    offer = query.uuid("offerUuid")
    place = path_restaurant(call)
    sizes: set[int] = set()
    for _, items in _bookable_days(call, place, days):
        for item in items:
            sizes.update(s for s in place.sizes if _takes(place, item, s, offer))
    return sorted(sizes)


def _takes(place: SandboxRestaurant, item: Bookable, size: int, offer: bytes | None) -> bool:
    offers = item.offers_for(place, size)
    if offer is None:
        return bool(offers) or item.normal_for(place, size)
    return place.offer(offer) in offers


def list_offers(call: SandboxCall) -> list[dict[str, Any]]:
    locale = call.query().text("locale", fields.LOCALE, required=True)
    place = path_restaurant(call)
    return [
        {
            "uuid": offer.uuid,
            "name": _translated(offer.names, str(locale), place),
            "description": _translated(offer.descriptions, str(locale), place),
            "price": offer.price,
        }
        for offer in place.offers
    ]


def _translated(texts: dict[str, str], locale: str, place: SandboxRestaurant) -> str | None:
    language = locale.partition("_")[0]
    for wanted in (language, place.locale.partition("_")[0], "en"):
        for spelt, text in texts.items():
            if spelt.partition("_")[0] == wanted:
                return text
    return None


def override(call: SandboxCall) -> dict[str, Any]:
    body = call.body("date", "startTime", "endTime", "isOpen")
    day = body.date("date")
    start = body.text("startTime", fields.LOCAL_TIME)
    end = body.text("endTime", fields.LOCAL_TIME, required=False)
    is_open = body.boolean("isOpen", required=False, default=False)
    end = start if end is MISSING else end
    if end < start:
        raise invalid("endTime")
    place = path_restaurant(call)
    with call.service.store.writing() as db:
        db.execute(
            "INSERT INTO override (restaurant_id, day, first_minute, last_minute, is_open)"
            " VALUES (?,?,?,?,?)",
            (place.id, day.isoformat(), _minute(start), _minute(end), is_open),
        )
    answer = {"restaurantUuid": place.uuid, "date": day.isoformat()}
    return {**answer, "startTime": start, "endTime": end, "isOpen": is_open}


def _minute(local_time: str) -> int:
    return int(local_time[:2]) * 60 + int(local_time[3:])


def _days(query: Query) -> list[date]:
    first, last = query.date("startDate"), query.date("endDate")
    span = (last - first).days + 1
    if span > MOST_DAYS:
        raise invalid("endDate")
    return [date.fromordinal(first.toordinal() + n) for n in range(span)]


def _party_size(query: Query) -> float | None:
    return query.number("partySize", 0) or None


def _bookable_days(
    call: SandboxCall, place: SandboxRestaurant, days: list[date]
) -> Iterator[tuple[date, list[Bookable]]]:
    now = call.service.clock.now()
    with call.service.store.reading() as db:
        for day in days:
            in_reach = date.min.year < day.year < date.max.year
            yield day, availability.bookable(db, place, day, now) if in_reach else []


def _offers_of(place: SandboxRestaurant, items: list[Bookable], size: float | None) -> list[str]:
    found = {offer.uuid: None for item in items for offer in item.offers_for(place, size)}
    return list(found)


ENDPOINTS = [
    SandboxEndpoint(
        "list_availabilities",
        "GET",
        "/v1/restaurants/{id}/availabilities",
        list_availabilities,
        READ,
        frozenset({"startDate", "endDate", "partySize", "offerUuid"}),
    ),
    SandboxEndpoint(
        "list_timeslots",
        "GET",
        "/v1/restaurants/{id}/timeslots",
        list_timeslots,
        READ,
        frozenset({"date", "partySize", "offerUuid"}),
    ),
    SandboxEndpoint(
        "list_party_sizes",
        "GET",
        "/v1/restaurants/{id}/partySizes",
        list_party_sizes,
        READ,
        frozenset({"startDate", "endDate", "offerUuid"}),
    ),
    SandboxEndpoint(
        "list_offers",
        "GET",
        "/v1/restaurants/{id}/offers",
        list_offers,
        OFFERS,
        frozenset({"locale"}),
    ),
    SandboxEndpoint(
        "override_availability",
        "PUT",
        "/v1/restaurants/{id}/availabilities/override",
        override,
        OVERRIDE,
    ),
]

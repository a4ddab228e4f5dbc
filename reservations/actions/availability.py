"""The action that closes or opens online booking for the slots of a day."""

from datetime import date
from typing import Any

from outbox.models import Intent
from outbox.registry import Found, Look
from partner.schemas import Timeslot
from reservations.service_clock import place_in_time


def send(client: Any, intent: Intent) -> Any:
    payload = intent.payload
    return client.override_availability(
        intent.restaurant.uuid,
        day=date.fromisoformat(payload["day"]),
        start_time=payload["start_time"],
        end_time=payload["end_time"],
        is_open=payload["is_open"],
    )


def confirms(intent: Intent, answer: Any) -> bool:
    """Whether it names our direction, and no other day or time. The contract does not say which
    of them it repeats."""
    switched, payload = answer.entity, intent.payload
    first, last = payload["start_time"], payload["end_time"] or payload["start_time"]
    is_that_day = switched.date is None or switched.date.isoformat() == payload["day"]
    named = (_clock(switched.start_time) or first, _clock(switched.end_time) or last)
    is_that_time = named == (first, last)
    return is_that_day and is_that_time and switched.is_open is payload["is_open"]


def _clock(text: str | None) -> str:
    """“19:00” of “19:00:00” too."""
    return (text or "")[:5]


def look(client: Any, intent: Intent) -> Look:
    """Read the day's slots. They can disprove the switch, and never prove it.

    A closed and a sold-out slot look the same, and a slot on sale may not have been closed before.
    Sending the switch again is harmless, so this never returns “done”.
    """
    payload = intent.payload
    slots = client.timeslots(intent.restaurant.uuid, day=date.fromisoformat(payload["day"])).entity
    is_on_sale = any(_is_on_sale(slot) for slot in slots if _is_inside(slot, intent))
    return Look(Found.UNPROVEN if is_on_sale == payload["is_open"] else Found.NOT_DONE)


def _is_inside(slot: Timeslot, intent: Intent) -> bool:
    at = place_in_time(slot.datetime or "", intent.restaurant)
    first = intent.payload["start_time"]
    last = intent.payload["end_time"] or first
    return at is not None and first <= f"{intent.restaurant.local(at):%H:%M}" <= last


def _is_on_sale(slot: Timeslot) -> bool:
    """Whether something can be booked: a slot may be listed without stock."""
    return bool(slot.has_normal_stock or slot.offers)

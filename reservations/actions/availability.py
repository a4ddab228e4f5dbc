"""Close or open online booking for the slots of a day. A switch, not a number of covers."""

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
    switched, payload = answer.entity, intent.payload
    is_that_day = switched.date is None or switched.date.isoformat() == payload["day"]
    return is_that_day and switched.is_open is payload["is_open"]


def look(client: Any, intent: Intent) -> Look:
    """Read the day's slots. They can disprove the switch, and never prove it.

    What is closed and what is sold out look the same, and of what is on sale nobody can tell
    whether it was closed before. Sending the switch again is harmless, so no look says “done”.
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
    """A slot may stay listed without anything to sell."""
    return bool(slot.has_normal_stock or slot.offers)

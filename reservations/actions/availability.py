"""Close or open online booking for the slots of a day. A switch, not a number of covers."""

from datetime import date
from typing import Any

from outbox.models import Intent
from outbox.registry import Found, Look
from partner.schemas import Timeslot
from reservations.wall import place_in_time


def send(client: Any, intent: Intent) -> Any:
    wish = intent.payload
    return client.override_availability(
        intent.restaurant.uuid,
        day=date.fromisoformat(wish["day"]),
        start_time=wish["start_time"],
        end_time=wish["end_time"],
        is_open=wish["is_open"],
    )


def confirms(intent: Intent, answer: Any) -> bool:
    told, wish = answer.entity, intent.payload
    is_that_day = told.date is None or told.date.isoformat() == wish["day"]
    return is_that_day and told.is_open is wish["is_open"]


def look(client: Any, intent: Intent) -> Look:
    """Read the day's slots. They can disprove the switch, and never prove it.

    What is closed and what is sold out look the same, and of what is on sale nobody can tell
    whether it was closed before. Sending the switch again is harmless, so no look says “done”.
    """
    wish = intent.payload
    slots = client.timeslots(intent.restaurant.uuid, day=date.fromisoformat(wish["day"])).entity
    is_on_sale = any(_is_on_sale(slot) for slot in slots if _is_inside(slot, intent))
    return Look(Found.UNPROVEN if is_on_sale == wish["is_open"] else Found.NOT_DONE)


def _is_inside(slot: Timeslot, intent: Intent) -> bool:
    at = place_in_time(slot.datetime or "", intent.restaurant)
    first = intent.payload["start_time"]
    last = intent.payload["end_time"] or first
    return at is not None and first <= f"{intent.restaurant.local(at):%H:%M}" <= last


def _is_on_sale(slot: Timeslot) -> bool:
    """A slot may stay listed without anything to sell."""
    return bool(slot.has_normal_stock or slot.offers)

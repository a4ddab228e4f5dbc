"""Close or open online booking for the slots of a day. A switch, not a number of covers."""

from datetime import date
from typing import Any

from outbox.models import Intent
from outbox.registry import Found, Look
from reservations.wall import moment


def send(client: Any, intent: Intent) -> Any:
    wish = intent.payload
    return client.override_availability(
        intent.restaurant.uuid,
        day=date.fromisoformat(wish["day"]),
        start_time=wish["start_time"],
        end_time=wish["end_time"],
        is_open=wish["is_open"],
    )


def look(client: Any, intent: Intent) -> Look:
    """Read the day's slots: closed means that none is left in the range, open that one is there.

    Where there is nothing to sell, open looks like closed; sending the switch again is harmless.
    """
    wish = intent.payload
    slots = client.timeslots(intent.restaurant.uuid, day=date.fromisoformat(wish["day"])).entity
    first, last = wish["start_time"], wish["end_time"] or wish["start_time"]
    walls = [at.strftime("%H:%M") for slot in slots if (at := moment(slot.datetime))]
    on_sale = any(first <= wall <= last for wall in walls)
    return Look(Found.DONE if on_sale == wish["is_open"] else Found.NOT_DONE)

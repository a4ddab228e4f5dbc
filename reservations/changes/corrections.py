"""The address of the form that corrects a refused change, with its choices."""

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse

from outbox.models import Intent
from outbox.refusals import names_a_field, refused_field
from reservations import actions
from reservations.service_clock import place_in_time


def correction_url(intent: Intent) -> str:
    """The form's address for a change with a refused field, else ""."""
    build_url = FORMS.get(intent.action)
    return build_url(intent) if build_url and names_a_field(intent) else ""


def _booking_form(intent: Intent) -> str:
    """The new booking with its choices."""
    sent = intent.payload
    if "customer" not in sent:
        return ""
    address = {"scope": intent.restaurant.uuid, "size": sent["party_size"]}
    at = place_in_time(sent["meal_date"], intent.restaurant)
    local = intent.restaurant.local(at) if at else None
    address |= {"day": intent.restaurant.service_day(at) if at else "", "slot": sent["meal_date"]}
    if sent.get("without_slot"):
        address |= {"slot": "", "want": f"{local:%H:%M}" if local else "", "free": "on"}
    return _with_address("reservations:new", address | {"offer": sent.get("offer_uuid")}, intent)


def _change_form(intent: Intent) -> str:
    """The change of time or size, or the form of a refused note."""
    changes = intent.payload["changes"]
    if refused_field(intent) == "restaurant_note":
        return _with_address("reservations:note", {}, intent, intent.uuid)
    address = {"slot": changes.get("meal_date"), "size": changes.get("party_size")}
    return _with_address("reservations:change", address, intent, intent.uuid)


def _override_form(intent: Intent) -> str:
    sent = intent.payload
    address = {"scope": intent.restaurant.uuid, "day": sent["day"], "start": sent["start_time"]}
    return _with_address("reservations:availability", address | {"end": sent["end_time"]}, intent)


def _with_address(view: str, address: dict[str, Any], intent: Intent, *args: Any) -> str:
    data = {name: value for name, value in address.items() if value} | {"correct": intent.key}
    return f"{reverse(view, args=args)}?{urlencode(data)}"


FORMS: dict[str, Callable[[Intent], str]] = {
    actions.CREATE: _booking_form,
    actions.UPDATE: _change_form,
    actions.OVERRIDE: _override_form,
}

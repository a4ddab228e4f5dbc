"""The form snapshot: the booking as a person saw it, carried by the form itself.

Signed and encoded, because browsers rewrite the line ends of plain form fields.
"""

from typing import Any

from django.core import signing

from reservations.models import Reservation

SALT = "reservations.seen"


def state_of(reservation: Reservation) -> dict[str, Any]:
    return {
        "meal_date": reservation.meal_date_text,
        "party_size": reservation.party_size,
        "restaurant_note": reservation.restaurant_note,
    }


def pack(reservation: Reservation) -> str:
    return signing.dumps(state_of(reservation), salt=SALT, compress=True)


def unpack(text: str) -> dict[str, Any]:
    """Return the unpacked snapshot, or raise `BadSignature`."""
    state: dict[str, Any] = signing.loads(text, salt=SALT)
    return state

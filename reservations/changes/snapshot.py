"""What a person saw when they began to change a booking, carried by the form itself.

Signed, so that the text survives a browser unchanged: it rewrites line ends, a signature does not.
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
    """Return what was packed, or raise `BadSignature`."""
    state: dict[str, Any] = signing.loads(text, salt=SALT)
    return state

"""Happenings of a service: arriving, seating, bill, leaving, no-show."""

from typing import Any

from partner_sandbox.clock import HOUR, MINUTE
from partner_sandbox.happenings.happening import Happening, NotPossible
from partner_sandbox.world.bookings import bill

Done = dict[str, Any] | None
AROUND_NOW = (-3 * HOUR, 2 * HOUR)
SITTING = (-5 * HOUR, 2 * HOUR)


def arrive(happening: Happening) -> Done:
    """A party arrives."""
    return _step(happening, "ARRIVED", "r.meal_status IS NULL OR r.meal_status='PARTIALLY_ARRIVED'")


def partly_arrive(happening: Happening) -> Done:
    """Some of a party arrive."""
    return _step(happening, "PARTIALLY_ARRIVED", "r.meal_status IS NULL AND r.party_size>1")


def seat(happening: Happening) -> Done:
    """A party that has arrived sits down."""
    return _step(happening, "SEATED", "r.meal_status IN ('ARRIVED','PARTIALLY_ARRIVED')")


def ask_bill(happening: Happening) -> Done:
    """A seated party asks for the bill."""
    return _step(happening, "BILL", "r.meal_status='SEATED'")


def leave(happening: Happening) -> Done:
    """A party leaves; the bill arrives from the till."""
    row = _find(happening, "r.meal_status IN ('BILL','SEATED')")
    if row is None:
        return None
    place = happening.place_of(row)
    paid = bill(happening.service.luck, place, row["party_size"], place.offer(row["offer"]))
    return happening.change_reservation(row, meal_status="LEFT", body={"billAmount": paid})


def no_show(happening: Happening) -> Done:
    """A party that is late is marked as a no-show."""
    row = happening.reservation(
        "r.status='RECORDED' AND r.meal_status IS NULL", (-5 * HOUR, -10 * MINUTE)
    )
    if row is None:
        return None
    _must_be_recorded(row)
    return happening.change_reservation(row, status="NO_SHOW", meal_status=None)


def _step(happening: Happening, meal_status: str, condition: str) -> Done:
    row = _find(happening, condition)
    return None if row is None else happening.change_reservation(row, meal_status=meal_status)


def _find(happening: Happening, condition: str) -> Any:
    fresh = "PARTIALLY" in condition or "NULL" in condition
    window = AROUND_NOW if fresh else SITTING
    row = happening.reservation(f"r.status='RECORDED' AND ({condition})", window)
    if row is not None:
        _must_be_recorded(row)
    return row


def _must_be_recorded(row: Any) -> None:
    if row["status"] != "RECORDED":
        raise NotPossible(f"This reservation is {row['status']}.")

"""Reasons why a booking may be worth a call, for a person to weigh. Never a score, never a block.

Off unless the group switches it on, and empty where arrivals are not marked, because no-shows are
unknown there.
"""

from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from reservations.models import Reservation

LONG_AHEAD = 21  # days
LARGE = 8  # people
OFTEN = 2  # cancellations


class Past(NamedTuple):
    """The outcomes of a guest's earlier bookings."""

    came: int = 0
    no_shows: int = 0
    cancelled: int = 0


def reasons(
    reservation: Reservation, past: Past, *, marks_arrivals: bool, now: datetime
) -> list[str]:
    """An earlier no-show is enough; any other reason needs a second one."""
    if not _is_eligible(reservation, now=now) or not marks_arrivals:
        return []
    missed = _missed(past)
    found = [*missed, *_cancelled(past), *_circumstances(reservation)]
    return found if missed or len(found) > 1 else []


def _is_eligible(row: Reservation, *, now: datetime) -> bool:
    is_expected = row.status == "RECORDED" and row.meal_at is not None and row.meal_at > now
    return is_expected and not row.meal_status and row.restaurant.group.no_show_hints


def _missed(past: Past) -> list[str]:
    if not past.no_shows:
        return []
    words = ngettext(
        "did not come to %(n)s earlier booking",
        "did not come to %(n)s earlier bookings",
        past.no_shows,
    )
    return [words % {"n": past.no_shows}]


def _cancelled(past: Past) -> list[str]:
    if past.cancelled < OFTEN or past.cancelled <= past.came:
        return []
    return [_("cancelled %(n)s earlier bookings") % {"n": past.cancelled}]


def _circumstances(row: Reservation) -> list[str]:
    found = []
    if (row.days_ahead or 0) >= LONG_AHEAD:
        found.append(_("booked %(n)s days ahead") % {"n": row.days_ahead})
    if (row.party_size or 0) >= LARGE:
        found.append(_("party of %(n)s") % {"n": row.party_size})
    if row.customer is not None and not (row.customer.phone or row.customer.secondary_phone):
        found.append(_("no telephone number"))
    return found

"""The picker of another time or size: free times, the picked one, and the difference."""

from datetime import date
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _

from partner import factory
from partner.errors import PartnerError
from reservations.actions import openings
from reservations.actions.openings import Read, SlotOnSale
from reservations.changes.forms import PickForm
from reservations.changes.pages.summaries import ChangeLine, in_words
from reservations.guarantees import GuaranteeCheck, check_choice
from reservations.models import Reservation
from reservations.service_clock import place_in_time


class OfferedSlot(NamedTuple):
    slot: SlotOnSale
    check: GuaranteeCheck
    is_picked: bool


class Picker:
    """Reads the times of one day, once. `problem` explains why there are none."""

    def __init__(self, reservation: Reservation, address: Any) -> None:
        form = PickForm(address)
        form.is_valid()
        data = form.cleaned_data
        self.reservation = reservation
        self.restaurant = reservation.restaurant
        self.size: int = data.get("size") or reservation.party_size or 1
        self.picked: str = data.get("slot") or reservation.meal_date_text
        self.day: date | None = data.get("day") or self._picked_day
        self.problem: PartnerError | None = None

    @property
    def _picked_day(self) -> date | None:
        """The service day of the picked time."""
        at = place_in_time(self.picked, self.restaurant)
        try:
            return self.restaurant.service_day(at) if at else None
        except OverflowError:  # the last hours of the year 9999 are another year here
            return None

    @cached_property
    def read(self) -> Read | None:
        """The times of the service day. At most two calls of the service."""
        if self.day is None:
            return None
        try:
            client = factory.client(self.restaurant.group.connection_id)
            read = openings.slots(client, self.restaurant, day=self.day, party_size=self.size)
        except PartnerError as error:
            self.problem = error
            return None
        self.problem = read.problem
        return read

    @cached_property
    def offered(self) -> list[OfferedSlot]:
        offer = self.reservation.offer_uuid  # a change keeps it: the API cannot change the offer
        return [
            OfferedSlot(
                slot,
                check_choice(slot.rules, party_size=self.size, offer=offer),
                slot.text == self.picked,
            )
            for slot in (self.read.items if self.read else ())
        ]

    @property
    def reasons(self) -> list[str]:
        """Why some times cannot be chosen, each reason once."""
        return list(dict.fromkeys(o.check.reason for o in self.offered if o.check.reason))

    @property
    def href(self) -> str:
        """An absolute address, because the picker may be in the drawer of any page."""
        here = reverse("reservations:change", args=[self.reservation.uuid])
        return f"{here}?" + urlencode({"size": self.size, "day": self.day or ""})

    @property
    def keeps_time(self) -> bool:
        return self.picked == self.reservation.meal_date_text

    @property
    def waits_for_time(self) -> bool:
        """Whether the day on the screen is not that of the time that would be sent."""
        is_listed = any(one.is_picked for one in self.offered)
        return self.day is not None and self._picked_day != self.day and not is_listed

    @property
    def lines(self) -> list[ChangeLine]:
        """What would change."""
        row = self.reservation
        lines = []
        if not self.keeps_time:
            times = (row.meal_date_text, self.picked)
            before, after = (in_words("meal_date", one, row.restaurant) for one in times)
            lines.append(ChangeLine(_("Time"), before, after))
        if self.size != row.party_size:
            lines.append(ChangeLine(_("Party"), str(row.party_size or "?"), str(self.size)))
        return lines

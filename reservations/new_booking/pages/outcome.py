"""The outcome of a sent booking: confirmed, pending or refused."""

from datetime import datetime
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from accounts.models import User
from outbox.models import Intent
from reservations import actions
from reservations.changes.pages.summaries import ChangeSummary, right_of
from reservations.models import ENDED, Reservation
from reservations.new_booking import guests
from reservations.service_clock import place_in_time
from reservations.words import Notice, notice_of
from restaurants.access import can

State = Intent.State


class BookingOutcome:
    def __init__(self, intent: Intent, user: User) -> None:
        self.intent = intent
        self.user = user
        self.change = ChangeSummary(intent)

    @property
    def is_allowed(self) -> bool:
        return can(self.user, right_of(self.intent), self.intent.restaurant)

    @property
    def is_booking(self) -> bool:
        return self.intent.action == actions.CREATE

    @property
    def guest_name(self) -> str:
        """The guest as the booking was sent; empty once the guest was erased."""
        sent = self.intent.payload.get("customer") or {}
        return f"{sent.get('first_name', '')} {sent.get('last_name', '')}".strip()

    @property
    def at(self) -> datetime | None:
        """The time that was sent, in the restaurant's local time and without a zone."""
        place = self.intent.restaurant
        at = place_in_time(self.intent.payload.get("meal_date", ""), place)
        return place.local(at).replace(tzinfo=None) if at else None

    @cached_property
    def reservation(self) -> Reservation | None:
        """The booking that resulted, once it has been read. One query."""
        uuid = self.intent.result_uuid or self.intent.uuid
        rows = Reservation.objects.visible_to(self.user)
        return rows.filter(uuid=uuid).first() if uuid else None

    @cached_property
    def clashes(self) -> list[guests.ExpectedBooking]:
        """The guest's other bookings that a refused one may clash with. Three queries."""
        if not (self.is_booking and self.change.wants_other_bookings):
            return []
        payload, place = self.intent.payload, self.intent.restaurant
        at = place_in_time(payload["meal_date"], place)
        if at is None:
            return []
        return guests.same_evening(
            group=place.group,
            day=place.service_day(at),
            email=payload["customer"]["email"],
            user=self.user,
        )

    @property
    def status(self) -> str:
        """The booking's present status, or else that of the answer. Only RECORDED is confirmed."""
        if self.intent.state != State.DONE or not self.is_booking:
            return ""
        if self.reservation is not None:
            return self.reservation.status
        return self.change.answered_status

    @property
    def notice(self) -> Notice | None:
        is_contradicted = self.change.is_other and self.status == "RECORDED"
        return notice_of(self.status) if self.status and not is_contradicted else None

    @property
    def wants_other_times(self) -> bool:
        """Whether there is no table, so that another time is the next step."""
        return self.intent.state == State.REFUSED or self.status in ENDED

    @property
    def next_query(self) -> str:
        """What the next booking starts from: the same party, or only the restaurant."""
        place, sent = self.intent.restaurant, self.intent.payload
        choice: dict[str, Any] = {"scope": place.uuid}
        if self.wants_other_times:
            choice |= {"size": sent["party_size"], "near": "on"}
            if self.at and (at := place_in_time(sent["meal_date"], place)):
                choice |= {"day": place.service_day(at), "want": f"{self.at:%H:%M}"}
        return urlencode(choice)

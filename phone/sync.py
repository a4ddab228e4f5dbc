"""Looks a caller up at the service. Only the kind of the answer is stored.

The look-up compares text with text: a guest whose number is stored in another spelling is unknown
to it. So our own copy comes first and wins (`phone/calls/callers.py`).
"""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from lib.broker.worker_signals import notify_workers
from lib.labels import label_of
from mirror import tasks
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority
from mirror.queue import sync_requests
from partner import factory
from partner.errors import NotConfigured, NotFound, PartnerError
from partner.limits.priorities import CallPriority
from partner.schemas import NextReservation, PhoneMatch
from phone.models import Call
from reservations.words import STATUSES
from restaurants.models import Restaurant

Service = Call.Service
# The one 404 of the look-up that says nothing about the number.
NOT_A_RESTAURANT = "RESTAURANT_NOT_FOUND"


@dataclass(frozen=True)
class LookUpAnswer:
    """The service's answer about a number: a guest, nobody, or no answer at all."""

    service: Service
    restaurant: Restaurant
    match: PhoneMatch | None = field(default=None, repr=False)
    error: PartnerError | None = None

    @property
    def guest(self) -> UUID | None:
        return self.match.customer_uuid if self.match else None

    @property
    def coming(self) -> list[NextReservation]:
        return list(self.match.next_reservations or []) if self.match else []

    @property
    def expected(self) -> list[tuple[datetime | None, str]]:
        """What is coming, by the clock in the restaurant's local time, and how it stands."""
        return [(self._local_time(one), _word(one)) for one in self.coming]

    def _local_time(self, one: NextReservation) -> datetime | None:
        return one.meal_date and self.restaurant.local(one.meal_date).replace(tzinfo=None)


def _word(one: NextReservation) -> str:
    return label_of(one.status or "", STATUSES)


def ask(restaurant: Restaurant, number: str) -> LookUpAnswer:
    """Ask while a person waits: with a short timeout, and faults become answers."""
    try:
        client = factory.client(restaurant.group.connection_id, priority=CallPriority.GLANCE)
    except NotConfigured as error:
        return LookUpAnswer(Service.SILENT, restaurant, error=error)
    return fetch_caller(client, restaurant, number)


def fetch_caller(client: Any, restaurant: Restaurant, number: str) -> LookUpAnswer:
    """Ask by the exact number. A fault is an answer too: our copy is shown without it."""
    try:
        answer = client.customer_by_phone(restaurant.uuid, number)
    except PartnerError as error:
        if isinstance(error, NotFound) and error.code != NOT_A_RESTAURANT:
            return LookUpAnswer(Service.UNKNOWN, restaurant)
        return LookUpAnswer(Service.SILENT, restaurant, error=error)
    return LookUpAnswer(Service.KNOWN, restaurant, answer.entity)


def catch_up(answer: LookUpAnswer, *, now: datetime) -> None:
    """Request a fresh read of the guest and of the coming bookings."""
    place = EntityLocation(answer.restaurant.group.uuid, answer.restaurant.uuid)
    wanted = [EntityRef("customer", answer.guest, place)] if answer.guest else []
    wanted += [
        EntityRef("reservation", one.reservation_uuid, place)
        for one in answer.coming
        if one.reservation_uuid
    ]
    if wanted:
        sync_requests.request(wanted, priority=Priority.PERSON, now=now)
        notify_workers(tasks.work)

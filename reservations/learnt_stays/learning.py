"""Learns how long parties stay, once a day and restaurant by restaurant.

The time of the last learning is stored with its result, so a killed worker leaves what it has done,
and the next one goes on with the restaurants that are left. Doing one twice changes nothing.
"""

import time
from collections import defaultdict
from collections.abc import Collection, Iterator
from datetime import date, datetime, timedelta
from statistics import median
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import F, Q

from mirror.models import Change
from reservations.learnt_stays.marks import FROM_EARLY, GONE, HERE, TO_LATE
from reservations.models import ArrivalTracking, Reservation
from reservations.service_clock import cells_of, class_of, minutes_on, service_of
from restaurants.models import Restaurant

WEEKS = 26
FEWEST = 30  # parties, for a stay to be learnt from them
EVERY = timedelta(hours=20)
BUDGET_SECONDS = 20
SHORTEST, LONGEST = 15, 360  # minutes; outside of these a mark was made late
LATE = 0.8  # of the parties have left by then

Observed = dict[str, list[int]]  # minutes by cell


def learn_due(*, now: datetime) -> int:
    """Learn for as long as the budget lasts. Returns how many restaurants."""
    ends_at, learnt = time.monotonic() + BUDGET_SECONDS, 0
    due = ArrivalTracking.objects.filter(Q(stays_at=None) | Q(stays_at__lt=now - EVERY))
    oldest = due.order_by(F("stays_at").asc(nulls_first=True), "pk").select_related("restaurant")
    for row in oldest:
        if time.monotonic() > ends_at:
            break
        stays = learn(row.restaurant, today=row.restaurant.service_day(now))
        ArrivalTracking.objects.filter(pk=row.pk).update(stays=stays, stays_at=now)
        learnt += 1
    return learnt


def learn(restaurant: Restaurant, *, today: date) -> dict[str, list[int]]:
    """Median, 80th percentile and number of parties by cell. Two queries for each past week."""
    observed: Observed = defaultdict(list)
    for week in range(1, WEEKS + 1):
        first = today - week * timedelta(weeks=1)
        for cells, minutes in _stays_of_week(restaurant, first):
            for cell in cells:
                observed[cell].append(minutes)
    return {cell: _summary(found) for cell, found in observed.items() if len(found) >= FEWEST}


def _summary(minutes: list[int]) -> list[int]:
    ranked = sorted(minutes)
    return [round(median(ranked)), ranked[int(LATE * (len(ranked) - 1))], len(ranked)]


def _stays_of_week(restaurant: Restaurant, first: date) -> Iterator[tuple[list[str], int]]:
    """The cells of each party whose arrival and leaving were both marked, and its minutes."""
    bookings = _left(restaurant, first)
    came: dict[UUID, datetime] = {}
    for uuid, word, at in _marks(bookings):
        if word in HERE:
            came.setdefault(uuid, at)
        elif uuid in came:
            booking, came_at = bookings[uuid], came.pop(uuid)
            minutes = int((at - came_at).total_seconds() // 60)
            if SHORTEST <= minutes <= LONGEST and _is_on_time(booking, came_at, restaurant):
                yield booking.cells, minutes


class LeftBooking(NamedTuple):
    """A party that has left."""

    day: date
    minutes: int
    party_size: int | None

    @property
    def cells(self) -> list[str]:
        service = service_of(self.minutes // 60)
        return cells_of(service, self.day.weekday(), class_of(self.party_size))


def _left(restaurant: Restaurant, first: date) -> dict[UUID, LeftBooking]:
    held = Reservation.objects.present().for_restaurants([restaurant.pk]).order_by()
    week = held.filter(service_day__range=(first, first + timedelta(days=6)))
    left = week.filter(meal_status__in=GONE, local_minutes__isnull=False)
    rows: Any = left.values_list("uuid", "service_day", "local_minutes", "party_size")
    return {uuid: LeftBooking(day, minutes, size) for uuid, day, minutes, size in rows}


def _marks(bookings: Collection[UUID]) -> Iterator[tuple[UUID, str, datetime]]:
    marks = Change.objects.filter(
        kind="reservation", uuid__in=list(bookings), field="meal_status", after__in=HERE + GONE
    )
    rows = marks.order_by("seen_at", "pk").values_list("uuid", "after", "seen_at")
    return iter(rows)


def _is_on_time(booking: LeftBooking, came_at: datetime, restaurant: Restaurant) -> bool:
    """Whether the arrival was marked as it happened, not read by a backfill days later."""
    minutes = minutes_on(restaurant.local(came_at), booking.day)
    return FROM_EARLY <= minutes - booking.minutes <= TO_LATE

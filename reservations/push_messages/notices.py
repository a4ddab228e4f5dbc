"""Notes large parties, VIPs and late cancellations of today, and changes for the kitchen.

It runs in the transaction that stores the change: it writes a line of its own and no more. A first
copy reads bookings that were made long ago: those are no news.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from customers.models import Customer
from live.push import events
from live.push.models import PushEvent
from mirror.kinds import Stored
from reservations.models import (
    STANDING,
    KitchenAcknowledgement,
    PrintedBriefing,
    PrintedLine,
    Reservation,
)
from reservations.service_day.bookings import LARGE_PARTY
from restaurants.models import Restaurant

LARGE, VIP, CANCELLED, KITCHEN = "large", "vip", "cancelled", "kitchen"
SOON = timedelta(hours=2)  # before the meal, within which a cancellation is late
FRESH = timedelta(days=1)
ONE_DAY = timedelta(days=1)


class ChangedLine(NamedTuple):
    """A booking whose line in the briefing may read differently now."""

    uuid: UUID
    version: int
    restaurant_id: int
    service_day: date | None
    meal_at: datetime | None
    party_size: int | None


def note_bookings(stored: Sequence[Stored]) -> None:
    """No query where nothing of today changed, else up to seven."""
    now = timezone.now()
    large = [pair.after for pair in stored if _became(pair, _is_large_today, now=now)]
    coming = [pair.after for pair in stored if _became(pair, _is_coming_today, now=now)]
    changed = [_line_of(pair, now=now) for pair in stored if _may_concern_kitchen(pair, now=now)]
    lost = [pair.after for pair in stored if _is_lost(pair, now=now)]
    if not (large or coming or changed or lost) or not events.are_wanted():
        return
    events.note(
        [
            *(_event(LARGE, row, now=now) for row in large),
            *(_event(VIP, row, now=now) for row in _of_vips(coming)),
            *(_event(CANCELLED, row, now=now) for row in lost),
            *_kitchen_events(changed, now=now),
        ]
    )


def note_guests(stored: Sequence[Stored]) -> None:
    """A guest who is read after the booking, or who has become a VIP. Three queries at most."""
    now = timezone.now()
    vips = [pair.after.pk for pair in stored if _became_vip(pair)]
    known = {pair.after.pk for pair in stored if pair.before is not None}
    if not vips or not events.are_wanted():
        return
    today = now.date()
    rows = Reservation.objects.present().filter(
        customer__in=vips, service_day__range=(today - ONE_DAY, today + ONE_DAY)
    )
    events.note(
        [
            _event(VIP, row, now=now)
            for row in rows.select_related("restaurant").defer("raw")
            if _is_coming_today(row, now) and (row.customer_id in known or _is_fresh(row, now=now))
        ]
    )


def note_lines(lines: Iterable[ChangedLine]) -> None:
    """Notes of guests, tags and readings of notes have changed what the kitchen must know."""
    if events.are_wanted():
        events.note(list(_kitchen_events(lines, now=timezone.now())))


def _became(
    pair: Stored, condition: Callable[[Reservation, datetime], bool], *, now: datetime
) -> bool:
    """Whether it is so now and was not before. A booking that was not known counts if it is new."""
    if not condition(pair.after, now):
        return False
    if pair.before is None:
        return _is_fresh(pair.after, now=now)
    return not condition(pair.before, now)


def _is_fresh(row: Reservation, *, now: datetime) -> bool:
    return row.created_at is None or row.created_at > now - FRESH


def _is_coming_today(row: Reservation, now: datetime) -> bool:
    is_ahead = row.meal_at is not None and row.meal_at > now
    return is_ahead and row.status == "RECORDED" and is_today(row, now)


def _is_large_today(row: Reservation, now: datetime) -> bool:
    return (row.party_size or 0) >= LARGE_PARTY and _is_coming_today(row, now)


def is_today(row: Reservation, now: datetime) -> bool:
    return row.service_day is not None and row.service_day == row.restaurant.service_day(now)


def _is_lost(pair: Stored, *, now: datetime) -> bool:
    """Booked before, and cancelled shortly before the meal."""
    before, after = pair.before, pair.after
    if before is None or before.status != "RECORDED" or after.status != "CANCELED":
        return False
    return after.meal_at is not None and now <= after.meal_at <= now + SOON


def _became_vip(pair: Stored) -> bool:
    is_new = pair.before is None or (pair.before is not pair.after and not pair.before.is_vip)
    return bool(pair.after.is_vip) and is_new


def _may_concern_kitchen(pair: Stored, *, now: datetime) -> bool:
    """Whether it was on today's list, or is now: what was cancelled before has left it already."""
    return _is_listed(pair.before, now) or _is_listed(pair.after, now)


def _is_listed(row: Reservation | None, now: datetime) -> bool:
    return row is not None and row.status in STANDING and is_today(row, now)


def _of_vips(rows: Sequence[Reservation]) -> list[Reservation]:
    """The bookings among these whose guest is known to be a VIP. One query, or none."""
    guests = {row.customer_id for row in rows if row.customer_id}
    if not guests:
        return []
    vips = set(Customer.objects.filter(pk__in=guests, is_vip=True).values_list("pk", flat=True))
    return [row for row in rows if row.customer_id in vips]


def _event(kind: str, row: Reservation, *, now: datetime) -> PushEvent:
    return PushEvent(
        kind=kind,
        subject=f"{row.pk} {row.service_day}",
        restaurant_id=row.restaurant_id,
        at=now,
        expires_at=row.meal_at or now,
    )


def _line_of(pair: Stored, *, now: datetime) -> ChangedLine:
    """Where the line was: the kitchen must know too that a booking was moved away or cancelled.

    One that is new on the list is where it is now.
    """
    row = pair.before if _is_listed(pair.before, now) else pair.after
    place, day = row.restaurant_id, row.service_day
    return ChangedLine(row.pk, pair.after.version, place, day, row.meal_at, row.party_size)


def _kitchen_events(lines: Iterable[ChangedLine], *, now: datetime) -> Iterator[PushEvent]:
    """Of what the kitchen has acknowledged, and of every line of a day that it has on paper: an
    allergy that is new there is not on it. Four queries, or none."""
    recent = [line for line in lines if line.meal_at and line.meal_at > now - ONE_DAY]
    if not recent:
        return
    here = Q(reservation_uuid__in=[line.uuid for line in recent])
    seen = KitchenAcknowledgement.objects.filter(here).values_list("reservation_uuid", flat=True)
    paper = PrintedLine.objects.filter(here).values_list("reservation_uuid", flat=True)
    read, printed = {*seen, *paper}, _printed_days(recent)
    read_lines = [
        line
        for line in recent
        if line.uuid in read or (line.restaurant_id, line.service_day) in printed
    ]
    for line, ends_at in _with_ends(read_lines):
        if ends_at > now:
            yield PushEvent(
                kind=KITCHEN,
                subject=f"{line.uuid} v{line.version}",
                restaurant_id=line.restaurant_id,
                at=now,
                expires_at=ends_at,
            )


def _printed_days(lines: list[ChangedLine]) -> set[tuple[int, date | None]]:
    """The restaurants and service days of which there is a paper. One query."""
    days = {line.service_day for line in lines if line.service_day}
    places = {line.restaurant_id for line in lines}
    found = PrintedBriefing.objects.filter(service_day__in=days, restaurants__in=places)
    return set(found.values_list("restaurants", "service_day"))


def _with_ends(lines: list[ChangedLine]) -> Iterator[tuple[ChangedLine, datetime]]:
    """With the end of the stay as configured: who sits already still eats. One query, or none."""
    if not lines:
        return
    places = Restaurant.objects.in_bulk({line.restaurant_id for line in lines})
    for line in lines:
        place = places.get(line.restaurant_id)
        if place and line.meal_at:
            yield line, line.meal_at + place.stay(line.party_size)

"""Keeps the sums correct: marked days are counted again, months are added up from their days.

Counting twice changes nothing, and a marked day stays marked until its count is committed.
"""

import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from functools import cache
from typing import Any

from django.db import transaction

from customers.allergies.version import reading_version
from customers.note_decisions.deciding import DecisionSubject
from insights.models import (
    BookingCount,
    Campaign,
    Counter,
    CountRow,
    DietaryCount,
    Mark,
    Rating,
    Spend,
    first_of_month,
    next_month,
)
from insights.sums.counting import BookingFacts, RestaurantSums, ReviewFacts, Table, Tables
from insights.sums.dietary import days_of_changed_guests, noted_bookings
from lib.database import bulk
from mirror.kinds import Stored
from reservations.models import Reservation
from restaurants.models import Restaurant
from reviews.models import Review

MODELS: tuple[type[CountRow], ...] = (BookingCount, Spend, Campaign, Rating, DietaryCount)
CUTS = (
    CountRow.WHOLE,
    CountRow.BY_SERVICE,
    CountRow.BY_CHANNEL,
    CountRow.BY_BOTH,
    CountRow.BY_HOUR,
)
# What tells the rows of a table apart beside restaurant, span, cut and start.
DIMENSIONS: dict[type[CountRow], tuple[str, ...]] = {
    BookingCount: ("service", "channel", "hour"),
    Spend: ("service", "channel", "currency"),
    Campaign: ("service", "channel", "source", "medium", "name", "currency"),
    Rating: ("service", "channel"),
    DietaryCount: ("service", "channel", "code", "certainty", "weekday"),
}
# In one transaction: on SQLite nobody else writes meanwhile, not even the receiver of events.
MOST_DAYS = 14
MOST_MARKS = 2000
BUDGET_SECONDS = 20
# What is healed without a mark: changes that did not come through the mirror, as an erasure.
RECENT = (timedelta(days=100), timedelta(days=60))
# A meal in another century is a typing error and is not counted.
CALENDAR = (date(2000, 1, 1), date(2199, 12, 31))


def mark(stored: Iterable[Stored]) -> None:
    """Mark the days of stored rows to be counted again, in the transaction that stores them."""
    rows = [row for pair in stored for row in pair if row is not None]
    _mark_days((row.restaurant_id, row.service_day) for row in rows)


def mark_guests(stored: Sequence[Stored]) -> None:
    """The same for the days of guests whose tags or notes have changed."""
    _mark_days(days_of_changed_guests(stored))


def mark_decision(subject: DecisionSubject) -> None:
    """The same where somebody confirmed or dismissed what a note of them says."""
    about = {"customer" if subject.is_of_guest else "pk": subject.uuid}
    held = Reservation.objects.filter(**about, service_day__isnull=False).order_by()
    _mark_days(held.values_list("restaurant", "service_day").distinct().iterator())


def _mark_days(places: Iterable[tuple[int, date | None]]) -> None:
    days = {(pk, day) for pk, day in places if day and CALENDAR[0] <= day <= CALENDAR[1]}
    Mark.objects.bulk_create(Mark(restaurant_id=pk, day=day) for pk, day in sorted(days))


def count_marked(*, now: datetime) -> int:
    """Count the marked days of each restaurant in turn. Returns how many days."""
    ends_at = time.monotonic() + BUDGET_SECONDS
    marked = Mark.objects.order_by().values("restaurant").distinct()
    days = 0
    for restaurant in Restaurant.objects.filter(pk__in=marked):
        # What the budget leaves over is taken up by the next offer.
        while time.monotonic() < ends_at and (counted := count_marks_of(restaurant, now=now)):
            days += counted
    return days


def count_marks_of(restaurant: Restaurant, *, now: datetime) -> int:
    """Count the marked days, the oldest marks first, and take their marks away."""
    with locked_counter(restaurant, now=now):
        marks = list(Mark.objects.filter(restaurant=restaurant).order_by("pk")[:MOST_MARKS])
        days = set(list(dict.fromkeys(mark.day for mark in marks))[:MOST_DAYS])
        _count_days(restaurant, days)
        Mark.objects.filter(pk__in=[mark.pk for mark in marks if mark.day in days]).delete()
    return len(days)


def count_recent(*, now: datetime) -> None:
    """Count the months around now again, marked or not."""
    months = _months_of(now.date() - RECENT[0], now.date() + RECENT[1])
    for restaurant in Restaurant.objects.all():
        _count_months(restaurant, months, now=now)


def rebuild(restaurant: Restaurant, *, now: datetime) -> int:
    """Count everything of a restaurant. Returns how many months that were."""
    months: set[date] = set()
    for model in MODELS:
        sums = model._default_manager.filter(restaurant=restaurant)
        months |= set(sums.dates("start", "month"))
    for source in (Reservation, Review):
        held = source._default_manager.filter(restaurant=restaurant, service_day__range=CALENDAR)
        months |= set(held.dates("service_day", "month"))
    _count_months(restaurant, sorted(months), now=now)
    Counter.objects.filter(restaurant=restaurant).update(
        reading_version=reading_version(), reading_month=None
    )
    return len(months)


def count_needs(restaurant: Restaurant, month: date) -> None:
    """Count what guests do not eat in a month, and nothing else. Within `locked_counter`."""
    sums = RestaurantSums(restaurant.zone)
    for noted in noted_bookings(restaurant, service_day__range=days_of_month(month)):
        sums.add_needs(noted.place, noted.needs)
    tables: Tables = {DietaryCount: sums.tables[DietaryCount]}
    _delete(restaurant, CountRow.DAY, _days_of(month), models=tables)
    _delete(restaurant, CountRow.MONTH, [month], models=tables)
    _write(restaurant, tables, span=CountRow.DAY)
    _write(restaurant, _by_month(tables), span=CountRow.MONTH)


def waiting(restaurants: Collection[int]) -> int:
    """How many days of these restaurants wait to be counted."""
    marks = Mark.objects.filter(restaurant__in=restaurants)
    return marks.order_by().values("restaurant", "day").distinct().count()


@contextmanager
def locked_counter(restaurant: Restaurant, *, now: datetime) -> Iterator[None]:
    """Lock the restaurant's sums until the commit, so that one process counts at a time."""
    Counter.objects.get_or_create(restaurant=restaurant)
    with transaction.atomic():
        Counter.objects.select_for_update().get(restaurant=restaurant)
        Counter.objects.filter(restaurant=restaurant).update(counted_at=now)
        yield


def _count_days(restaurant: Restaurant, days: Collection[date]) -> None:
    _delete(restaurant, CountRow.DAY, days)
    sums = _sums_of(restaurant, service_day__in=days)
    _write(restaurant, sums.tables, span=CountRow.DAY)
    months = {first_of_month(day) for day in days}
    _delete(restaurant, CountRow.MONTH, months)
    for month in months:
        stored = _tables_of_month(restaurant, month)
        _write(restaurant, _by_month(stored), span=CountRow.MONTH)


def _count_months(restaurant: Restaurant, months: Iterable[date], *, now: datetime) -> None:
    """Month by month, each in a transaction of its own, with all its days in hand."""
    for month in months:
        with locked_counter(restaurant, now=now):
            _delete(restaurant, CountRow.DAY, _days_of(month))
            _delete(restaurant, CountRow.MONTH, [month])
            sums = _sums_of(restaurant, service_day__range=days_of_month(month))
            _write(restaurant, sums.tables, span=CountRow.DAY)
            _write(restaurant, _by_month(sums.tables), span=CountRow.MONTH)


def _months_of(first: date, last: date) -> list[date]:
    months = [first_of_month(first)]
    while (month := next_month(months[-1])) <= last:
        months.append(month)
    return months


def days_of_month(month: date) -> tuple[date, date]:
    """The first and the last one."""
    return month, next_month(month) - timedelta(days=1)


def _days_of(month: date) -> list[date]:
    return [month + timedelta(days=n) for n in range((next_month(month) - month).days)]


def _delete(
    restaurant: Restaurant,
    span: str,
    starts: Collection[date],
    *,
    models: Iterable[type[CountRow]] = MODELS,
) -> None:
    for model in models:
        rows = model._default_manager.filter(span=span, cut__in=CUTS, restaurant=restaurant)
        rows.filter(start__in=starts).delete()


def _write(restaurant: Restaurant, tables: Tables, *, span: str) -> None:
    for model, table in tables.items():
        names = measures(model)
        columns = ("restaurant", "span", "cut", "start", *DIMENSIONS[model], *names)
        lines = (
            (restaurant.pk, span, *key, *(sums.get(name, 0) for name in names))
            for key, sums in table.items()
        )
        bulk.load_values(model, columns, lines)


def _sums_of(restaurant: Restaurant, **days: Any) -> RestaurantSums:
    sums = RestaurantSums(restaurant.zone)
    for booking in _bookings(restaurant, **days):
        sums.add_booking(booking)
    for review in _reviews(restaurant, **days):
        sums.add_review(review)
    for noted in noted_bookings(restaurant, **days):
        sums.add_needs(noted.place, noted.needs)
    return sums


def _bookings(restaurant: Restaurant, **days: Any) -> Iterator[BookingFacts]:
    held = Reservation.objects.present().filter(restaurant=restaurant, **days)
    dated = held.filter(service_day__isnull=False, local_minutes__isnull=False).order_by()
    return map(
        BookingFacts._make, dated.values_list(*BookingFacts._fields).iterator(chunk_size=5000)
    )


def _reviews(restaurant: Restaurant, **days: Any) -> Iterator[ReviewFacts]:
    held = Review.objects.counted().filter(restaurant=restaurant, **days)
    dated = held.filter(service_day__isnull=False, meal_at__isnull=False).order_by()
    return map(ReviewFacts._make, dated.values_list(*ReviewFacts._fields).iterator(chunk_size=5000))


def _by_month(tables: Tables) -> Tables:
    """Add the days up to months. Hours stay by day, because a month has no weekday."""
    return {model: _month_table(table) for model, table in tables.items()}


def _month_table(table: Table) -> Table:
    months: Table = {}
    for (cut, day, *rest), sums in table.items():
        if cut != CountRow.BY_HOUR:
            month = months.setdefault((cut, first_of_month(day), *rest), {})
            for name, number in sums.items():
                month[name] = month.get(name, 0) + number
    return months


def _tables_of_month(restaurant: Restaurant, month: date) -> Tables:
    """The days of a month as they are stored now."""
    return {model: _table(model, restaurant, *days_of_month(month)) for model in MODELS}


def _table(model: type[CountRow], restaurant: Restaurant, first: date, last: date) -> Table:
    keys = ("cut", "start", *DIMENSIONS[model])
    names = measures(model)
    days = model._default_manager.filter(
        span=CountRow.DAY, cut__in=CUTS[:-1], restaurant=restaurant, start__range=(first, last)
    )
    return {
        row[: len(keys)]: dict(zip(names, row[len(keys) :], strict=True))
        for row in days.values_list(*keys, *names)
    }


@cache
def measures(model: type[CountRow]) -> list[str]:
    """The names of what a table adds up."""
    apart = {"id", "restaurant", "span", "cut", "start", *DIMENSIONS[model]}
    return [field.name for field in model._meta.concrete_fields if field.name not in apart]

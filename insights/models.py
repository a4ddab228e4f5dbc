"""Precomputed sums by restaurant, day, service and channel, which pages read instead of counting.

Every number is a whole one: money and ratings are kept in thousandths, because SQLite adds
decimals as floats and a sum must be exact on both databases.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta
from typing import Any, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from insights.day_notes.models import DayNote as DayNote  # part of this app's models
from insights.expected.models import (  # part of this app's models
    ExpectedService as ExpectedService,
)
from insights.expected.models import (
    ForecastRun as ForecastRun,
)
from insights.expected.models import (
    PastForecast as PastForecast,
)
from insights.prep.models import ServiceTarget as ServiceTarget  # part of this app's models
from restaurants.models import Restaurant

# Days between booking and meal: the first day of each class.
LEADS = (0, 1, 2, 4, 8, 15, 31)


Row = TypeVar("Row", bound="CountRow")


class CountedQuerySet(models.QuerySet[Row]):
    def of(self, restaurants: Collection[int], first: date, last: date) -> Self:
        """Exactly the requested days: whole months from their sums, the edges day by day."""
        months = list(whole_months(first, last))
        if not months:
            days = Q(span=CountRow.DAY, start__range=(first, last))
            return self.filter(days, restaurant__in=restaurants)
        inner_first, inner_last = months[0], next_month(months[-1]) - timedelta(days=1)
        edges = Q(start__range=(first, inner_first - timedelta(days=1)))
        edges |= Q(start__range=(inner_last + timedelta(days=1), last))
        spans = Q(span=CountRow.MONTH, start__in=months) | (edges & Q(span=CountRow.DAY))
        return self.filter(spans, restaurant__in=restaurants)

    def daily(self, restaurants: Collection[int], first: date, last: date) -> Self:
        """The requested days, one row each."""
        days = Q(span=CountRow.DAY, start__range=(first, last))
        return self.filter(days, restaurant__in=restaurants)


class CountRow(models.Model):
    """One sum: of a day or of a month, whole or cut by service, channel or hour.

    Each cut counts every reservation once, so a question adds up the rows of one cut only.
    """

    DAY, MONTH = "d", "m"
    WHOLE, BY_SERVICE, BY_CHANNEL, BY_BOTH, BY_HOUR = "w", "s", "c", "b", "h"

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    span = models.CharField(max_length=1)
    cut = models.CharField(max_length=1)
    start = models.DateField()  # the service day, or the first day of the month
    service = models.CharField(max_length=8, blank=True)
    channel = models.CharField(max_length=64, blank=True)

    objects = CountedQuerySet.as_manager()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.start} {self.service or '*'} {self.channel or '*'}"


def _one_row(*more: str, name: str) -> models.UniqueConstraint:
    """One row per sum. Its index is the one that every question uses."""
    fields = ["span", "cut", "restaurant", "start", "service", "channel", *more]
    return models.UniqueConstraint(fields=fields, name=name)


def _count() -> "models.PositiveIntegerField[Any, Any]":
    return models.PositiveIntegerField(default=0)


def _sum() -> "models.BigIntegerField[Any, Any]":
    return models.BigIntegerField(default=0)


class BookingCount(CountRow):
    """Bookings by outcome. `bookings` counts those that came or are expected, walk-ins included."""

    hour = models.PositiveSmallIntegerField(default=0)  # of the arrival, in the cut by hour alone

    bookings = _count()
    covers = _count()
    walk_ins = _count()
    marked = _count()  # with a mark of the arrival, walk-ins left out
    no_shows = _count()
    no_show_covers = _count()
    cancelled = _count()
    cancelled_covers = _count()
    requested = _count()
    refused = _count()
    # How long before: of the bookings whose moment of booking is known, walk-ins left out.
    ahead = _count()
    ahead_days = _sum()
    ahead_0 = _count()
    ahead_1 = _count()
    ahead_2 = _count()
    ahead_4 = _count()
    ahead_8 = _count()
    ahead_15 = _count()
    ahead_31 = _count()

    class Meta:
        constraints = [_one_row("hour", name="one_booking_count_per_cut")]


class Spend(CountRow):
    """Bills, by currency: amounts of two currencies are never in one row."""

    currency = models.CharField(max_length=8, blank=True)

    bookings = _count()
    sized = _count()  # of these, those whose party size is known
    covers = _count()
    total = _sum()  # thousandths of the major unit
    sized_total = _sum()  # of the sized ones: what a cover spent

    class Meta:
        constraints = [_one_row("currency", name="one_spend_per_cut")]


class Campaign(CountRow):
    """Bookings that came with a campaign. Each is in the row of its bill's currency, or of none."""

    source = models.CharField(max_length=96, blank=True)
    medium = models.CharField(max_length=96, blank=True)
    name = models.CharField(max_length=96, blank=True)
    currency = models.CharField(max_length=8, blank=True)

    bookings = _count()
    covers = _count()
    lost = _count()  # cancelled or not come
    billed = _count()
    total = _sum()

    class Meta:
        constraints = [_one_row("source", "medium", "name", "currency", name="one_campaign_row")]


class Rating(CountRow):
    """Reviews, by the day of the visit. They have no channel."""

    reviews = _count()
    rated = _count()
    rating = _sum()  # thousandths of a point
    low = _count()
    food_rated = _count()
    food = _sum()
    service_rated = _count()
    service_points = _sum()
    ambience_rated = _count()
    ambience = _sum()
    published = _count()  # with a published comment, which alone can be answered
    answered = _count()
    timed = _count()  # answers whose delay is known
    delay = _sum()  # minutes

    class Meta:
        constraints = [_one_row(name="one_rating_per_cut")]


class DietaryCount(CountRow):
    """What guests do not eat, by code and certainty: kept by service, for no channel.

    A party is in one row of each code, with its surest certainty, and once more in the row without
    a code, so that parties are counted as well. Numbers only: nothing here leads to a guest.
    """

    code = models.CharField(max_length=32, blank=True)  # of docs/allergies.md; blank: any
    certainty = models.CharField(max_length=8)
    weekday = models.PositiveSmallIntegerField()  # Monday is 0; months keep their weekdays apart

    parties = _count()
    people = _count()

    class Meta:
        constraints = [_one_row("code", "certainty", "weekday", name="one_dietary_count_row")]


class Mark(models.Model):
    """A day whose sums have to be counted again. The table is the queue of that work.

    Rows are only inserted, never merged, so that storing a change never waits for a count. A row
    that is committed after its day was read stays, and the day is counted again.
    """

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+")
    day = models.DateField()

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.day}"


class Counter(models.Model):
    """The lock of a restaurant's sums: months are summed from days, by one process at a time."""

    restaurant = models.OneToOneField(
        Restaurant, models.CASCADE, primary_key=True, related_name="+"
    )
    counted_at = models.DateTimeField(null=True)
    # The word lists that the notes were read with, and since when (customers.allergies.version).
    reading_version = models.CharField(max_length=16, blank=True)
    reading_changed_at = models.DateTimeField(null=True)
    # The latest month whose notes still wait for that; none when all are read.
    reading_month = models.DateField(null=True)

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.counted_at}"


class Digest(models.Model):
    """A person's mail about one week. Its row is inserted before it is sent: nobody gets two."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    week = models.DateField()  # its Monday
    claimed_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "week"], name="one_digest_per_week")]

    def __str__(self) -> str:
        return f"{self.user_id} {self.week}"


def first_of_month(day: date) -> date:
    return day.replace(day=1)


def next_month(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1)


def whole_months(first: date, last: date) -> Iterable[date]:
    """The first days of the months that lie completely in the range."""
    month = first if first.day == 1 else next_month(first)
    while next_month(month) - timedelta(days=1) <= last:
        yield month
        month = next_month(month)

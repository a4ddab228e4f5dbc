"""Stored forecasts: those of the coming days, and those of days that are over."""

from collections.abc import Collection
from datetime import date, datetime
from typing import Any, Self

from django.db import models
from django.db.models import Q

from restaurants.models import Restaurant


class ForecastRunQuerySet(models.QuerySet["ForecastRun"]):
    def free(self, *, now: datetime) -> Self:
        return self.filter(Q(lease_until=None) | Q(lease_until__lt=now))


class ForecastRun(models.Model):
    """The training of one restaurant's forecasts: the queue of that work, a row each."""

    restaurant = models.OneToOneField(
        Restaurant, models.CASCADE, primary_key=True, related_name="+"
    )
    morning = models.DateField(null=True)  # the service day before which they were made
    made_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)
    # Services with too little history for a forecast, and how many weeks of it there are.
    too_early = models.JSONField(default=dict)

    objects = ForecastRunQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.morning}"


def _covers() -> "models.PositiveIntegerField[Any, Any]":
    return models.PositiveIntegerField()


class Forecast(models.Model):
    """What was expected of one service of one day: whole covers, as they were shown."""

    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    day = models.DateField()
    service = models.CharField(max_length=8)
    covers = _covers()
    lower = _covers()
    upper = _covers()
    rule = models.PositiveSmallIntegerField()  # of insights.forecast.Rule
    last_four = _covers()  # by the two simple rules
    ratio = _covers()

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.restaurant_id} {self.day} {self.service}"


class ExpectedServiceQuerySet(models.QuerySet["ExpectedService"]):
    def of(self, restaurants: Collection[int], first: date, last: date) -> Self:
        return self.filter(restaurant__in=restaurants, day__range=(first, last))


class ExpectedService(Forecast):
    """A service of the coming 28 days; made anew every night."""

    booked = _covers()  # on the morning on which it was made
    usually_booked = models.FloatField()  # by that morning, and by the next
    usually_next = models.FloatField()
    # Covers that will not come, of no-shows, and what that was learnt from: covers missed at like
    # services, beside covers that came. None where arrivals are not marked.
    no_shows = models.FloatField(null=True)
    missed_before = models.PositiveIntegerField(null=True)
    came_before = models.PositiveIntegerField(null=True)

    objects = ExpectedServiceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "day", "service"], name="one_expectation_per_service"
            )
        ]


class PastForecast(Forecast):
    """A forecast kept to be compared with what came, so many days before the service.

    `is_walk`: worked out afterwards from what was known then, because none had been made.
    """

    horizon = models.PositiveSmallIntegerField()
    came = models.PositiveIntegerField(null=True)  # once the service is over, if it was held
    is_walk = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "horizon", "day", "service"], name="one_past_forecast"
            )
        ]

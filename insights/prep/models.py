"""Targets: the covers that a restaurant wants at a service of a weekday. Set by an admin, local."""

from collections.abc import Collection
from datetime import date

from auditlog.registry import auditlog
from django.db import models

from restaurants.models import Restaurant

RIGHT = "restaurants.change_restaurant"
Targets = dict[tuple[int, str], int]  # by restaurant and service


class ServiceTarget(models.Model):
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    service = models.CharField(max_length=8)
    weekday = models.PositiveSmallIntegerField()  # Monday is 0
    covers = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["restaurant", "service", "weekday"], name="one_target_per_service"
            )
        ]

    def __str__(self) -> str:
        return f"{self.service} {self.weekday}: {self.covers}"


def targets_of(restaurants: Collection[int], day: date) -> Targets:
    """The targets of a day's weekday. One query."""
    held = ServiceTarget.objects.filter(restaurant__in=restaurants, weekday=day.weekday())
    rows = held.order_by().values_list("restaurant_id", "service", "covers")
    return {(pk, service): covers for pk, service, covers in rows}


auditlog.register(ServiceTarget)

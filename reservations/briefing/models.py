"""What the kitchen has acknowledged of a day's allergies and diets."""

from collections.abc import Iterable
from datetime import date
from uuid import UUID

from django.db import models

from accounts.models import User
from restaurants.models import Restaurant


class KitchenAcknowledgementQuerySet(models.QuerySet["KitchenAcknowledgement"]):
    def for_day(
        self, day: date, restaurants: Iterable[Restaurant]
    ) -> "KitchenAcknowledgementQuerySet":
        return self.filter(service_day=day, restaurant__in=list(restaurants))

    def of_bookings(self, uuids: Iterable[UUID]) -> "KitchenAcknowledgementQuerySet":
        return self.filter(reservation_uuid__in=list(uuids))


class KitchenAcknowledgement(models.Model):
    """Somebody of the kitchen has read a line of the briefing, as it then was.

    `digest` is a keyed hash of the line: another note, tag, time or party size is another line,
    which nobody has read yet. No word of the guest is stored.
    """

    reservation_uuid = models.UUIDField()
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    service_day = models.DateField()
    digest = models.CharField(max_length=64)
    seen_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    seen_at = models.DateTimeField()

    objects = KitchenAcknowledgementQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["restaurant", "service_day"], name="seen_by_kitchen_day")]
        constraints = [
            models.UniqueConstraint(
                fields=["reservation_uuid", "digest"], name="a_line_is_seen_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.reservation_uuid} {self.service_day}"

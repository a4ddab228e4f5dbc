"""What the kitchen has acknowledged of a day's allergies and diets, and what it has on paper."""

from collections.abc import Iterable
from datetime import date
from typing import Self
from uuid import UUID

from django.db import models
from django.db.models import Max
from django.utils.functional import cached_property

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


class PrintedBriefingQuerySet(models.QuerySet["PrintedBriefing"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        """Those with a restaurant of the person."""
        mine = Restaurant.objects.visible_to(user, permission).values("pk")
        return self.filter(restaurants__in=mine).distinct()

    def latest_of(
        self, day: date, restaurants: Iterable[Restaurant]
    ) -> "dict[int, PrintedBriefing]":
        """The last one of the day for each restaurant, by its key. Two queries."""
        held = self.filter(service_day=day, restaurants__in=list(restaurants)).order_by()
        numbers = dict(held.values_list("restaurants").annotate(number=Max("pk")))
        found = self.prefetch_related("lines").in_bulk(set(numbers.values()))
        return {restaurant: found[number] for restaurant, number in numbers.items()}


class PrintedBriefing(models.Model):
    """A briefing went to the printer: its key is the number on the paper.

    Paper does not update, so what it says of allergies and diets can be compared with now.
    """

    service_day = models.DateField()
    restaurants = models.ManyToManyField(Restaurant, related_name="+")
    printed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    printed_at = models.DateTimeField()

    objects = PrintedBriefingQuerySet.as_manager()

    class Meta:
        indexes = [models.Index(fields=["service_day"], name="printed_briefing_day")]

    def __str__(self) -> str:
        return f"{self.pk} {self.service_day}"

    @cached_property
    def digests(self) -> dict[UUID, str]:
        """What the paper says, by booking. One query, unless the lines were fetched along."""
        return {line.reservation_uuid: line.digest for line in self.lines.all()}


class PrintedLine(models.Model):
    """A line of the kitchen's part as it was printed: a keyed hash, no word of the guest."""

    briefing = models.ForeignKey(PrintedBriefing, models.CASCADE, related_name="lines")
    restaurant = models.ForeignKey(Restaurant, models.CASCADE, related_name="+", db_index=False)
    reservation_uuid = models.UUIDField(db_index=True)
    digest = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"{self.briefing_id} {self.reservation_uuid}"

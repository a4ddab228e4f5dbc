"""Announcements of changes to open screens, and samples of how long they took."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models
from django.db.models import Max
from django.utils import timezone

# How long a screen may be disconnected and still get exactly what it missed.
KEPT = timedelta(days=1)


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def after(self, cursor: int) -> Self:
        return self.filter(pk__gt=cursor).order_by("pk")

    def newest_id(self) -> int:
        """Costs one query, answered from the end of the primary key."""
        return self.order_by("-pk").values_list("pk", flat=True).first() or 0

    def oldest_id(self) -> int:
        return self.order_by("pk").values_list("pk", flat=True).first() or 0

    def delete_old(self, *, now: datetime) -> int:
        """Delete announcements older than a day, oldest first, but never the newest one.

        The kept ids have no gap, so that the lowest one tells whether a screen has missed some.
        """
        old = self.filter(at__lt=now - KEPT).aggregate(last=Max("pk"))["last"] or 0
        return self.filter(pk__lte=old, pk__lt=self.newest_id()).delete()[0]


class Announcement(models.Model):
    """One message of the live stream: this entity now has this version. Ids only, never content."""

    kind = models.CharField(max_length=16)
    uuid = models.UUIDField()
    version = models.PositiveIntegerField()
    group_id = models.BigIntegerField()
    restaurant_id = models.BigIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        # Purged after a day: live.tasks.delete_old.
        indexes = [models.Index(fields=["at"], name="announcement_at")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid} v{self.version}"


class LatencySample(models.Model):
    """The times of one change, from the arrival of its event to its display on a screen.

    Steps that did not happen stay NULL: a change found by the sweep has no event, and one that no
    open screen shows is never painted.
    """

    kind = models.CharField(max_length=16)
    uuid = models.UUIDField()
    version = models.PositiveIntegerField()
    group_id = models.BigIntegerField()
    restaurant_id = models.BigIntegerField(null=True)

    received_at = models.DateTimeField(null=True)
    fetched_at = models.DateTimeField(null=True)
    stored_at = models.DateTimeField()
    announced_at = models.DateTimeField(null=True)
    painted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["uuid", "version", "kind"], name="one_sample_per_version"
            )
        ]
        # The newest samples, and the purge: live.latency.percentiles, live.tasks.delete_old.
        indexes = [models.Index(fields=["stored_at"], name="sample_stored_at")]

    def __str__(self) -> str:
        return f"{self.kind} {self.uuid} v{self.version}"


# Models of this app that stand in the package of their feature.
from live.push.models import PushEvent as PushEvent  # noqa: E402
from live.push.models import PushMessage as PushMessage  # noqa: E402

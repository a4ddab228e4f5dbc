"""What retention remembers: a question that a person answers, and where its walk goes on."""

from django.conf import settings
from django.db import models


class PurgeQuestion(models.Model):
    """A purge that waits for a person: more guests are due than on a usual day. At most one row."""

    raised_at = models.DateTimeField()  # by the clock that may be wrong
    count = models.PositiveIntegerField()
    approved_at = models.DateTimeField(null=True)
    approved_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.count} guests, raised at {self.raised_at}"


class RetentionPlace(models.Model):
    """The guest whom the last run of retention looked at last. At most one row; none: the first."""

    after = models.UUIDField()

    def __str__(self) -> str:
        return f"after {self.after}"

"""Who wants to hear of what, and what they were told."""

from datetime import datetime, time
from typing import Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.models import Restaurant
from reviews.models.review import Review

VIEW = "reviews.view_review"


class AlarmChoice(models.Model):
    """What one person wants to hear. Without a row they hear nothing."""

    class Digest(models.TextChoices):
        NEVER = "never", _("Never")
        DAILY = "daily", _("Every day")
        WEEKLY = "weekly", _("Every Monday")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="review_alarms"
    )
    low_on_bell = models.BooleanField(_("low ratings: on the bell"), default=False)
    low_by_mail = models.BooleanField(_("low ratings: by e-mail, at once"), default=False)
    given_by_mail = models.BooleanField(_("given to me: by e-mail, at once"), default=False)
    digest = models.CharField(
        _("a summary by e-mail"), max_length=6, choices=Digest, default=Digest.NEVER
    )
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)
    digest_day = models.DateField(null=True)  # of the latest summary

    def __str__(self) -> str:
        return f"{self.user_id} {self.digest}"

    def is_quiet(self, local_time: time) -> bool:
        """Whether nothing may be sent at this time of the restaurant's day."""
        start, end = self.quiet_from, self.quiet_until
        if start is None or end is None or start == end:
            return False
        return start <= local_time < end if start < end else local_time >= start or local_time < end


class AlarmQuerySet(models.QuerySet["Alarm"]):
    def visible_to(self, user: User) -> Self:
        """A person's own, of the restaurants whose reviews they may still see."""
        places = Restaurant.objects.visible_to(user, VIEW)
        return self.filter(user=user, review__restaurant__in=places)

    def unseen(self) -> Self:
        return self.filter(seen_at=None, on_bell=True)

    def unmailed(self) -> Self:
        return self.filter(mailed_at=None, by_mail=True)

    def given(self, review: UUID) -> Self:
        """Who was told that the review is theirs now."""
        return self.filter(review=review, kind=Alarm.Kind.GIVEN)


class Alarm(models.Model):
    """What one person is told of a review: once, whatever happens in between."""

    class Kind(models.TextChoices):
        LOW = "low", _("Low rating")
        GIVEN = "given", _("Given to you")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    review = models.ForeignKey(Review, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.LOW)
    # Who gave it, and what they said to it.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    remark = models.TextField(blank=True)
    at = models.DateTimeField()
    on_bell = models.BooleanField()
    by_mail = models.BooleanField()
    seen_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    objects = AlarmQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "review", "kind"], name="one_alarm_per_kind")
        ]
        indexes = [
            # The bell, on every page.
            models.Index(
                fields=["user"], condition=models.Q(seen_at=None, on_bell=True), name="alarm_unseen"
            ),
            models.Index(
                fields=["at"],
                condition=models.Q(mailed_at=None, by_mail=True),
                name="alarm_unmailed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.review_id}"

    def claim(self, *, now: datetime) -> bool:
        """Take it for mailing: of two workers one gets it."""
        mine = Alarm.objects.filter(pk=self.pk, mailed_at=None)
        return bool(mine.update(mailed_at=now))

    def give_back(self) -> None:
        """It was not sent: the next look for mails that are due finds it again."""
        Alarm.objects.filter(pk=self.pk).update(mailed_at=None)

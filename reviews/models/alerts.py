"""Alert preferences of each person, and the alerts they got."""

from datetime import datetime, time
from typing import Self
from uuid import UUID

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.quiet_hours import is_quiet
from restaurants.models import Restaurant
from reviews.models.review import Review

VIEW = "reviews.view_review"


class AlertPreferences(models.Model):
    """What one person wants to be notified of. Without a row: nothing."""

    class Digest(models.TextChoices):
        NEVER = "never", _("Never")
        DAILY = "daily", _("Every day")
        WEEKLY = "weekly", _("Every Monday")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="review_alerts"
    )
    low_in_app = models.BooleanField(_("low ratings: in the app, at once"), default=False)
    low_by_mail = models.BooleanField(_("low ratings: by e-mail, at once"), default=False)
    given_by_mail = models.BooleanField(_("assigned to me: by e-mail, at once"), default=False)
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
        return is_quiet(local_time, start=self.quiet_from, end=self.quiet_until)


class ReviewAlertQuerySet(models.QuerySet["ReviewAlert"]):
    def visible_to(self, user: User) -> Self:
        """A person's own, of the restaurants whose reviews they may still see."""
        places = Restaurant.objects.visible_to(user, VIEW)
        return self.filter(user=user, review__restaurant__in=places)

    def unseen(self) -> Self:
        return self.filter(seen_at=None, in_app=True)

    def unmailed(self) -> Self:
        return self.filter(mailed_at=None, by_mail=True)

    def of_assignment(self, review: UUID) -> Self:
        """The alerts of people whom the review was assigned to."""
        return self.filter(review=review, kind=ReviewAlert.Kind.ASSIGNED)


class ReviewAlert(models.Model):
    """One notification of one person about a review, created once."""

    class Kind(models.TextChoices):
        LOW = "low", _("Low rating")
        ASSIGNED = "given", _("Assigned to you")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    review = models.ForeignKey(Review, models.CASCADE, related_name="+", db_index=False)
    kind = models.CharField(max_length=5, choices=Kind, default=Kind.LOW)
    # Who assigned it, with what remark.
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    remark = models.TextField(blank=True)
    at = models.DateTimeField()
    in_app = models.BooleanField()
    by_mail = models.BooleanField()
    seen_at = models.DateTimeField(null=True)
    mailed_at = models.DateTimeField(null=True)

    objects = ReviewAlertQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        constraints = [
            models.UniqueConstraint(fields=["user", "review", "kind"], name="one_alert_per_kind")
        ]
        indexes = [
            # The count in the top bar of every page.
            models.Index(
                fields=["user"], condition=models.Q(seen_at=None, in_app=True), name="alert_unseen"
            ),
            models.Index(
                fields=["at"],
                condition=models.Q(mailed_at=None, by_mail=True),
                name="alert_unmailed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} {self.review_id}"

    def claim(self, *, now: datetime) -> bool:
        """Claim it for mailing: of two workers one gets it."""
        mine = ReviewAlert.objects.filter(pk=self.pk, mailed_at=None)
        return bool(mine.update(mailed_at=now))

    def release(self) -> None:
        """Undo the claim of a mail that was not sent, so that the next run finds it."""
        ReviewAlert.objects.filter(pk=self.pk).update(mailed_at=None)

"""Reviews: ratings, the guest's comment, the restaurant's reply, and how each is published."""

from collections.abc import Iterable
from typing import Self

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from customers.models import Customer
from lib.labels import label_of
from mirror.models import Mirrored
from reservations.models import Reservation
from restaurants.models import Restaurant

PUBLISHED = "PUBLISHED"
REWRITE = "WAITING_REFORMULATE"
# A reply still in moderation. No event reports the outcome: the review is read again.
UNDER_WAY = ("NOT_REVIEWED", REWRITE)
WITHDRAWN = ("ARCHIVED", "DELETED")
# Without a reply, or with one that was refused or withdrawn, a review counts as unanswered.
NO_ANSWER = ("", "REJECTED", *WITHDRAWN)
PUBLICATION_STATUSES = {
    "NOT_REVIEWED": _("In moderation"),
    "WAITING_REFORMULATE": _("Rewrite needed"),
    "REJECTED": _("Refused"),
    "PUBLISHED": _("Published"),
    "ARCHIVED": _("Archived"),
    "DELETED": _("Deleted"),
}


class ReviewQuerySet(models.QuerySet["Review"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        return self.filter(restaurant__in=Restaurant.objects.visible_to(user, permission))

    def for_restaurants(self, ids: Iterable[int]) -> Self:
        return self.filter(restaurant__in=list(ids))

    def present(self) -> Self:
        return self.filter(presence=Mirrored.Presence.PRESENT)

    def counted(self) -> Self:
        """Reviews that count in the public rating: all but the invalid ones."""
        return self.present().exclude(is_valid=False)


class Review(Mirrored):
    """A guest's review. `customer` and `reservation` may not be stored yet: no constraint."""

    restaurant = models.ForeignKey(
        Restaurant, models.PROTECT, related_name="reviews", db_index=False
    )

    is_valid = models.BooleanField(_("valid"), null=True)
    created_ts = models.DateTimeField(_("written"), null=True)
    updated_ts = models.DateTimeField(_("updated upstream"), null=True)
    reservation = models.ForeignKey(
        Reservation,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_column="reservation_uuid",
        related_name="reviews",
    )
    meal_at = models.DateTimeField(_("visit"), null=True)
    customer = models.ForeignKey(
        Customer,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_column="customer_uuid",
        related_name="reviews",
    )
    first_name = models.TextField(_("first name"), blank=True)
    last_name = models.TextField(_("last name"), blank=True)

    global_rating = models.DecimalField(_("rating"), max_digits=6, decimal_places=3, null=True)
    ambience_rating = models.PositiveSmallIntegerField(_("ambience"), null=True)
    food_quality_rating = models.PositiveSmallIntegerField(_("food"), null=True)
    service_rating = models.PositiveSmallIntegerField(_("service"), null=True)
    price_evaluation = models.CharField(_("price"), max_length=64, blank=True)
    waiting_time_evaluation = models.CharField(_("waiting time"), max_length=64, blank=True)
    noise_level_evaluation = models.CharField(_("noise"), max_length=64, blank=True)
    occasion = models.CharField(_("occasion"), max_length=64, blank=True)

    comment = models.TextField(_("comment"), blank=True)
    comment_language = models.CharField(max_length=64, blank=True)
    # Empty: there is no comment, so there can be no reply.
    comment_status = models.CharField(_("comment status"), max_length=64, blank=True)
    comment_created_ts = models.DateTimeField(null=True)
    comment_updated_ts = models.DateTimeField(null=True)
    comment_published_ts = models.DateTimeField(null=True)
    comment_moderation_reason = models.CharField(max_length=96, blank=True)

    reply = models.TextField(_("reply"), blank=True)
    reply_language = models.CharField(max_length=64, blank=True)
    reply_status = models.CharField(_("reply status"), max_length=64, blank=True)
    reply_created_ts = models.DateTimeField(null=True)
    reply_updated_ts = models.DateTimeField(null=True)
    reply_published_ts = models.DateTimeField(null=True)
    reply_moderation_reason = models.CharField(max_length=96, blank=True)

    # The local date of the meal, so that a review counts on the service day of the visit.
    service_day = models.DateField(_("service day"), null=True)

    objects = ReviewQuerySet.as_manager()

    class Meta:
        indexes = [
            # The ratings of a period.
            models.Index(fields=["restaurant", "service_day"], name="review_of_a_day"),
            # The queues of the inbox.
            models.Index(
                fields=["restaurant", "comment_status", "reply_status", "created_ts"],
                name="review_queue",
            ),
            # Replies to be read again: reviews.sync.
            models.Index(
                fields=["reply_updated_ts"],
                condition=Q(reply_status__in=UNDER_WAY),
                name="review_in_moderation",
            ),
            # The latest replies of a restaurant, beside the editor.
            models.Index(
                fields=["restaurant", "-reply_updated_ts", "uuid"],
                condition=~Q(reply_status=""),
                name="review_replied",
            ),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    def get_absolute_url(self) -> str:
        return reverse("reviews:show", args=[self.uuid])

    @property
    def guest_name(self) -> str:
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def comment_status_label(self) -> str:
        return label_of(self.comment_status, PUBLICATION_STATUSES)

    @property
    def reply_status_label(self) -> str:
        return label_of(self.reply_status, PUBLICATION_STATUSES)

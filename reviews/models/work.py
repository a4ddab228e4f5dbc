"""The team's work on a review, in a table of its own, because the mirror overwrites the copy."""

from datetime import datetime, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from outbox.models import Message, next_step_of, sentence_of
from restaurants.models import Restaurant
from reviews.models.review import Review

# A person counts as writing for this long after the last key.
WRITING = timedelta(seconds=30)


class InboxQueue(models.TextChoices):
    """The queues of the inbox, in the order of urgency. A review is in exactly one."""

    REWRITE = "rewrite", _("Rewrite needed")
    REPLY = "reply", _("Needs reply")
    DRAFTS = "drafts", _("Drafts")
    APPROVE = "approve", _("To approve")
    SENT = "sent", _("Sent, in moderation")
    PUBLISHED = "published", _("Published")
    WAITING = "waiting", _("Not published yet")
    CLOSED = "closed", _("Not answerable")
    ARCHIVED = "archived", _("Archived")


# What waits for a person. The target time runs in these.
OPEN = (InboxQueue.REWRITE, InboxQueue.REPLY, InboxQueue.DRAFTS, InboxQueue.APPROVE)


class Stage(models.TextChoices):
    """How far our own reply is. What the service decided stands in the review."""

    NONE = "", _("Nothing written")
    DRAFT = "draft", _("Draft")
    SUGGESTED = "suggested", _("Suggested")
    RETURNED = "returned", _("Sent back to the author")
    SENDING = "sending", _("Being sent")


class WorkQuerySet(models.QuerySet["Work"]):
    def visible_to(self, user: User) -> Self:
        return self.filter(restaurant__in=Restaurant.objects.visible_to(user))

    def unplaced(self) -> Self:
        return self.filter(queue="")


class Work(models.Model):
    """One row per review. The first block is derived: only `reviews.inbox.placement` writes it."""

    review = models.OneToOneField(Review, models.CASCADE, primary_key=True, related_name="work")
    restaurant = models.ForeignKey(
        Restaurant, models.PROTECT, related_name="review_work", db_index=False
    )

    queue = models.CharField(max_length=9, choices=InboxQueue, blank=True)  # empty: to be placed
    why = models.CharField(max_length=16, blank=True)  # a key of placement.WHY
    since = models.DateTimeField()  # when it came to this, by the service's clock
    is_late = models.BooleanField(default=False)
    is_low = models.BooleanField(default=False)
    score = models.PositiveSmallIntegerField(default=9999)  # hundredths; unknown is the highest
    seal = models.CharField(
        max_length=32, blank=True
    )  # hash of an archived review, to notice a change
    is_notified = models.BooleanField(default=False)  # of its low rating

    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    archived_at = models.DateTimeField(null=True)
    archived_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )

    stage = models.CharField(max_length=9, choices=Stage, blank=True)
    draft = models.TextField(blank=True)
    language = models.CharField(max_length=3, blank=True)  # empty is sent as null
    draft_no = models.PositiveIntegerField(default=0)  # grows with every save of the draft
    drafted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    drafted_at = models.DateTimeField(null=True)
    remark = models.TextField(blank=True)  # the manager's, when a suggestion was sent back

    intent_key = models.UUIDField(null=True)  # of the latest one
    problem = models.CharField(max_length=64, blank=True)
    message = models.JSONField(null=True)  # why it was not sent: outbox.models.Message
    sentence = models.TextField(blank=True)  # the same, as earlier versions stored it
    # Nobody knows whether it was sent.
    is_in_doubt = models.BooleanField(default=False, db_default=False)
    problem_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    sent_text = models.TextField(blank=True)
    answers = models.CharField(max_length=32, blank=True)  # the comment that was answered, hashed

    version = models.PositiveIntegerField(default=1)  # grows with every step: screens compare it

    objects = WorkQuerySet.as_manager()

    class Meta:
        indexes = [
            # A queue, the most urgent first: one restaurant, or all of them.
            models.Index(
                fields=["restaurant", "queue", "-is_late", "score", "since"], name="work_of_place"
            ),
            models.Index(
                fields=["queue", "-is_late", "score", "since", "restaurant"], name="work_urgent"
            ),
            # A queue, the newest or the oldest first.
            models.Index(fields=["restaurant", "queue", "since"], name="work_of_place_by_time"),
            models.Index(fields=["queue", "since", "restaurant"], name="work_by_time"),
            # Mine.
            models.Index(
                fields=["assignee", "queue", "since"],
                condition=Q(assignee__isnull=False),
                name="work_assigned",
            ),
            # Reviews that become late: placement.mark_late.
            models.Index(
                fields=["restaurant", "is_late", "since"],
                condition=Q(queue__in=["rewrite", "reply", "drafts", "approve"]),
                name="work_on_the_clock",
            ),
            models.Index(fields=["review"], condition=Q(queue=""), name="work_unplaced"),
            models.Index(fields=["review"], condition=Q(stage="sending"), name="work_sending"),
            # Low ratings without an alert yet: alerts.create_alerts.
            models.Index(
                fields=["review"],
                condition=Q(is_low=True, is_notified=False),
                name="work_unnotified",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.review_id} {self.queue}"

    @property
    def is_open(self) -> bool:
        return self.queue in OPEN

    @property
    def reason(self) -> str:
        """Why the reply was not sent, and what to do next, in the reader's language."""
        return in_words(self.message) or self.sentence

    @property
    def has_draft(self) -> bool:
        return bool(self.draft.strip())


class ReplyStep(models.Model):
    """One step of an answer: who did what, and the text as it then was. Nothing is overwritten."""

    class Kind(models.TextChoices):
        DRAFT = "draft", _("Draft")
        SUGGESTED = "suggested", _("Suggested")
        RETURNED = "returned", _("Sent back with a remark")
        ASSIGNED = "given", _("Assigned to a colleague")
        APPROVED = "approved", _("Approved")
        UNDONE = "undone", _("Undone, nothing was sent")
        SENT = "sent", _("Sent")
        FAILED = "failed", _("Not sent")
        IN_DOUBT = "in-doubt", _("Not known whether it was sent")

    work = models.ForeignKey(Work, models.CASCADE, related_name="steps", db_index=False)
    kind = models.CharField(max_length=9, choices=Kind)
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+", db_index=False
    )
    text = models.TextField(blank=True)
    remark = models.TextField(blank=True)  # of a person
    message = models.JSONField(null=True)  # of the service, or ours: outbox.models.Message

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["work", "at"], name="step_of_work")]

    def __str__(self) -> str:
        return f"{self.kind} {self.work_id}"

    @property
    def reason(self) -> str:
        """The remark of a person, else why the reply was not sent, in the reader's language."""
        return self.remark or in_words(self.message)


def in_words(message: Message | None) -> str:
    if not message:
        return ""
    return f"{sentence_of(message)} {next_step_of(message)}".strip()


class PresenceQuerySet(models.QuerySet["Presence"]):
    def writing(self, *, now: datetime) -> Self:
        return self.filter(seen_at__gt=now - WRITING)


class Presence(models.Model):
    """Who is typing a reply to which review."""

    work = models.ForeignKey(Work, models.CASCADE, related_name="presences", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    seen_at = models.DateTimeField()

    objects = PresenceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["work", "user"], name="one_presence_per_person")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.work_id}"

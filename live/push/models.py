"""Events that people may get a push message of, and the messages that wait to be sent."""

from datetime import datetime, timedelta
from typing import Self

from django.db import models, transaction

from accounts.push.models import PushDevice
from restaurants.models import Restaurant

# Longer than one request may take, so that no other worker sends what is being sent.
LEASE = timedelta(minutes=2)
SECRETS = ("device__endpoint", "device__p256dh", "device__auth")
# An event that happens again after it has expired must not be a new one for so long.
KEPT_AFTER_EXPIRY = timedelta(days=2)


class PushEventQuerySet(models.QuerySet["PushEvent"]):
    def due(self) -> Self:
        return self.filter(expanded_at=None).order_by("pk")

    def delete_old(self, *, now: datetime) -> None:
        self.filter(expires_at__lt=now - KEPT_AFTER_EXPIRY).delete()


class PushEvent(models.Model):
    """Something happened, once: stored with what happened, turned into messages by a worker.

    It names what happened and where. Ids only: no word of a guest is stored or sent.
    """

    kind = models.CharField(max_length=16)
    # What makes it one event: the uuid of an entity, a service day or both.
    subject = models.CharField(max_length=64)
    restaurant = models.ForeignKey(
        Restaurant, models.CASCADE, null=True, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    # After this nobody wants to know it any more: a message about tonight ends with the meal.
    expires_at = models.DateTimeField()
    expanded_at = models.DateTimeField(null=True)

    objects = PushEventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "subject"], name="a_push_event_happens_once")
        ]
        indexes = [
            # What a worker looks for every few seconds.
            models.Index(
                fields=["id"], condition=models.Q(expanded_at=None), name="push_event_due"
            ),
            models.Index(fields=["expires_at"], name="push_event_expiry"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class PushMessageQuerySet(models.QuerySet["PushMessage"]):
    def claim(self, *, now: datetime) -> "PushMessage | None":
        """Claim the oldest due message. The claim of a worker that dies ends with the lease."""
        with transaction.atomic():
            due = self.filter(not_before__lte=now).order_by("not_before", "pk")
            whole = due.select_related("event__restaurant", "device__user").defer(*SECRETS)
            message = whole.select_for_update(of=("self",), skip_locked=True).first()
            if message:
                message.attempts += 1
                message.not_before = now + LEASE
                message.save(update_fields=["attempts", "not_before"])
        return message


class PushMessage(models.Model):
    """One event for one device, until the push service has taken it or it is out of date."""

    event = models.ForeignKey(PushEvent, models.CASCADE, related_name="messages", db_index=False)
    device = models.ForeignKey(PushDevice, models.CASCADE, related_name="+")
    not_before = models.DateTimeField(db_index=True)
    attempts = models.PositiveSmallIntegerField(default=0)

    objects = PushMessageQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event", "device"], name="one_push_message_per_event_and_device"
            )
        ]

    def __str__(self) -> str:
        return f"push message {self.pk}"

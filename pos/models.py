"""Logos that were sent to the point-of-sale API, and the outcome of each."""

from datetime import timedelta
from typing import Self
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from partner.models import Connection

# How many uploads are kept.
KEPT = 12
# No upload takes longer; one that did not end by then was lost with its web process.
LONGEST_SENDING = timedelta(minutes=1)


class LogoQuerySet(models.QuerySet["Logo"]):
    def light(self) -> Self:
        """Defer the pictures: up to 100 KB each."""
        return self.defer("png")

    def visible_to(self, user: User) -> Self:
        """Logos of the person's connections; those older than every one for who owns all."""
        own = Q(connection__in=user.owned_connection_ids)
        return self.filter(own | Q(connection=None)) if user.owns_installation else self.filter(own)

    def of(self, connection: Connection | None) -> Self:
        """The logos of a connection, and those that are older than every connection."""
        return self.filter(Q(connection=connection) | Q(connection=None))

    def delete_old(self) -> None:
        """Delete old uploads, but keep the newest ones and the one in use."""
        newest = list(self.order_by("-pk").values_list("pk", flat=True)[:KEPT])
        in_use = self.filter(state=Logo.State.SENT).order_by("-ended_at", "-pk")
        kept = [*newest, *in_use.values_list("pk", flat=True)[:1]]
        self.exclude(pk__in=kept).delete()


class Logo(models.Model):
    """One upload of a logo. Restoring an earlier picture is a new upload."""

    class State(models.TextChoices):
        SENDING = "sending", _("Being sent")
        SENT = "sent", _("Sent")
        REFUSED = "refused", _("Refused")
        UNSURE = "unsure", _("Not known")

    # Whose point of sale it is; none only for those older than every connection.
    connection = models.ForeignKey(
        Connection, models.PROTECT, null=True, related_name="+", verbose_name=_("connection")
    )
    key = models.UUIDField(unique=True, default=uuid4)  # a double click is one upload
    png = models.BinaryField()
    width = models.PositiveSmallIntegerField()
    height = models.PositiveSmallIntegerField()
    size = models.PositiveIntegerField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    created_at = models.DateTimeField()

    state = models.CharField(max_length=8, choices=State, default=State.SENDING)
    sentence = models.TextField(blank=True)  # untranslated, as the next step is
    next_step = models.TextField(blank=True)
    answer = models.JSONField(default=dict)  # the service's answer about the entry
    ended_at = models.DateTimeField(null=True)

    objects = LogoQuerySet.as_manager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"logo {self.pk} {self.state}"

    @property
    def outcome(self) -> State:
        """What is known of the sending now. One whose web process was killed ends nowhere."""
        state = Logo.State(self.state)
        is_lost = self.created_at < timezone.now() - LONGEST_SENDING
        return Logo.State.UNSURE if state == Logo.State.SENDING and is_lost else state

    @property
    def shown_sentence(self) -> str:
        return gettext(self.sentence) if self.sentence else ""

    @property
    def shown_next_step(self) -> str:
        return gettext(self.next_step) if self.next_step else ""

    @property
    def kilobytes(self) -> int:
        return max(1, round(self.size / 1024))

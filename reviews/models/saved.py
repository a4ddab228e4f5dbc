"""What people keep for the next time: replies, and ways of looking at the inbox."""

from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.models import Group


class SavedReplyQuerySet(models.QuerySet["SavedReply"]):
    def visible_to(self, user: User, permission: str | None = None) -> Self:
        return self.filter(group__in=Group.objects.visible_to(user, permission))


class SavedReply(models.Model):
    """A text that a group uses again. Words in braces are filled in for each guest."""

    group = models.ForeignKey(
        Group, models.CASCADE, verbose_name=_("group"), related_name="saved_replies"
    )
    title = models.CharField(_("title"), max_length=80)
    text = models.TextField(_("text"), max_length=5000)
    language = models.CharField(_("language"), max_length=3, blank=True)

    objects = SavedReplyQuerySet.as_manager()

    class Meta:
        ordering = ["title", "pk"]

    def __str__(self) -> str:
        return self.title


class SavedInboxView(models.Model):
    """A queue with its filters, saved under a name."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_review_views"
    )
    name = models.CharField(_("name"), max_length=40)
    query = models.CharField(max_length=300)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

"""The devices on which an offline copy is allowed. A browser is one by a signed cookie."""

from uuid import uuid4

from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from restaurants.models import Restaurant


class OfflineDevice(models.Model):
    """A browser in which whoever signs in keeps a copy of these restaurants. Gone: not allowed."""

    uuid = models.UUIDField(default=uuid4, unique=True, editable=False)
    name = models.CharField(_("name of the device"), max_length=60)
    restaurants = models.ManyToManyField(
        Restaurant, verbose_name=_("restaurants"), related_name="+"
    )
    allowed_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    allowed_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name

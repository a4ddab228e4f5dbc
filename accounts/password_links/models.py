"""The link with which the first admin of an installation makes an account."""

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.urls import reverse

from accounts.models import User

LIFETIME = timedelta(hours=24)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class FirstAdminLinkManager(models.Manager["FirstAdminLink"]):
    def issue(self, *, now: datetime) -> str:
        """Make a link. Empty once the installation has an owner."""
        self.filter(expires_at__lte=now).delete()
        if User.objects.owners().exists():
            return ""
        token = secrets.token_urlsafe(32)
        self.create(token_hash=_hash(token), expires_at=now + LIFETIME)
        return f"{settings.PUBLIC_URL}{reverse('accounts:first_admin')}?token={token}"

    def of_token(self, token: str, *, now: datetime) -> "FirstAdminLink | None":
        """The link, unless it is forged, too old or used, or somebody owns the installation."""
        if User.objects.owners().exists():
            return None
        return self.filter(token_hash=_hash(token), expires_at__gt=now).first()


class FirstAdminLink(models.Model):
    """A one-time link. Only its hash is stored, so that reading the database opens nothing."""

    token_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    objects = FirstAdminLinkManager()

    def __str__(self) -> str:
        return f"first admin until {self.expires_at:%Y-%m-%d %H:%M}"

    def use(self) -> bool:
        """Spend the link. Of two uses at once only one succeeds."""
        deleted, _models = FirstAdminLink.objects.filter(pk=self.pk).delete()
        return bool(deleted)

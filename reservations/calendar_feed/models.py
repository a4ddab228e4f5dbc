"""The secret addresses at which calendar programs read a restaurant's bookings."""

import secrets
from datetime import datetime, timedelta
from hmac import compare_digest

from auditlog.registry import auditlog
from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import get_language

from accounts.models import User
from lib.encryption import DecryptionFailed, EncryptedTextField
from partner.models.connection import hash_token
from restaurants.models import Restaurant


class FeedManager(models.Manager["Feed"]):
    """Defers the encrypted token until it is read: a lost key breaks no list of feeds."""

    def get_queryset(self) -> "models.QuerySet[Feed]":
        return super().get_queryset().defer("token")


class Feed(models.Model):
    """The secret address at which calendar programs read a restaurant's bookings."""

    restaurant = models.OneToOneField(
        Restaurant, models.CASCADE, primary_key=True, related_name="+"
    )
    token = EncryptedTextField()
    token_hash = models.CharField(max_length=64)
    language = models.CharField(max_length=8)
    made_by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    made_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    objects = FeedManager()

    def __str__(self) -> str:
        return f"feed of {self.restaurant_id}"

    @classmethod
    def make(cls, restaurant: Restaurant, *, by: User, now: datetime) -> "Feed":
        """Replace the address; the former one ends at once."""
        token = secrets.token_urlsafe(32)
        feed, _made = cls.objects.update_or_create(
            restaurant=restaurant,
            defaults={
                "token": token,
                "token_hash": hash_token(token),
                "language": get_language() or "en",
                "made_by": by,
                "made_at": now,
                "used_at": None,
            },
        )
        return feed

    @property
    def address(self) -> str:
        """The address, or "" when no key decrypts it. It is secret: never log it."""
        try:
            token = self.token
        except DecryptionFailed:
            return ""
        path = reverse("reservations:feed", args=[self.restaurant.uuid])
        return f"{settings.PUBLIC_URL}{path}?token={token}"

    def accepts(self, token: str) -> bool:
        """Compare in constant time."""
        return compare_digest(hash_token(token), self.token_hash or "-" * 64)

    def note_use(self, *, now: datetime) -> None:
        """Record that it was read, at most once a minute."""
        if self.used_at is None or now - self.used_at > timedelta(minutes=1):
            Feed.objects.filter(pk=self.pk).update(used_at=now)


# Excluded, not masked: auditlog's masks show half of the secret.
auditlog.register(Feed, exclude_fields=["token", "token_hash", "used_at"])

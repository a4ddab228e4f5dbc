"""Calls reported by a restaurant's telephone system, and the token of that system."""

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta
from hmac import compare_digest
from typing import Self
from uuid import NAMESPACE_URL, UUID, uuid5

from auditlog.registry import auditlog
from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.encryption import EncryptedTextField
from outbox.models import Intent
from partner.models import Connection
from partner.models.connection import hash_token
from restaurants.models import Restaurant

RIGHT = "phone.view_call"
PATH = "/phone/calls/"
# How long the old address stays valid, until the new one is entered in the telephone system.
OVERLAP = timedelta(days=14)
# After this time a ringing call counts as ended: its last event was lost.
LONGEST_RING = timedelta(minutes=3)
# How long the card of an answered call stays on the screens.
CARD_STAYS = timedelta(minutes=2)
SLICE = 500  # rows of one delete
KIND = "call"  # of a call's announcements and reports


class Event(models.TextChoices):
    """Events of a call. The values are the service's own (`callCurrentStatus`)."""

    INCOMING = "incoming", _("Ringing")
    ANSWERED = "answered", _("Answered")
    MISSED = "missed", _("Missed")
    ENDED = "ended", _("Ended")


# In the order of a call's life. An event is reported upstream only while no later one is known.
ORDER = [Event.INCOMING, Event.ANSWERED, Event.MISSED, Event.ENDED]


class PhoneSystemManager(models.Manager["PhoneSystem"]):
    """Defers the token, so that only code that needs it reads it."""

    def get_queryset(self) -> models.QuerySet["PhoneSystem"]:
        return super().get_queryset().defer("token")

    def of(self, connection: Connection | None) -> "PhoneSystem | None":
        return self.filter(connection=connection).first()

    def of_token(self, token: str, *, now: datetime) -> "PhoneSystem | None":
        """The system with this token. One query, however many there are."""
        given = hash_token(token)
        found = self.filter(Q(token_hash=given) | Q(previous_hash=given)).first()
        return found if found and found.accepts(token, now=now) else None

    def rotate_of(self, connection: Connection | None, *, now: datetime) -> "PhoneSystem":
        """Set a new token for the system of a connection, which is made if there is none.

        Calls of the first system keep their ids; those of others cannot be mistaken for them.
        """
        system = self.of(connection)
        if system is None:
            namespace = str(connection.pk) if connection and self.exists() else ""
            system = PhoneSystem(connection=connection, namespace=namespace)
        system.rotate(now=now)
        return system


class PhoneSystem(models.Model):
    """The address to which the telephone system of an account posts its calls."""

    # None only as long as there is no connection at all.
    connection = models.OneToOneField(
        Connection, models.PROTECT, null=True, related_name="+", verbose_name=_("connection")
    )
    # Part of its calls' ids: two telephone systems may count their calls alike.
    namespace = models.CharField(max_length=12, default="", db_default="")
    token = EncryptedTextField()
    token_hash = models.CharField(max_length=64)
    used_at = models.DateTimeField(null=True)
    previous_hash = models.CharField(max_length=64, blank=True)
    previous_expires_at = models.DateTimeField(null=True)
    rotated_at = models.DateTimeField()

    objects = PhoneSystemManager()

    def __str__(self) -> str:
        return f"telephone system {self.pk}"

    @property
    def address(self) -> str:
        """Return the address for the telephone system. It contains the token: never log it."""
        return f"{settings.PUBLIC_URL}{PATH}?token={self.token}"

    def restaurants(self) -> models.QuerySet[Restaurant]:
        """The restaurants whose calls it may report."""
        rows = Restaurant.objects.select_related("group")
        return rows.filter(group__connection=self.connection_id) if self.connection_id else rows

    def accepts(self, token: str, *, now: datetime) -> bool:
        """Compare a token in constant time with the current and the previous one."""
        given = hash_token(token)
        is_current = compare_digest(given, self.token_hash)
        is_previous = compare_digest(given, self.previous_hash or "-" * 64)
        expires = self.previous_expires_at
        return is_current or bool(is_previous and expires and now < expires)

    def rotate(self, *, now: datetime) -> None:
        """Set a new token; the previous one stays valid for `OVERLAP`."""
        if self.token_hash:
            self.previous_hash = self.token_hash
            self.previous_expires_at = now + OVERLAP
        self.token = secrets.token_urlsafe(32)
        self.token_hash = hash_token(self.token)
        self.rotated_at, self.used_at = now, None
        self.save()

    def revoke_previous(self) -> None:
        self.previous_hash, self.previous_expires_at = "", None
        self.save(update_fields=["previous_hash", "previous_expires_at"])


class CallQuerySet(models.QuerySet["Call"]):
    def visible_to(self, user: User) -> Self:
        return self.filter(restaurant__in=Restaurant.objects.visible_to(user, RIGHT))

    def for_log(self) -> Self:
        """The newest first, with the restaurant of each."""
        return self.select_related("restaurant__group").order_by("-began_at", "-pk")

    def on_the_line(self, *, now: datetime) -> Self:
        """Calls that ring, and calls that were answered recently and have not ended."""
        rings = Q(answered_at=None, began_at__gt=now - LONGEST_RING)
        talks = Q(answered_at__gt=now - CARD_STAYS)
        return self.filter(rings | talks, missed_at=None, ended_at=None)

    def missed(self) -> Self:
        return self.filter(answered_at=None).exclude(missed_at=None)

    def unchecked(self, *, now: datetime) -> Self:
        """Recent calls whose caller was not looked up yet."""
        return self.filter(checked_at=None, began_at__gt=now - LONGEST_RING).exclude(number="")

    def from_numbers(self, numbers: Iterable[str]) -> Self:
        return self.filter(number__in=[number for number in numbers if number])

    def delete_old(self, *, now: datetime) -> int:
        """Delete calls older than `CALL_KEEP_DAYS` and their reports, in slices, so that no delete
        holds its locks for long.
        """
        before = now - timedelta(days=settings.CALL_KEEP_DAYS)
        old = self.filter(began_at__lt=before)
        forgotten = 0
        while uuids := list(old.values_list("uuid", flat=True)[:SLICE]):
            Intent.objects.filter(kind=KIND, uuid__in=uuids).exclude(state__in=Intent.OPEN).delete()
            forgotten += self.filter(uuid__in=uuids).delete()[0]
        return forgotten


class Call(models.Model):
    """One call, built from events that may come twice, late and in any order.

    Each event stores its own instant; the state of the call is derived from those present.
    """

    class Service(models.TextChoices):
        """The service's answer about the caller's number."""

        NOT_LOOKED_UP = "", _("Not asked")
        KNOWN = "known", _("Confirmed by the service")
        UNKNOWN = "unknown", _("Unknown to the service")
        SILENT = "silent", _("The service did not answer")

    uuid = models.UUIDField(unique=True)  # the service's callId: `service_id`
    source_id = models.CharField(max_length=128)  # the telephone system's own
    restaurant = models.ForeignKey(Restaurant, models.PROTECT, related_name="calls", db_index=False)

    number = models.CharField(max_length=16, blank=True)  # E.164; empty: hidden or unreadable
    caller_id = models.CharField(max_length=64, blank=True)  # as the telephone system wrote it
    # The guest was erased: no later event stores the number again.
    is_redacted = models.BooleanField(default=False, db_default=False)
    answered_by = models.CharField(max_length=80, blank=True)
    began_at = models.DateTimeField()  # the earliest instant that was reported
    incoming_at = models.DateTimeField(null=True)
    answered_at = models.DateTimeField(null=True)
    missed_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    service = models.CharField(max_length=8, choices=Service, blank=True)
    service_guest = models.UUIDField(null=True)
    checked_at = models.DateTimeField(null=True)
    version = models.PositiveIntegerField(default=1)

    objects = CallQuerySet.as_manager()

    class Meta:
        indexes = [
            # The log of a restaurant, and what is on the line.
            models.Index(fields=["restaurant", "began_at"], name="call_log"),
            # The calls of a guest. Whole, because SQLite reads no partial index for a query with
            # parameters.
            models.Index(fields=["number", "began_at"], name="call_number"),
            # The purge: CallQuerySet.delete_old.
            models.Index(fields=["began_at"], name="call_began"),
        ]

    def __str__(self) -> str:
        return str(self.uuid)

    @property
    def is_hidden(self) -> bool:
        return not self.number

    @property
    def outcome(self) -> str:
        """The key of the outcome: an end without an answer does not prove a missed call."""
        if self.answered_at:
            return "answered" if self.missed_at or self.ended_at else "talking"
        if self.missed_at:
            return "missed"
        return "ended" if self.ended_at else "ringing"

    @property
    def talk(self) -> timedelta | None:
        """Duration of the conversation, if both instants are known and in order."""
        if not self.answered_at or not self.ended_at or self.ended_at < self.answered_at:
            return None
        return self.ended_at - self.answered_at

    @property
    def events(self) -> list[Event]:
        return [event for event in ORDER if getattr(self, f"{event}_at")]

    def note(self, event: Event, *, at: datetime) -> bool:
        """Store the instant of an event; False if the event is already stored."""
        if getattr(self, f"{event}_at"):
            return False
        setattr(self, f"{event}_at", at)
        self.began_at = min(self.began_at, at)
        return True


def service_id(source_id: str, *, namespace: str = "") -> UUID:
    """The id of a call at the service: the same for all its events."""
    if namespace:
        return uuid5(NAMESPACE_URL, f"couvert:call:{namespace}:{source_id}")
    try:
        return UUID(source_id)
    except ValueError:
        return uuid5(NAMESPACE_URL, f"couvert:call:{source_id}")


# Excluded, not masked: auditlog's masks show half of the secret.
UNSEEN = ["token", "token_hash", "previous_hash", "used_at", "namespace"]
auditlog.register(PhoneSystem, exclude_fields=UNSEEN)

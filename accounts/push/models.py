"""Devices on which a person has switched push messages on, and the key that signs them."""

from datetime import datetime, time, timedelta
from typing import Self

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _
from py_vapid import Vapid02

from lib.encryption import EncryptedTextField
from lib.quiet_hours import end_of_quiet
from partner.models.connection import hash_token


class VapidKeyManager(models.Manager["VapidKey"]):
    def current(self) -> "VapidKey":
        """The key of the installation, generated when it is first needed. One query."""
        found = self.first()
        return found or self.get_or_create(pk=1, defaults={"private_key": new_private_key()})[0]


def new_private_key() -> str:
    vapid = Vapid02()
    vapid.generate_keys()
    pem: bytes = vapid.private_pem()
    return pem.decode()


class VapidKey(models.Model):
    """The key pair by which push services know this installation (RFC 8292). There is one."""

    private_key = EncryptedTextField()

    objects = VapidKeyManager()

    def __str__(self) -> str:
        return "VAPID key"


class PushDeviceQuerySet(models.QuerySet["PushDevice"]):
    def of_browser(self, token: str) -> Self:
        """The device of the browser that carries this token in its cookie."""
        return self.filter(browser_hash=hash_token(token)) if token else self.none()


class PushDeviceManager(models.Manager["PushDevice"]):
    """Defers the encrypted columns until they are read."""

    def get_queryset(self) -> PushDeviceQuerySet:
        return PushDeviceQuerySet(self.model, using=self._db).defer("endpoint", "p256dh", "auth")

    def of_browser(self, token: str) -> PushDeviceQuerySet:
        return self.get_queryset().of_browser(token)


class PushDevice(models.Model):
    """A browser in which a person has switched push messages on.

    The endpoint is a secret, as the keys are: whoever knows it may send to it. It ends when
    the person signs out there, when they choose a new password, and when the push service says so.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_devices")
    endpoint = EncryptedTextField()
    p256dh = EncryptedTextField()
    auth = EncryptedTextField()
    endpoint_hash = models.CharField(max_length=64, unique=True)
    # Of the cookie in that browser: a sign-out finds its device by it.
    browser_hash = models.CharField(max_length=64, db_index=True)
    # The person's session hash when it was switched on: a new password changes it.
    user_session_hash = models.CharField(max_length=64)
    user_agent = models.CharField(max_length=200, blank=True)
    language = models.CharField(max_length=10)
    added_at = models.DateTimeField()

    accepted_at = models.DateTimeField(null=True)  # the last message that the push service took
    # Why the last message was not taken: an HTTP status, or "no answer". Empty after a success.
    problem = models.CharField(max_length=16, blank=True)
    problem_at = models.DateTimeField(null=True)

    objects = PushDeviceManager()

    class Meta:
        ordering = ["added_at", "pk"]

    def __str__(self) -> str:
        return f"push device {self.pk}"

    @property
    def is_signed_in(self) -> bool:
        """Whether the person's password is still the one that it was switched on with."""
        return self.user.is_active and self.user.has_session_hash(self.user_session_hash)

    def note_accepted(self, *, now: datetime) -> None:
        fields = {"accepted_at": now, "problem": "", "problem_at": None}
        PushDevice.objects.filter(pk=self.pk).update(**fields)

    def note_problem(self, problem: str, *, now: datetime) -> None:
        PushDevice.objects.filter(pk=self.pk).update(problem=problem[:16], problem_at=now)


class PushPreferences(models.Model):
    """Which push messages a person wants, on all of their devices. Without a row: none."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="push_preferences"
    )
    kinds = models.JSONField(default=list)
    quiet_from = models.TimeField(_("quiet from"), null=True, blank=True)
    quiet_until = models.TimeField(_("quiet until"), null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.user_id} {self.kinds}"

    def quiet_for(self, local_time: time) -> timedelta:
        """How long nothing may be sent from this time of the day on; zero: send now."""
        return end_of_quiet(local_time, start=self.quiet_from, end=self.quiet_until)

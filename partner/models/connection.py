"""The partner's addresses and our credentials there."""

import hashlib
import secrets
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from django.conf import settings
from django.core.validators import MinValueValidator
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lib.encryption import DecryptionFailed, EncryptedTextField
from partner.errors import NotActive, NotConfigured

RECEIVER_PATH = "/webhooks/partner/"
# How long the old webhook address goes on working: the operator changes it by hand, by mail.
OVERLAP = timedelta(days=14)
SECRETS = ("client_secret", "previous_client_secret", "webhook_token")


class Slot(models.TextChoices):
    """The two webhook tokens: the current one and the one before it."""

    CURRENT = "current", _("current")
    PREVIOUS = "previous", _("previous")


def hash_token(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


class ConnectionManager(models.Manager["Connection"]):
    """Defers secrets until they are used (one query each).

    What needs none, the receiver and the audit trail above all, then needs no key either.
    """

    def get_queryset(self) -> models.QuerySet["Connection"]:
        return super().get_queryset().defer(*SECRETS)

    def active(self) -> models.QuerySet["Connection"]:
        """Return the connections in use, the oldest first."""
        return self.filter(state=Connection.State.ACTIVE).order_by("pk")

    def current_ones(self) -> models.QuerySet["Connection"]:
        """Return the connections that have not been retired, the oldest first."""
        return self.exclude(state=Connection.State.RETIRED).order_by("pk")

    def single(self) -> "Connection | None":
        """Return the only one that has not been retired: of several none is guessed. One query."""
        found = list(self.current_ones()[:2])
        return found[0] if len(found) == 1 else None

    def visible_to(self, user: Any) -> models.QuerySet["Connection"]:
        """Return the connections that the person owns; all for those who run the server."""
        return self.all() if user.is_superuser else self.filter(owners=user)

    def current(self) -> "Connection":
        """Return the only connection, or raise `NotConfigured`."""
        return self._usable(self.single())

    def named(self, pk: int | None) -> "Connection":
        """Return the connection of a row, or raise `NotConfigured`. One query.

        A row names none only where it is older than every connection: then there is one at most.
        """
        return self.current() if pk is None else self._usable(self.filter(pk=pk).first())

    def _usable(self, found: "Connection | None") -> "Connection":
        if found is None:
            raise NotConfigured()
        if found.state != Connection.State.ACTIVE:
            raise NotActive(code="CONNECTION_NOT_ACTIVE")
        return found


class Connection(models.Model):
    """One account with the partner: addresses, credentials and webhook address of its groups."""

    class State(models.TextChoices):
        ACTIVE = "active", _("Active")
        PAUSED = "paused", _("Paused")  # nothing is sent or read; events are stored
        RETIRED = "retired", _("Retired")  # kept for its history, without credentials

    name = models.CharField(_("name"), max_length=80, default="Main")
    state = models.CharField(
        _("state"), max_length=8, choices=State, default=State.ACTIVE, editable=False
    )
    base_url = models.URLField(_("API address"))
    auth_url = models.URLField(_("token host"))
    audience = models.CharField(_("audience"), max_length=255)
    client_id = models.CharField(_("client id"), max_length=255)
    client_secret = EncryptedTextField(_("client secret"))
    # Kept until the new one has worked once: a mistyped secret must not lock us out.
    previous_client_secret = EncryptedTextField(default="", blank=True, editable=False)
    requests_per_minute = models.PositiveIntegerField(
        _("requests per minute"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1)],
        help_text=_("The contract's limit. Left empty, it is learnt by trying."),
    )
    wait_for_lost_token = models.BooleanField(
        _("wait out a lost token"),
        default=False,
        help_text=_(
            "If we lose a token before it is stored, wait until it has expired instead of asking "
            "for another one at once."
        ),
    )

    host_app_name = models.CharField(
        _("name of the restaurants' app"),
        max_length=60,
        blank=True,
        help_text=_(
            "The app in which your restaurants seat guests. Sentences use this name; left empty, "
            "they say “the reservation app”."
        ),
    )

    webhook_token = EncryptedTextField(_("webhook token"))
    webhook_token_hash = models.CharField(max_length=64, editable=False)
    webhook_token_used_at = models.DateTimeField(null=True, editable=False)
    previous_webhook_token_hash = models.CharField(
        max_length=64, default="", blank=True, editable=False
    )
    previous_expires_at = models.DateTimeField(null=True, editable=False)
    previous_used_at = models.DateTimeField(null=True, editable=False)

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = ConnectionManager()

    class Meta:
        verbose_name = _("connection")
        verbose_name_plural = _("connections")
        constraints = [
            # An event is known by its token alone; those that have been retired have none.
            models.UniqueConstraint(
                fields=["webhook_token_hash"],
                condition=~models.Q(webhook_token_hash=""),
                name="partner_one_webhook_token",
            )
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, **kwargs: Any) -> None:
        # The hash is a copy of the token for the receiver's sake: it must never lag behind,
        # whoever assigns the token.
        is_retired = self.state == self.State.RETIRED
        if "webhook_token" not in self.get_deferred_fields() and not is_retired:
            self.webhook_token = self.webhook_token or secrets.token_urlsafe(32)
            self.webhook_token_hash = hash_token(self.webhook_token)
            kwargs = _with_hash(kwargs)
        super().save(**kwargs)

    @property
    def identity(self) -> str:
        """Name whom a token belongs to: the same client at the same host for the same API."""
        whole = "\n".join((self.auth_url, self.audience, self.client_id))
        return hashlib.sha256(whole.encode()).hexdigest()

    @property
    def webhook_url(self) -> str:
        """Return the address to hand over. It holds the token: never log it."""
        return f"{settings.PUBLIC_URL}{RECEIVER_PATH}?token={quote(self.webhook_token, safe='')}"

    def note_webhook_use(self, slot: Slot, *, at: datetime) -> None:
        """Remember when a token was last seen at work, so that a rotation can be watched."""
        field = "webhook_token_used_at" if slot == Slot.CURRENT else "previous_used_at"
        Connection.objects.filter(pk=self.pk).update(**{field: at})

    def pause(self) -> None:
        """Send and read nothing any more; events are stored, and read after `resume`."""
        self._set_state(self.State.PAUSED)

    def resume(self) -> None:
        self._set_state(self.State.ACTIVE)

    def retire(self) -> None:
        """Keep the connection for its history and delete its credentials. Cannot be undone."""
        self.client_secret = self.previous_client_secret = self.webhook_token = ""
        self.webhook_token_hash = ""
        self.revoke_previous_webhook_token()
        self.state = self.State.RETIRED
        with transaction.atomic():
            self.tokens.all().delete()
            PosIdentity.objects.filter(connection=self).update(api_key="")
            self.save()

    def _set_state(self, state: "Connection.State") -> None:
        if self.state != self.State.RETIRED:
            self.state = state
            self.save(update_fields=["state", "updated_at"])

    def set_webhook_token(self, token: str = "") -> None:
        """Put a token in place without an overlap; without an argument, a random one."""
        self.webhook_token = token or secrets.token_urlsafe(32)
        self.webhook_token_hash = hash_token(self.webhook_token)
        self.webhook_token_used_at = None

    def rotate_webhook_token(self, token: str = "", *, now: datetime | None = None) -> None:
        """Put a new token in place; the old one goes on working for `OVERLAP`."""
        self.previous_webhook_token_hash = self.webhook_token_hash
        self.previous_used_at = self.webhook_token_used_at
        self.previous_expires_at = (now or timezone.now()) + OVERLAP
        self.set_webhook_token(token)

    def revoke_previous_webhook_token(self) -> None:
        self.previous_webhook_token_hash = ""
        self.previous_expires_at = self.previous_used_at = None

    def set_client_secret(self, secret: str) -> None:
        """Take a new secret; it is tried when the token has expired, never earlier."""
        stored = self._stored_secret()
        if stored and stored != secret:
            self.previous_client_secret = stored
        self.client_secret = secret

    def move(self, *, secret: str) -> None:
        """Go to other addresses with the secret that was typed for them.

        The one from before does not go along, and the key that was given for it neither.
        """
        if self._stored_secret() != secret:
            self.tokens.all().delete()
        self.client_secret, self.previous_client_secret = secret, ""

    def _stored_secret(self) -> str:
        try:
            return self.client_secret if self.pk else ""
        except DecryptionFailed:  # its key is gone: nothing to fall back to
            return ""


def _with_hash(kwargs: dict[str, Any]) -> dict[str, Any]:
    fields = kwargs.get("update_fields")
    if fields is None or "webhook_token" not in fields:
        return kwargs
    return kwargs | {"update_fields": {*fields, "webhook_token_hash"}}


class PosIdentityManager(models.Manager["PosIdentity"]):
    """Defers the key until it is used."""

    def get_queryset(self) -> models.QuerySet["PosIdentity"]:
        return super().get_queryset().defer("api_key")

    def of(self, connection: int | None) -> "PosIdentity":
        """Return the identity of a connection, or raise `NotConfigured`. One query."""
        found = self.filter(connection=connection).first()
        if found is None:
            raise NotConfigured()
        return found


class PosIdentity(models.Model):
    """Who we are to the point-of-sale API: one identity per connection."""

    # Empty only as long as there is no connection at all.
    connection = models.OneToOneField(
        Connection,
        models.PROTECT,
        null=True,
        editable=False,
        related_name="pos_identity",
        verbose_name=_("connection"),
    )
    base_url = models.URLField(_("point-of-sale API address"))
    api_key = EncryptedTextField(_("API key"))
    uuid = models.UUIDField(
        _("identifier"), help_text=_("Returned by a previous call of the point-of-sale API.")
    )
    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    objects = PosIdentityManager()

    class Meta:
        verbose_name = _("point-of-sale identity")
        verbose_name_plural = _("point-of-sale identities")

    def __str__(self) -> str:
        return str(self.uuid)


def last_four(secret: str) -> str:
    """Return what a page may show of a secret: too short a one shows nothing."""
    return secret[-4:] if len(secret) >= 12 else ""

"""The access token, one encrypted row shared by all processes, and the log of token requests."""

from datetime import datetime, timedelta

from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from lib.encryption import EncryptedTextField
from partner.models.connection import Connection

# A service whose sign-in fails for a moment refuses valid tokens too: they are tried once a minute.
SUSPECT_FOR = timedelta(minutes=1)
# 401s in a row, with a valid token and no success between, that cast doubt on the token.
SUSPECT_AFTER = 5
LONGEST_PATH = 300


class TokenManager(models.Manager["Token"]):
    """Defers the token itself: screens only show its age."""

    def get_queryset(self) -> models.QuerySet["Token"]:
        return super().get_queryset().defer("access_token")

    def of(self, connection: Connection) -> "Token":
        """Return the row of this client at this host, making it if it is missing."""
        row, _made = self.get_or_create(connection=connection, identity=connection.identity)
        return row


class Token(models.Model):
    """The token of one client, its validity, and the lease of the process that renews it.

    Keyed by identity: a client id that is changed and changed back finds its token again,
    which is still valid and must not be requested twice.
    """

    connection = models.ForeignKey(Connection, on_delete=models.CASCADE, related_name="tokens")
    identity = models.CharField(max_length=64)

    access_token = EncryptedTextField(default="", blank=True)
    scopes = models.TextField(default="", blank=True)
    requested_at = models.DateTimeField(null=True)
    # Used until then: counted from the sending of the request, when it may have been issued.
    usable_until = models.DateTimeField(null=True)
    # Replaced only from then on: counted from the answer, when it was certainly issued.
    renew_from = models.DateTimeField(null=True)
    # The same two on the clock that no one sets, valid while the machine has not restarted.
    boot_id = models.CharField(max_length=64, default="", blank=True)
    usable_until_uptime = models.FloatField(null=True)
    renew_from_uptime = models.FloatField(null=True)

    # The lease of the one process that requests a token.
    lease_owner = models.CharField(max_length=32, default="", blank=True)
    lease_until = models.DateTimeField(null=True)

    # Failed token requests: how many in a row, whether refused, when the next is allowed.
    failures = models.PositiveIntegerField(default=0)
    is_refused = models.BooleanField(default=False)
    refused_fingerprint = models.CharField(max_length=64, default="", blank=True)
    paused_until = models.DateTimeField(null=True)
    last_error = models.CharField(max_length=200, default="", blank=True)

    # A valid token that is refused everywhere was revoked over there.
    unauthorised_in_a_row = models.PositiveIntegerField(default=0)
    known_good_path = models.CharField(max_length=LONGEST_PATH, default="", blank=True)
    suspect_since = models.DateTimeField(null=True)

    objects = TokenManager()

    class Meta:
        verbose_name = _("access token")
        verbose_name_plural = _("access tokens")
        constraints = [
            models.UniqueConstraint(fields=["connection", "identity"], name="partner_one_token"),
        ]

    def __str__(self) -> str:
        return f"token of connection {self.connection_id}"

    @property
    def granted(self) -> frozenset[str]:
        return frozenset(self.scopes.split())

    def is_suspect(self, *, now: datetime) -> bool:
        """Refused everywhere within the last minute. After that it is tried again."""
        since = self.suspect_since
        return since is not None and since <= now < since + SUSPECT_FOR

    def is_under_suspicion(self, *, now: datetime) -> bool:
        """Refused everywhere, and not accepted since. It lasts until a call works or it ends."""
        return self.suspect_since is not None and not self.has_ended(now=now)

    def has_ended(self, *, now: datetime) -> bool:
        return self.renew_from is not None and self.renew_from <= now

    @property
    def was_never_accepted(self) -> bool:
        """Refused from its first call: the key is wrong, or each identifier that was used."""
        return not self.known_good_path and self.unauthorised_in_a_row >= SUSPECT_AFTER

    def end(self, *, now: datetime) -> None:
        """Let it end now, for every process."""
        with transaction.atomic():
            same = Token.objects.filter(pk=self.pk, requested_at=self.requested_at)
            ended = same.update(
                usable_until=now, renew_from=now, usable_until_uptime=None, renew_from_uptime=None
            )
            if ended:
                Connection.objects.filter(pk=self.connection_id).update(updated_at=timezone.now())

    def give_up(self) -> None:
        """Drop the validity of the present token, so that the next call requests another.

        Every process sees by the connection's last change that its own copy is over too.
        """
        with transaction.atomic():
            Token.objects.filter(pk=self.pk).update(
                usable_until=None,
                renew_from=None,
                usable_until_uptime=None,
                renew_from_uptime=None,
                suspect_since=None,
                paused_until=None,
                unauthorised_in_a_row=0,
            )
            Connection.objects.filter(pk=self.connection_id).update(updated_at=timezone.now())


class TokenRequest(models.Model):
    """One request for a token, stored before it is sent.

    A row that stays UNANSWERED is a request whose answer was never stored: the next one may come
    too early, and is therefore counted and shown.
    """

    class Outcome(models.TextChoices):
        UNANSWERED = "asked", _("no answer stored")
        ISSUED = "issued", _("issued")
        REFUSED = "refused", _("refused")
        FAILED = "failed", _("failed")

    connection = models.ForeignKey(
        Connection, on_delete=models.CASCADE, related_name="token_requests"
    )
    identity = models.CharField(max_length=64)
    requested_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=8, choices=Outcome, default=Outcome.UNANSWERED)
    status = models.PositiveSmallIntegerField(null=True)
    # Sent although an earlier token may still have been valid (lost answer, or by order).
    is_forced = models.BooleanField(default=False)

    class Meta:
        verbose_name = _("token request")
        verbose_name_plural = _("token requests")
        indexes = [models.Index(fields=["connection", "identity", "-requested_at"])]

    def __str__(self) -> str:
        return f"{self.requested_at:%Y-%m-%d %H:%M:%S} {self.outcome}"

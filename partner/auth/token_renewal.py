"""Token renewal by the one process that holds the lease, with its outcome and pauses."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

from lib.encryption import DecryptionFailed
from partner.auth.token_host import LIFETIME, ClientCredentials, Granted, TokenFault
from partner.clock import Clock
from partner.errors import CredentialsRefused, NotConfigured, NotSent, PartnerError
from partner.http.addresses import AddressRefused
from partner.models import Connection, Token, TokenRequest

logger = logging.getLogger(__name__)

# Longer than the token request can take (3 s to connect, 10 s to answer).
LEASE = timedelta(seconds=30)
# Clocks drift apart by parts in a million: over a token's life, by less than this.
GRACE = timedelta(seconds=1)
# How long to leave a host alone that refused our credentials; the last one repeats.
REFUSED_PAUSES = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 15, 60))
TROUBLE_PAUSE_CAP = timedelta(minutes=5)

RequestToken = Callable[[ClientCredentials], Granted]


def credentials_of(connection: Connection, *, secret: str = "") -> ClientCredentials:
    """Return what is posted to the token host; raise when the secret cannot be opened."""
    try:
        secret = secret or connection.client_secret
    except DecryptionFailed:
        raise NotConfigured(code="KEY_MISSING") from None
    return ClientCredentials(connection.auth_url, connection.audience, connection.client_id, secret)


class Renewal:
    """One renewal under one lease. `row` is the token's row as it was when the lease was won."""

    def __init__(
        self, connection: Connection, row: Token, *, owner: str, now: datetime, clock: Clock
    ) -> None:
        self._connection = connection
        self._row = row
        self._mine = Token.objects.filter(pk=row.pk, lease_owner=owner)
        self._now = now
        self._clock = clock

    def run(self, request_token: RequestToken) -> None:
        """Store a new token, or store the pause and raise why there is none."""
        try:
            self._refuse_while_lost()
            self._request_with(credentials_of(self._connection), request_token=request_token)
        except TokenFault as fault:
            self._fall_back(fault, request_token=request_token)
        except AddressRefused:
            self._mine.update(lease_until=None)
            raise NotConfigured(code="ADDRESS_REFUSED") from None
        except PartnerError:
            self._mine.update(lease_until=None)
            raise
        else:
            Connection.objects.filter(pk=self._connection.pk).update(previous_client_secret="")

    def _fall_back(self, fault: TokenFault, *, request_token: RequestToken) -> None:
        """Try the secret before this one: a new one may be mistyped, or not yet in force."""
        previous = self._previous_secret() if fault.is_refusal else ""
        if not previous:
            raise self._pause(fault) from fault
        logger.warning("new client secret refused, trying the previous one")
        try:
            self._request_with(
                credentials_of(self._connection, secret=previous), request_token=request_token
            )
        except TokenFault as again:
            raise self._pause(again) from again

    def _previous_secret(self) -> str:
        """One that no key opens any more is none: the host would get a request each half minute."""
        try:
            return self._connection.previous_client_secret
        except DecryptionFailed:
            return ""

    def _refuse_while_lost(self) -> None:
        """Wait for a lost token's end, where the connection says so."""
        lost = self._lost_request()
        if lost and self._connection.wait_for_lost_token:
            wait = lost.requested_at + timedelta(seconds=LIFETIME) + GRACE - self._now
            raise NotSent(retry_after=wait.total_seconds(), code="TOKEN_LOST")

    def _lost_request(self) -> TokenRequest | None:
        """Return the last token request, if its answer was never stored and may still be valid."""
        requests = TokenRequest.objects.filter(
            connection=self._connection, identity=self._row.identity
        )
        last = requests.order_by("-requested_at", "-pk").first()
        since = self._now - timedelta(seconds=LIFETIME)
        is_lost = (
            last and last.outcome == TokenRequest.Outcome.UNANSWERED and last.requested_at > since
        )
        return last if is_lost else None

    def _is_forced(self) -> bool:
        """Say whether a token may still be valid over there: one lost, or one given up."""
        row = self._row
        given_up = bool(row.scopes) and row.renew_from is None
        unreadable = row.renew_from is not None and self._now < row.renew_from
        return given_up or unreadable or self._lost_request() is not None

    def _request_with(self, credentials: ClientCredentials, *, request_token: RequestToken) -> None:
        # Stored before it is sent: after a crash the next request is known to be a second one.
        journal = TokenRequest.objects.create(
            connection=self._connection,
            identity=self._row.identity,
            requested_at=self._now,
            is_forced=self._is_forced(),
        )
        started = self._clock.uptime()
        try:
            granted = request_token(credentials)
        except TokenFault as fault:
            self._settle(journal, status=fault.status, outcome=_outcome(fault))
            raise
        except AddressRefused:
            self._settle(journal, status=None, outcome=TokenRequest.Outcome.FAILED)
            raise
        self._store(granted, started=started)
        self._settle(journal, status=200, outcome=TokenRequest.Outcome.ISSUED)

    def _store(self, granted: Granted, *, started: float) -> None:
        took = timedelta(seconds=self._clock.uptime() - started)
        lifetime = timedelta(seconds=granted.expires_in)
        renew_after = took + lifetime + GRACE
        self._mine.update(
            access_token=granted.access_token,
            scopes=granted.scopes,
            requested_at=self._now,
            usable_until=self._now + lifetime,
            renew_from=self._now + renew_after,
            boot_id=self._clock.boot_id,
            usable_until_uptime=started + lifetime.total_seconds(),
            renew_from_uptime=started + renew_after.total_seconds(),
            lease_until=None,
            failures=0,
            is_refused=False,
            paused_until=None,
            last_error="",
            unauthorised_in_a_row=0,
            known_good_path="",
            suspect_since=None,
        )
        logger.info("token issued", extra={"connection": self._connection.pk})

    def _settle(self, journal: TokenRequest, *, status: int | None, outcome: str) -> None:
        journal.status, journal.outcome = status, outcome
        journal.answered_at = self._clock.now()
        journal.save(update_fields=["status", "outcome", "answered_at"])

    def _pause(self, fault: TokenFault) -> PartnerError:
        """Store how long the host gets no request; return the error for the caller."""
        failures = self._row.failures
        pause = min(timedelta(seconds=2 ** min(failures + 1, 9)), TROUBLE_PAUSE_CAP)
        if fault.is_refusal:
            pause = REFUSED_PAUSES[min(failures, len(REFUSED_PAUSES) - 1)]
        pause = max(pause, timedelta(seconds=fault.retry_after))
        until = self._now + pause
        self._mine.update(
            lease_until=None,
            failures=failures + 1,
            is_refused=fault.is_refusal,
            refused_fingerprint=credentials_of(self._connection).fingerprint,
            paused_until=until,
            last_error=fault.code,
        )
        logger.warning("no token", extra={"status": fault.status, "code": fault.code})
        if fault.is_refusal:
            return CredentialsRefused(pause_until=until, status=fault.status, code=fault.code)
        return NotSent(retry_after=pause.total_seconds(), code="TOKEN_HOST_DOWN")


def _outcome(fault: TokenFault) -> str:
    if fault.is_refusal:
        return TokenRequest.Outcome.REFUSED
    return TokenRequest.Outcome.UNANSWERED if fault.is_lost else TokenRequest.Outcome.FAILED

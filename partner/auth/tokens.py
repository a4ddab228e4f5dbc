"""The access token, shared by all processes: never requested early, never by two at once.

The row decides (`partner.models.Token`). A process caches the token until its end and then reads
the row. The first process to take the lease requests a new token; the others poll the row. A
token is *used* until the moment of the request plus its lifetime and *replaced* only after the
moment of the answer plus its lifetime: whichever instant the host counts from, it is neither used
too long nor requested too early. In between callers wait.
"""

import logging
import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import DateTimeField, F, Q
from django.db.models.functions import Now

from lib.encryption import DecryptionFailed
from partner.auth.token_host import LIFETIME, ClientCredentials, Granted
from partner.auth.token_renewal import LEASE, Renewal, credentials_of
from partner.clock import Clock, held
from partner.errors import AuthSuspect, Busy, CredentialsRefused, NotSent
from partner.models import Connection, Token
from partner.models.token import SUSPECT_FOR

logger = logging.getLogger(__name__)

# A 401 this close to the end may be the end, by the same drift.
MARGIN = 2.0
POLL = 0.05
# Machines may disagree on the time by this much without anyone having set a clock.
SKEW = timedelta(minutes=1)
# No pause is longer than this: one that is, was written by a clock that has been set back.
PAUSE_CAP = timedelta(hours=2)
# The longest that a token lives by the contract, from its request: that took a minute at most.
CONTRACT_LIFETIME = timedelta(seconds=LIFETIME) + SKEW


@dataclass(frozen=True, slots=True)
class CachedToken:
    """A token in this process's memory; instants on this machine's uptime."""

    access_token: str = field(repr=False)
    usable_until: float
    renew_from: float
    # The last change of the connection that was known before the row was read.
    as_of: datetime


def take_on_trust(token: str) -> None:
    """Prove nothing: for callers that make no call of their own."""


class TokenLease:
    def __init__(
        self,
        connection: Connection,
        *,
        request_token: Callable[[ClientCredentials], Granted],
        clock: Clock,
    ) -> None:
        self._connection = connection
        self._request_token = request_token
        self._clock = clock
        self._lock = threading.Lock()
        self._cached: CachedToken | None = None
        self._on_trial = ""

    def bearer(
        self,
        *,
        give_up_at: float,
        refused: str = "",
        prove: Callable[[str], None] = take_on_trust,
    ) -> str:
        """Return a token to use now, waiting for one until `give_up_at` (uptime).

        `refused` is a token that the partner just turned away as expired. `prove` raises unless a
        token that was refused everywhere is accepted again.
        """
        if cached := self._from_memory(refused=refused):
            return cached.access_token
        # Of this process's threads one goes to the row; the rest wait for it here.
        with held(self._lock, clock=self._clock, give_up_at=give_up_at, retry_after=POLL):
            cached = self._from_memory(refused=refused)
            if cached is None:
                self._cached = None
                cached = self._obtain(give_up_at=give_up_at, refused=refused, prove=prove)
                self._cached = cached
            return cached.access_token

    def follow(self, connection: Connection) -> None:
        """Take over the credentials as they are now.

        After a change the row is read again: it holds the same token, unless an admin gave it up.
        """
        self._connection = connection

    def drop_cached(self) -> None:
        """Read the row again at the next call."""
        self._cached = None

    def may_have_expired(self, token: str) -> bool:
        """Say whether a 401 for `token` is worth one more try with another token.

        It is when the token was about to end, or when the row holds another one already, or none.
        """
        cached = self._cached
        if cached and cached.access_token != token:
            return True
        if cached and self._is_ending(cached):
            return True
        # Another process may have renewed it; and memory is empty while a thread of ours does.
        cached = self._read_row()
        return cached is None or cached.access_token != token or self._is_ending(cached)

    def is_current(self, token: str) -> bool:
        """Say whether `bearer` would return this token now, or is having it proved."""
        if token == self._on_trial:
            return True
        cached = self._from_memory(refused="")
        return cached is not None and cached.access_token == token

    def _is_ending(self, cached: CachedToken) -> bool:
        return self._clock.uptime() >= cached.usable_until - MARGIN

    def _from_memory(self, *, refused: str) -> CachedToken | None:
        cached = self._cached
        if cached is None or cached.as_of != self._connection.updated_at:
            return None
        return cached if self._is_usable(cached, refused=refused) else None

    def _is_usable(self, cached: CachedToken, *, refused: str) -> bool:
        return cached.access_token != refused and self._clock.uptime() < cached.usable_until

    def _read_row(self) -> CachedToken | None:
        row = self._load()
        return self._from_row(row, now=self._db_now(row))

    # --- The row ----------------------------------------------------------------------------

    def _obtain(
        self, *, give_up_at: float, refused: str, prove: Callable[[str], None]
    ) -> CachedToken:
        while True:
            row = self._load()
            now = self._db_now(row)
            if self._has_outlived_the_contract(row, now=now):
                row.end(now=now)
                continue
            self._refuse_while_paused(row, now=now)
            cached = self._from_row(row, now=now)
            if cached and self._is_usable(cached, refused=refused):
                if row.suspect_since is not None:
                    self._try(row, cached.access_token, now=now, prove=prove)
                return cached
            if cached and self._clock.uptime() < cached.renew_from:
                self._wait(cached.renew_from - self._clock.uptime(), give_up_at=give_up_at)
            elif owner := self._take_lease(row, now=now):
                return self._renew(row, owner=owner, now=now)
            else:
                self._wait(POLL, give_up_at=give_up_at)

    def _load(self) -> Token:
        connection = self._connection
        Token.objects.of(connection)
        rows = Token.objects.filter(connection=connection, identity=connection.identity)
        row = rows.annotate(db_now=Now(output_field=DateTimeField())).get()
        row.connection = connection
        return row

    def _db_now(self, row: Token) -> datetime:
        """Return the instant that leases are compared with: the database's, for all machines."""
        return self._clock.now() if self._clock.epoch() is not None else row.db_now  # type: ignore[attr-defined]  # annotated by _load

    def _from_row(self, row: Token, *, now: datetime) -> CachedToken | None:
        token = self._open(row)
        if not token or row.usable_until is None or row.renew_from is None:
            return None
        as_of = row.connection.updated_at
        uptime = self._clock.uptime()
        if row.boot_id and row.boot_id == self._clock.boot_id:
            ends = row.usable_until_uptime or 0.0, row.renew_from_uptime or 0.0
            return CachedToken(token, *ends, as_of)
        # Another machine, or this one before its restart: only the system clock is common.
        back = self._set_back(row, now=now)
        return CachedToken(
            token,
            uptime + (row.usable_until - back - now).total_seconds(),
            uptime + (row.renew_from - back - now).total_seconds(),
            as_of,
        )

    def _set_back(self, row: Token, *, now: datetime) -> timedelta:
        """Return how far the clock was set back since the token was requested.

        Its age is then unknown: it gets one lifetime from now on, and no more at the next
        restart, for the row is corrected.
        """
        requested_at = row.requested_at
        if requested_at is None or requested_at <= now + SKEW:
            return timedelta(0)
        back = requested_at - now
        Token.objects.filter(pk=row.pk, requested_at=requested_at).update(
            requested_at=now,
            usable_until=F("usable_until") - back,
            renew_from=F("renew_from") - back,
        )
        return back

    def _open(self, row: Token) -> str:
        try:
            return row.access_token
        except DecryptionFailed:
            logger.warning("stored token cannot be opened", extra={"connection": row.connection_id})
            return ""

    def _refuse_while_paused(self, row: Token, *, now: datetime) -> None:
        if row.is_suspect(now=now) and row.renew_from and now < row.renew_from:
            ends = min((row.suspect_since or now) + SUSPECT_FOR, row.renew_from)
            raise AuthSuspect(retry_after=(ends - now).total_seconds())
        if not row.paused_until or not now < row.paused_until < now + PAUSE_CAP:
            return
        if not row.is_refused:
            wait = (row.paused_until - now).total_seconds()
            raise NotSent(retry_after=wait, code="TOKEN_HOST_DOWN")
        # Other credentials than the refused ones may be tried at once.
        if row.refused_fingerprint == credentials_of(self._connection).fingerprint:
            raise CredentialsRefused(pause_until=row.paused_until, code=row.last_error)

    def _has_outlived_the_contract(self, row: Token, *, now: datetime) -> bool:
        """Whether it is refused everywhere, and older than the contract lets any token become.

        Its host stated a longer life, or one in another unit: by the contract it has expired.
        """
        if row.suspect_since is None or row.has_ended(now=now):
            return False
        if row.requested_at is None or row.usable_until is None:
            return False
        age = now - row.requested_at
        if row.boot_id and row.boot_id == self._clock.boot_id:
            left = (row.usable_until_uptime or 0.0) - self._clock.uptime()
            age = row.usable_until - row.requested_at - timedelta(seconds=left)
        return age > CONTRACT_LIFETIME

    def _try(self, row: Token, token: str, *, now: datetime, prove: Callable[[str], None]) -> None:
        """End the suspicion by one call of one caller. All others wait for another minute."""
        mine = Token.objects.filter(pk=row.pk, suspect_since=row.suspect_since)
        if not mine.update(suspect_since=now):
            raise AuthSuspect(retry_after=SUSPECT_FOR.total_seconds())
        self._on_trial = token
        try:
            prove(token)
        finally:
            self._on_trial = ""
        Token.objects.filter(pk=row.pk).update(suspect_since=None, unauthorised_in_a_row=0)

    def _take_lease(self, row: Token, *, now: datetime) -> str:
        """Take the lease by one conditional update; return our name, or "" if we lost."""
        owner = uuid.uuid4().hex
        free = Q(lease_until=None) | Q(lease_until__lt=now) | Q(lease_until__gt=now + 2 * LEASE)
        unchanged = {"pk": row.pk, "renew_from": row.renew_from, "failures": row.failures}
        won = Token.objects.filter(free, **unchanged).update(
            lease_owner=owner, lease_until=now + LEASE
        )
        return owner if won else ""

    def _wait(self, seconds: float, *, give_up_at: float) -> None:
        left = give_up_at - self._clock.uptime()
        if left <= 0 or seconds > left:
            raise Busy(retry_after=seconds)
        self._clock.sleep(seconds)

    def _renew(self, row: Token, *, owner: str, now: datetime) -> CachedToken:
        renewal = Renewal(self._connection, row, owner=owner, now=now, clock=self._clock)
        renewal.run(self._request_token)
        fresh = self._load()
        cached = self._from_row(fresh, now=self._db_now(fresh))
        if cached is None:  # the lease outlived its time and someone cleared the row
            raise NotSent(code="TOKEN_HOST_DOWN")
        return cached

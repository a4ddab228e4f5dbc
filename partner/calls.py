"""One API call: token, permit, request, error handling and retries.

Reads are retried until the timeout of their priority; writes never are, except after a 401 of an
expired token, which the partner certainly did not carry out.
"""

import logging
import random
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from django.db.models import F, QuerySet

from partner.auth.tokens import TokenLease
from partner.clock import held
from partner.endpoints import ENDPOINTS
from partner.errors import (
    Ambiguous,
    AuthSuspect,
    Busy,
    Malformed,
    MissingScope,
    NotConfigured,
    NotOurs,
    NotSent,
    PartnerError,
    Retryable,
    Throttled,
    Unavailable,
)
from partner.http import protocol
from partner.http.addresses import AddressRefused
from partner.http.protocol import Decoded, Request, Response
from partner.http.transport import (
    READ_TIMEOUT,
    Lost,
    NotConnected,
    PooledTransport,
    TooLarge,
    Transport,
)
from partner.http.user_agent import user_agent
from partner.limits.path_locks import PathLocks
from partner.limits.priorities import CallPriority
from partner.limits.throttle import Throttle
from partner.models import Connection, PosIdentity, Token
from partner.models.token import LONGEST_PATH, SUSPECT_AFTER, SUSPECT_FOR

logger = logging.getLogger(__name__)
T = TypeVar("T")

ATTEMPTS = 3
# Seconds behind its patience after which a write is not sent any more: this process stood still,
# and whoever took its work over may have looked already whether it was done.
STOOD_STILL = 2.0
BACKOFF = 0.25
BACKOFF_CAP = 5.0
# Reads whose path may be stored as the one that is known to work: they name no person.
PROBE_READS = frozenset({"list_reservations", "list_customers", "list_reviews", "get_reservation"})
# What such a read is about, and of how many a process remembers one: of a place that is no longer
# the client's every read is refused, whatever the token.
PLACE = re.compile(r"(?:restaurantUuid|groupUuid)=[^&]+")
MOST_PLACES = 3


class TokenEnded(Busy):
    """The permit came after the end of the token: nothing was sent."""


@dataclass
class ConnectionState:
    """What a process holds in memory for one connection: sockets, the token, permits."""

    transport: Transport
    tokens: TokenLease
    throttle: Throttle
    path_locks: PathLocks
    # Whether this process has seen the token refused, and for which token a probe read is known.
    is_doubtful: bool = False
    probe_token: str = field(default="", repr=False)
    # The last reads that worked, by their place; also those of the token before.
    good_reads: dict[str, str] = field(default_factory=dict)
    doubts: threading.Lock = field(default_factory=threading.Lock, repr=False)
    # What a token was refused for (403): operation → that token.
    forbidden: dict[str, str] = field(default_factory=dict, repr=False)

    @classmethod
    def build(cls, connection: Connection, *, transport: Transport) -> "ConnectionState":
        clock = transport.clock
        return cls(
            transport=transport,
            tokens=TokenLease(connection, request_token=transport.request_token, clock=clock),
            throttle=Throttle(connection, clock=clock),
            path_locks=PathLocks(clock),
        )


_states: dict[tuple[int, str], ConnectionState] = {}
_states_lock = threading.Lock()
_shared = PooledTransport()


def connection_state(connection: Connection) -> ConnectionState:
    """Return this process's state of `connection`, built at the first call."""
    key = (connection.pk, connection.identity)
    state = _states.get(key)
    if state is None:
        with _states_lock:
            state = _states.get(key) or ConnectionState.build(connection, transport=_shared)
            _states[key] = state
    state.throttle.follow(connection)
    state.tokens.follow(connection)
    return state


def set_state(connection: Connection, state: ConnectionState) -> None:
    """Use `state` for all further calls of this process to `connection`. For tests."""
    _states[(connection.pk, connection.identity)] = state


def clear_states() -> None:
    """Drop tokens and permits from memory, as a restart would."""
    _states.clear()


class Calls:
    """Calls to one connection with one priority."""

    def __init__(
        self, connection: Connection, *, priority: CallPriority, state: ConnectionState
    ) -> None:
        self.priority = priority
        self._connection = connection
        self._state = state
        self._clock = state.transport.clock
        self._base_url = connection.base_url

    def call(self, request: Request, *, read: Callable[[Decoded], T]) -> T:
        """Return what `read` makes of a good answer, or raise the one `PartnerError` to act on."""
        give_up_at = self._clock.uptime() + self.priority.patience
        attempt = 1
        while True:
            try:
                return self._authorised(request, read=read, give_up_at=give_up_at)
            except (Unavailable, Throttled) as fault:
                pause = pause_before(attempt, fault=fault)
                is_last = attempt == ATTEMPTS or self._clock.uptime() + pause > give_up_at
                if request.is_write or is_last:
                    raise
            self._clock.sleep(pause)
            attempt += 1

    def authorise(self) -> None:
        """Get a token into memory, or raise why there is none."""
        self._bearer(give_up_at=self._clock.uptime() + self.priority.patience)

    def call_pos(self, request: Request, *, identity: PosIdentity) -> Decoded:
        """Make a call to the point-of-sale API: its own host and key, no token, no throttle."""
        headers = _headers(request) | {"X-Api-Key": identity.api_key}
        response = self._exchange(
            identity.base_url, request, headers=headers, read_timeout=READ_TIMEOUT
        )
        return protocol.decipher(request, response)

    # --- With a token -----------------------------------------------------------------------

    def _authorised(
        self, request: Request, *, read: Callable[[Decoded], T], give_up_at: float
    ) -> T:
        tokens = self._state.tokens
        token = self._bearer(give_up_at=give_up_at)
        try:
            return self._once(request, read=read, token=token, give_up_at=give_up_at)
        except TokenEnded:
            refused = ""
        except NotOurs:
            if tokens.may_have_expired(token):
                refused = token
            elif self._doubt(token, give_up_at=give_up_at):
                # The token works: what is refused once more is refused for its own sake.
                return self._once(request, read=read, token=token, give_up_at=give_up_at)
            else:
                raise
        # The contract's rule: an expired token is renewed once and the call repeated once.
        token = self._bearer(give_up_at=give_up_at, refused=refused)
        return self._once(request, read=read, token=token, give_up_at=give_up_at)

    def _bearer(self, *, give_up_at: float, refused: str = "") -> str:
        prove = partial(self._prove, give_up_at=give_up_at)
        return self._state.tokens.bearer(give_up_at=give_up_at, refused=refused, prove=prove)

    def _once(
        self, request: Request, *, read: Callable[[Decoded], T], token: str, give_up_at: float
    ) -> T:
        self._refuse_forbidden(request, token=token)
        if request.is_write:
            return self._request(request, read=read, token=token, give_up_at=give_up_at)
        path_locks = self._state.path_locks
        with path_locks.hold(request.path, give_up_at=give_up_at):
            try:
                return self._request(request, read=read, token=token, give_up_at=give_up_at)
            except (Unavailable, Throttled) as fault:
                path_locks.cool_down(
                    request.path, max(BACKOFF, fault.retry_after * fault.has_retry_after)
                )
                raise

    def _request(
        self, request: Request, *, read: Callable[[Decoded], T], token: str, give_up_at: float
    ) -> T:
        """Send once with a permit, and read the answer."""
        self._state.throttle.take(self.priority, give_up_at=give_up_at, of=request.endpoint)
        if not self._state.tokens.is_current(token):
            raise TokenEnded()
        # Others were refused while this one waited: at a slow pace that is a minute's calls.
        self._refuse_forbidden(request, token=token)
        left = give_up_at - self._clock.uptime()
        if request.is_write and left < -STOOD_STILL:
            raise Busy(**protocol.facts_of(request))
        # A write always gets the full time: giving up on it early is how one is made ambiguous.
        read_timeout = READ_TIMEOUT if request.is_write else max(0.5, min(READ_TIMEOUT, left))
        response = self._send(request, token=token, read_timeout=read_timeout)
        try:
            answer = read(protocol.decipher(request, response))
        except Throttled:
            self._state.throttle.slow_down(retry_after=protocol.retry_after(response))
            raise
        except MissingScope:
            if request.operation in ENDPOINTS:  # not an operator's own GET
                self._state.forbidden[request.operation] = token
            raise
        except (Malformed, Ambiguous):
            if response.status < 300:
                self._state.throttle.note_odd(request.path, of=request.endpoint)
            raise
        self._state.throttle.note_answer(of=request.endpoint)
        self._trust(request, token=token)
        return answer

    def _refuse_forbidden(self, request: Request, *, token: str) -> None:
        """Raise a remembered 403 without a request: the contract forbids repeating it."""
        if self._state.forbidden.get(request.operation) == token:
            scopes = ENDPOINTS[request.operation].scopes
            raise MissingScope(status=403, scopes=scopes, **protocol.facts_of(request))

    def _send(self, request: Request, *, token: str, read_timeout: float) -> Response:
        headers = _headers(request) | {"Authorization": f"Bearer {token}"}
        throttle = self._state.throttle
        try:
            response = self._exchange(
                self._base_url, request, headers=headers, read_timeout=read_timeout
            )
        except (NotSent, Unavailable, Ambiguous):
            throttle.note_fault()
            raise
        if response.status == 503:
            throttle.note_fault()
        elif response.status >= 300:  # what a good status brings is judged by its reader
            throttle.note_answer()
        return response

    def _exchange(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response:
        """Send, and raise network faults by whether the call may have happened."""
        facts = protocol.facts_of(request)
        try:
            return self._state.transport.send(
                base_url, request, headers=headers, read_timeout=read_timeout
            )
        except AddressRefused:
            raise NotConfigured(code="ADDRESS_REFUSED") from None
        except NotConnected as fault:
            kind = NotSent if request.is_write else Unavailable
            raise kind(**facts) from fault
        except Lost as fault:
            raise (Ambiguous if request.is_write else Unavailable)(**facts) from fault
        except TooLarge:
            raise protocol.unreadable(request, status=200) from None

    # --- Is the token still valid? ----------------------------------------------------------

    def _trust(self, request: Request, *, token: str) -> None:
        """Note that the token works; remember one read that works, once per token."""
        state = self._state
        if state.is_doubtful:
            state.is_doubtful = False
            self._row().update(unauthorised_in_a_row=0)
        if request.operation not in PROBE_READS or len(request.path) > LONGEST_PATH:
            return
        place = PLACE.search(request.path)
        state.good_reads[place.group() if place else request.operation] = request.path
        for oldest in list(state.good_reads)[:-MOST_PLACES]:
            state.good_reads.pop(oldest, None)
        if state.probe_token != token:
            state.probe_token = token
            self._row().filter(known_good_path="").update(known_good_path=request.path)

    def _doubt(self, token: str, *, give_up_at: float) -> bool:
        """Count a 401 with a valid token, and check the token after a few (R24). Whether it works.

        One thread at a time, because each would hold a database connection while it waits.
        """
        with held(self._state.doubts, clock=self._clock, give_up_at=give_up_at):
            return self._check_token(token, give_up_at=give_up_at)

    def _check_token(self, token: str, *, give_up_at: float) -> bool:
        """After a few refusals in a row, or one that a person waits for, repeat a read that worked.

        A person's change would end as refused, for a reason that is not true of a revoked key.
        """
        self._state.is_doubtful = True
        self._row().update(unauthorised_in_a_row=F("unauthorised_in_a_row") + 1)
        row = self._row().get()
        if row.is_suspect(now=self._clock.now()):  # another thread or process has found out
            self._state.tokens.drop_cached()
            raise AuthSuspect()
        is_few = row.unauthorised_in_a_row < SUSPECT_AFTER and not self.priority.is_of_a_person
        paths = self._known_reads(row.known_good_path)
        if is_few or not paths:
            return False
        if not self._is_refused_everywhere(paths, token=token, until=give_up_at):
            self._row().update(unauthorised_in_a_row=0)
            return True
        self._row().update(suspect_since=self._clock.now())
        self._state.tokens.drop_cached()
        logger.error("valid token refused everywhere", extra={"connection": self._connection.pk})
        raise AuthSuspect()

    def _prove(self, token: str, *, give_up_at: float) -> None:
        """Raise unless the read that is known to work is answered with the suspected token."""
        path = self._row().values_list("known_good_path", flat=True).get()
        paths = self._known_reads(path) if path else []
        if paths and self._is_refused_everywhere(paths, token=token, until=give_up_at):
            raise AuthSuspect(retry_after=SUSPECT_FOR.total_seconds())

    def _known_reads(self, first: str) -> list[str]:
        """Reads that worked: the one that all processes know, and this one's own."""
        known = filter(None, (first, *reversed(self._state.good_reads.values())))
        return list(dict.fromkeys(known))[: MOST_PLACES + 1]

    def _is_refused_everywhere(self, paths: list[str], *, token: str, until: float) -> bool:
        """Whether all of these reads are refused. The first that is not is known to work from now.

        The one before may be of a place that is the client's no longer.
        """
        for path in paths:
            if not self._is_refused(path, token=token, until=until):
                self._row().exclude(known_good_path=path).update(known_good_path=path)
                return False
        return True

    def _is_refused(self, path: str, *, token: str, until: float) -> bool:
        """Whether the read is refused. An outage decides nothing, and is raised as one.

        Every call waits for this one, so it takes its permit before all of them.
        """
        safe = path.partition("?")[0]
        probe = Request("list_reservations", "GET", path, safe, is_key_check=True)
        first = Calls(self._connection, priority=CallPriority.PERSON, state=self._state)
        try:
            first._once(probe, read=bool, token=token, give_up_at=until)
        except Retryable:
            raise
        except PartnerError as error:
            return isinstance(error, NotOurs)
        return False

    def _row(self) -> QuerySet[Token]:
        return Token.objects.filter(connection=self._connection, identity=self._connection.identity)


def pause_before(attempt: int, *, fault: Unavailable | Throttled) -> float:
    """Return the seconds before the next attempt: Retry-After, or back-off with jitter.

    Never less than `BACKOFF`: an immediate repeat is no back-off. After a 429 the throttle
    holds everyone back, so nothing is added here.
    """
    if isinstance(fault, Throttled):
        return fault.retry_after if fault.has_retry_after else 0.0
    if fault.has_retry_after:
        return fault.retry_after
    spread = min(BACKOFF_CAP, BACKOFF * 2**attempt)
    return BACKOFF + random.uniform(0, spread)  # noqa: S311 - spreading load


def _headers(request: Request) -> dict[str, str]:
    headers = {
        "User-Agent": user_agent(),
        "Accept": "application/json",
        "Accept-Encoding": "gzip",
    }
    if request.body is not None:
        headers["Content-Type"] = request.content_type
    return headers

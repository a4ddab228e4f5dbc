"""Errors of API calls, sorted by what the caller can do about them.

An error prints itself without tokens and personal data; `sentence` and `next_step` are for
people, from the one table in `partner/wording/words.py`.
"""

from datetime import datetime
from typing import Any

from partner.wording import words


class PartnerError(Exception):
    """Anything the partner, the network or our own rules answered instead of data."""

    kind = "error"

    def __init__(
        self,
        *,
        method: str = "",
        path: str = "",
        status: int | None = None,
        code: str = "",
    ) -> None:
        super().__init__()
        self.method = method
        self.path = path
        self.status = status
        self.code = code

    def __str__(self) -> str:
        parts = (self.kind, self.method, self.path, self.status, self.code)
        return " ".join(str(part) for part in parts if part)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"

    @property
    def is_read(self) -> bool:
        return self.method in ("", "GET")

    @property
    def sentence(self) -> str:
        """Say in the reader's language what happened and what did not."""
        return words.sentence(self.code, kind=self.kind, is_read=self.is_read)

    @property
    def next_step(self) -> str:
        return words.next_step(self.code, kind=self.kind)

    @property
    def field(self) -> str:
        """Name the field that the partner did not accept, as we spell it, or ""."""
        return words.field_of(self.code)


class Retryable(PartnerError):
    """It did not happen and may be retried: 429, 500, 503, connection faults of reads."""

    kind = "unavailable"
    DEFAULT_RETRY_AFTER = 5.0

    def __init__(self, *, retry_after: float | None = None, **facts: Any) -> None:
        super().__init__(**facts)
        # Seconds to wait at least, and whether the partner sent them (Retry-After).
        self.has_retry_after = retry_after is not None
        self.retry_after = self.DEFAULT_RETRY_AFTER if retry_after is None else retry_after


class Throttled(Retryable):
    """429: the gateway turned it away before it reached the API, reads and writes alike."""

    kind = "throttled"


class Unavailable(Retryable):
    """A read failed in an outage: 503, no connection, no answer in time."""

    kind = "unavailable"


class ListChanged(Retryable):
    """A list changed under every listing of it, so nobody can say that it was seen whole."""

    kind = "shifting"


class NotSent(Retryable):
    """The request certainly was not sent: no connection, no permit, no token."""

    kind = "not_sent"


class CircuitOpen(NotSent):
    """The partner is down; one probe now and then is sent, everything else is refused here."""

    kind = "circuit_open"


class EndpointHeld(NotSent):
    """One endpoint answers with something else: its calls are refused here, no others."""

    kind = "foreign"


class Busy(NotSent):
    """No permit before the deadline: the pace is used up."""

    kind = "busy"


class AuthSuspect(NotSent):
    """A valid token is refused everywhere: nothing is sent until it may be replaced (R24)."""

    kind = "auth_suspect"


class Ambiguous(PartnerError):
    """A write that may have happened: read the state before a retry."""

    kind = "ambiguous"


class NotFound(PartnerError):
    kind = "not_found"


class NotOurs(PartnerError):
    """401 with a valid token: the restaurant, group or record is not this client's."""

    kind = "not_ours"


class MissingScope(PartnerError):
    """403: the token lacks every scope that this endpoint accepts."""

    kind = "missing_scope"

    def __init__(self, *, scopes: tuple[str, ...] = (), **facts: Any) -> None:
        super().__init__(**facts)
        self.scopes = scopes


class Conflict(PartnerError):
    """409: the partner's state says otherwise."""

    kind = "conflict"


class Refused(PartnerError):
    """400: a business rule, or a field that the partner did not accept."""

    kind = "refused"


class InvalidRequest(PartnerError):
    """Our own check failed, so nothing was sent."""

    kind = "invalid"

    def __init__(self, *, field: str, sentence: object, **facts: Any) -> None:
        # The code that the service would send, so that a form finds its field in the same way.
        super().__init__(**{"code": f"INVALID_{field.upper()}"} | facts)
        self._field = field
        self._sentence = sentence

    def __str__(self) -> str:
        return f"{self.kind} {self._field}"

    @property
    def sentence(self) -> str:
        return str(self._sentence)

    @property
    def field(self) -> str:
        return self._field


class Malformed(PartnerError):
    """The answer is not what the contract says. `body` holds its beginning, for an admin."""

    kind = "malformed"
    BODY_CAP = 2000

    def __init__(self, *, body: str = "", **facts: Any) -> None:
        super().__init__(**facts)
        self.body = body[: self.BODY_CAP]


class Foreign(Malformed):
    """A good status with an answer about something else than what was requested."""

    kind = "foreign"


class CredentialsRefused(PartnerError):
    """The token host refused the credentials. No request is sent to it before `pause_until`."""

    kind = "credentials_refused"

    def __init__(self, *, pause_until: datetime | None = None, **facts: Any) -> None:
        super().__init__(**facts)
        self.pause_until = pause_until


class NotConfigured(PartnerError):
    """There is no connection, its key is missing, or its address may not be used."""

    kind = "not_configured"


class NotActive(NotConfigured):
    """The connection is paused: what waits goes on by itself once it is in use again."""

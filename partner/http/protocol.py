"""Protocol of the Partner API: requests into bytes, answers into data or one exception.

Pure: no network, no database, no clock. Both error formats of the contract, the token host's,
the webhook flow's, HTML and nothing at all are read here and nowhere else.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

from lib.text import parse_json
from partner.endpoints import ENDPOINTS
from partner.errors import (
    Ambiguous,
    Conflict,
    Foreign,
    InvalidRequest,
    Malformed,
    MissingScope,
    NotFound,
    NotOurs,
    PartnerError,
    Refused,
    Throttled,
    Unavailable,
)

# A Retry-After of an hour, by mistake or malice, must not stop us for an hour.
RETRY_AFTER_CAP = 15 * 60.0
# Whole by its standard; some gateways add a fraction.
SECONDS = re.compile(r"\d+(\.\d*)?", re.ASCII)
CODE = re.compile(r"[A-Z][A-Z0-9_]{0,79}")


@dataclass(frozen=True, slots=True)
class Request:
    """One request without its token."""

    operation: str
    method: str
    path: str
    # The path without what a caller typed: a telephone number must not reach a log.
    safe_path: str
    body: bytes | None = None
    content_type: str = "application/json"
    # What the path names first: the entity, or the restaurant that something is made for.
    target: UUID | None = None
    # Whether it asks only if the key is accepted, by any read that has worked before.
    is_key_check: bool = False

    @property
    def endpoint(self) -> str:
        """What is held while it answers with something else. A check of the key never is."""
        return "" if self.is_key_check else self.operation

    @property
    def is_write(self) -> bool:
        return self.method != "GET"


@dataclass(frozen=True, slots=True)
class Response:
    """A raw HTTP answer. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    started_at: datetime


class NotConnected(Exception):
    """Nothing was sent: the name, the address, the connection or the certificate failed."""


class Lost(Exception):
    """The request was sent, and no whole answer came back."""


class TooLarge(Exception):
    """The answer is larger than any answer of this API."""


@dataclass(frozen=True, slots=True)
class DriftItem:
    """Something in an answer that the contract does not announce. Never a person's data."""

    # "unknown field", "unknown word", "wrong type", "naive time", "odd characters", "missing field"
    kind: str
    path: str
    word: str = ""

    def __str__(self) -> str:
        """As the health page lists it."""
        word = f" = {self.word}" if self.word else ""
        return f"{self.kind}: {self.path}{word}"


@dataclass(frozen=True, slots=True)
class Decoded:
    """A good answer: the text as it was sent, and its values."""

    text: str
    payload: Any
    started_at: datetime
    drift: tuple[DriftItem, ...] = field(default=())


# --- Building ----------------------------------------------------------------------------------


def build(
    operation: str,
    *ids: UUID | str,
    query: Mapping[str, Any] | None = None,
    body: Mapping[str, Any] | None = None,
) -> Request:
    """Write a request. A `+` in an id leaves as %2B; a query value of None is left out."""
    endpoint = ENDPOINTS[operation]
    path = endpoint.path.format(*(quote(str(part), safe="") for part in ids))
    safe = endpoint.path.format(*(part if isinstance(part, UUID) else "…" for part in ids))
    params = {key: _query_value(value) for key, value in (query or {}).items() if value is not None}
    return Request(
        operation=operation,
        method=endpoint.method,
        path=f"{path}?{urlencode(params)}" if params else path,
        safe_path=safe,
        body=None if body is None else json.dumps(body, ensure_ascii=False).encode(),
        target=next((part for part in ids if isinstance(part, UUID)), None),
    )


def build_get(path: str) -> Request:
    """Write a GET of any path, for operators. Nothing of it is shown in errors but its shape."""
    if not path.startswith("/") or path.startswith("//") or not path.isascii():
        raise InvalidRequest(field="path", sentence="A path begins with /.")
    return Request("get", "GET", quote(path, safe="/?=&%+:,@-._~"), "/…")


def _query_value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, date) else str(value)


# --- Reading -----------------------------------------------------------------------------------


def decipher(request: Request, response: Response) -> Decoded:
    """Return the values of a good answer; raise the matching error for a bad one."""
    if 200 <= response.status < 300:
        return _read_body(request, response)
    raise fault_of(request, response)


def fault_of(request: Request, response: Response) -> PartnerError:
    """Turn a refusal into its exception, by remedy."""
    facts = facts_of(request) | {
        "status": response.status,
        "code": code_of(response.body),
    }
    if kind := REFUSALS.get(response.status):
        return kind(**facts)
    otherwise = _server_fault if response.status >= 500 else _odd_status
    return FAULTS.get(response.status, otherwise)(request, response, facts)


Facts = dict[str, Any]


def _forbidden(request: Request, _response: Response, facts: Facts) -> PartnerError:
    endpoint = ENDPOINTS.get(request.operation)
    return MissingScope(scopes=endpoint.scopes if endpoint else (), **facts)


def _not_found(_request: Request, response: Response, facts: Facts) -> PartnerError:
    # Only the API itself says that a record is gone. A gateway's or a web server's 404 means
    # that the address is wrong, and must not make the mirror delete its rows.
    if not isinstance(_json_object(response.body).get("data"), dict):
        return _unlisted(response, facts)
    return NotFound(**facts)


def _gone(request: Request, response: Response, facts: Facts) -> PartnerError:
    # Not in the contract: also what a retired version or a closed account has for every record.
    is_of_record = str(facts["code"]).endswith("_NOT_FOUND")
    return (_not_found if is_of_record else _odd_status)(request, response, facts)


def _throttled(_request: Request, response: Response, facts: Facts) -> PartnerError:
    return Throttled(retry_after=retry_after(response), **facts)


def _server_fault(request: Request, response: Response, facts: Facts) -> PartnerError:
    # 500 is also the answer to an upstream timeout, as 408 and 499 are of some gateways: a write
    # may have been done.
    if request.is_write:
        return Ambiguous(**facts)
    return Unavailable(retry_after=retry_after(response), **facts)


def _odd_status(request: Request, response: Response, facts: Facts) -> PartnerError:
    # A redirect may follow what was done ("303 See Other"): of a write nobody knows.
    if request.is_write and response.status < 400:
        return Ambiguous(**facts)
    return _unlisted(response, facts)


def _unlisted(response: Response, facts: Facts) -> Malformed:
    """Its status is the code where it names none, so that people read which one it was."""
    code = facts["code"] or f"HTTP_{response.status}"
    return Malformed(body=_text(response.body), **facts | {"code": code})


REFUSALS: dict[int, type[PartnerError]] = {
    400: Refused,
    401: NotOurs,
    409: Conflict,
    413: Refused,
    415: Refused,
    422: Refused,
}
FAULTS: dict[int, Callable[[Request, Response, Facts], PartnerError]] = {
    403: _forbidden,
    404: _not_found,
    410: _gone,
    408: _server_fault,
    429: _throttled,
    499: _server_fault,
}


def facts_of(request: Request) -> Facts:
    return {"method": request.method, "path": request.safe_path}


def unreadable(request: Request, *, status: int | None, body: str = "") -> PartnerError:
    """Build the error of a good status with an unreadable body; a write is then ambiguous."""
    facts = facts_of(request) | {"status": status, "code": "UNREADABLE"}
    return Ambiguous(**facts) if request.is_write else Malformed(body=body, **facts)


def foreign(request: Request, *, body: str = "") -> PartnerError:
    """Build the error of an answer about something else; a write is then ambiguous."""
    facts = facts_of(request) | {"status": 200, "code": "FOREIGN_ANSWER"}
    return Ambiguous(**facts) if request.is_write else Foreign(body=body, **facts)


def _read_body(request: Request, response: Response) -> Decoded:
    endpoint = ENDPOINTS.get(request.operation)
    if response.status == 204 and not response.body and endpoint and endpoint.may_be_empty:
        return Decoded("", {}, response.started_at)
    try:
        text = response.body.decode()
        payload, drift = parse(text)
    except ValueError:
        shown = _text(response.body)
        raise unreadable(request, status=response.status, body=shown) from None
    return Decoded(text, payload, response.started_at, drift)


def parse(text: str) -> tuple[Any, tuple[DriftItem, ...]]:
    """Read JSON, tolerating what other programs write: NaN, endless numbers, lone surrogates.

    Raises `ValueError` for what is not JSON or nested too deep.
    """
    payload, is_changed = parse_json(text)
    return payload, (DriftItem("odd characters", ""),) if is_changed else ()


# --- Refusals ----------------------------------------------------------------------------------


def code_of(body: bytes) -> str:
    """Return the business code of any of the error shapes, or "". Never a person's data.

    `data.code` in the API's format · `error` of the token host ("access_denied") and of the
    webhook flow ("RATE_LIMIT") · nothing in the gateway's. One documented code is a sentence
    ("Restaurant not found"); it is read as the code that it stands for.
    """
    found = _json_object(body)
    data = found.get("data")
    code = data.get("code") if isinstance(data, dict) and "code" in data else None
    if code is None and "statusCode" not in found:
        code = found.get("error")
    spelt = code.strip().upper().replace(" ", "_") if isinstance(code, str) else ""
    return spelt if CODE.fullmatch(spelt) else ""


def _json_object(body: bytes) -> dict[str, Any]:
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(body: bytes) -> str:
    return body[: Malformed.BODY_CAP * 4].decode(errors="replace")


def retry_after(response: Response) -> float | None:
    """Return the seconds that Retry-After asks for, as a number or as a date; None without."""
    value = response.headers.get("retry-after", "").strip()
    if not value:
        return None
    seconds = float(value) if SECONDS.fullmatch(value) else _seconds_until(value, response)
    return None if seconds is None else max(0.0, min(seconds, RETRY_AFTER_CAP))


def _seconds_until(value: str, response: Response) -> float | None:
    """Count from the answer's own date, for the clock that wrote both may differ from ours."""
    at, sent_at = _moment(value), _moment(response.headers.get("date", ""))
    return None if at is None else (at - (sent_at or response.started_at)).total_seconds()


def _moment(value: str) -> datetime | None:
    try:
        at = parsedate_to_datetime(value)
    except (ValueError, OverflowError):  # the latter for a year or an offset of twenty digits
        return None
    return at if at.tzinfo else at.replace(tzinfo=UTC)

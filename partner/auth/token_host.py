"""The token request: the one form that is posted to the token host.

requests-oauthlib facts that shape this: without `include_client_id` the secret travels in a
Basic header instead of the body; a redirect would post it to wherever the answer points; of a
refusal it keeps neither the status nor the headers, so the adapter raises those itself.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import requests
from django.utils.crypto import salted_hmac
from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests.adapters import BaseAdapter
from requests_oauthlib import OAuth2Session

from lib.text import parse_json
from partner.http.addresses import AddressRefused, is_plain_loopback
from partner.http.protocol import (
    Lost,
    NotConnected,
    Request,
    Response,
    TooLarge,
    code_of,
    retry_after,
)
from partner.http.user_agent import user_agent

TOKEN_PATH = "/oauth/token"  # noqa: S105 - a path
HEADERS = ("User-Agent", "Accept", "Content-Type")
READ_TIMEOUT = 10.0
# The contract's lifetime, for an answer that does not say.
LIFETIME = 8600.0
# A token host may grant a day or a week; what is longer, or no whole number of days, was counted in
# milliseconds: ten minutes of them are nearly a week.
DAY = 24 * 3600.0
LONGEST_LIFETIME = 7 * DAY

# The transport's `send`: base address, request, headers=, read_timeout=.
Send = Callable[..., Response]


@dataclass(frozen=True)
class ClientCredentials:
    """Client id, secret and audience, and the token host that they belong to."""

    auth_url: str
    audience: str
    client_id: str
    client_secret: str = field(repr=False)

    @property
    def fingerprint(self) -> str:
        whole = "\n".join((self.auth_url, self.audience, self.client_id, self.client_secret))
        return salted_hmac("partner.asking", whole).hexdigest()


@dataclass(frozen=True)
class Granted:
    access_token: str = field(repr=False)
    scopes: str = ""
    expires_in: float = LIFETIME


class TokenFault(Exception):
    """The token host did not give a token."""

    def __init__(
        self,
        *,
        status: int | None = None,
        code: str = "",
        is_lost: bool = False,
        retry_after: float = 0.0,
    ) -> None:
        super().__init__()
        self.status = status
        self.code = code
        # The seconds that the host, or the gateway before it, wants to be left alone.
        self.retry_after = retry_after
        # It may have issued one that never reached us.
        self.is_lost = is_lost

    def __str__(self) -> str:
        return " ".join(str(part) for part in ("token host", self.status, self.code) if part)

    @property
    def is_refusal(self) -> bool:
        return self.status in (401, 403)


def request_token(credentials: ClientCredentials, *, send: Send) -> Granted:
    """Send one token request. `TokenFault.is_lost`: a token may have been issued and lost."""
    session = _session(credentials, send=send)
    try:
        answer = session.fetch_token(
            _https(credentials.auth_url) + TOKEN_PATH,
            client_secret=credentials.client_secret,
            include_client_id=True,
            audience=credentials.audience,
        )
    except AddressRefused:
        raise
    except NotConnected as fault:
        raise TokenFault() from fault
    except (Lost, TooLarge, requests.RequestException, OAuth2Error, ValueError) as fault:
        raise TokenFault(is_lost=True) from fault
    return _granted(answer)


def _session(credentials: ClientCredentials, *, send: Send) -> OAuth2Session:
    session = OAuth2Session(client=BackendApplicationClient(client_id=credentials.client_id))
    session.trust_env = False  # no .netrc of the machine
    session.headers["User-Agent"] = user_agent()
    session.mount("https://", TransportAdapter(credentials.auth_url, send=send))
    session.register_compliance_hook("access_token_response", _plain)
    return session


class TransportAdapter(BaseAdapter):
    """Sends the request that requests-oauthlib has written as every other call is sent.

    oauthlib insists on https. Its switch to allow http is one for the whole process; for the
    sandbox on loopback the address as it was configured is used here instead.
    """

    def __init__(self, base_url: str, *, send: Send) -> None:
        super().__init__()
        self._base_url = base_url
        self._send = send

    def send(self, request: requests.PreparedRequest, **_kwargs: Any) -> requests.Response:  # type: ignore[override]  # the base names each keyword
        body = (request.body or "").encode() if isinstance(request.body, str) else request.body
        posted = Request("token", "POST", TOKEN_PATH, TOKEN_PATH, body=body)
        headers = {name: request.headers[name] for name in HEADERS}
        found = self._send(self._base_url, posted, headers=headers, read_timeout=READ_TIMEOUT)
        if found.status != requests.codes.ok:
            raise TokenFault(
                status=found.status, code=code_of(found.body), retry_after=retry_after(found) or 0.0
            )
        response = requests.Response()  # without its headers, of which the parser needs none
        response.status_code, response._content = found.status, found.body
        response.request, response.encoding = request, "utf-8"
        return response

    def close(self) -> None:
        """Connections stay with the transport."""


def _https(auth_url: str) -> str:
    return auth_url.replace("http://", "https://", 1) if is_plain_loopback(auth_url) else auth_url


def _plain(response: requests.Response) -> requests.Response:
    """Leave the parser what it can read: it raises anything for a field of another type."""
    found, _is_changed = parse_json(response.text)  # a ValueError, if it is none, is a lost token
    if not isinstance(found, dict):
        raise TokenFault(status=response.status_code, is_lost=True)
    fit = {
        "access_token": found.get("access_token"),
        "scope": _scopes(found.get("scope") or ""),
        "expires_in": _lifetime(found.get("expires_in")),
    }
    response._content = json.dumps(fit).encode()
    return response


def _granted(answer: dict[str, Any]) -> Granted:
    token = answer["access_token"]
    # No header carries a line break or a letter beyond ASCII.
    if not isinstance(token, str) or not re.fullmatch(r"[!-~]+", token):
        raise TokenFault(status=200, is_lost=True)
    return Granted(token, _scopes(answer["scope"]), answer["expires_in"])


def _scopes(scope: Any) -> str:
    return " ".join(map(str, scope)) if isinstance(scope, list) else str(scope)


def _lifetime(value: Any) -> float:
    try:
        seconds = float(value)
    except (TypeError, ValueError, OverflowError):  # the last for an integer of 400 digits
        return LIFETIME
    # The parser cuts to whole seconds, and takes none for no lifetime at all.
    is_odd = isinstance(value, bool) or not 1 <= seconds <= LONGEST_LIFETIME
    return LIFETIME if is_odd or (seconds > DAY and seconds % DAY) else seconds

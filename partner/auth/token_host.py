"""The token request: the one form that is posted to the token host.

requests-oauthlib facts that shape this: without `include_client_id` the secret travels in a
Basic header instead of the body; a redirect would post it to wherever the answer points; a
compliance hook is the only way to keep the status of a refusal.
"""

import json
from dataclasses import dataclass, field
from typing import Any

import requests
from django.utils.crypto import salted_hmac
from oauthlib.oauth2 import BackendApplicationClient, OAuth2Error
from requests.adapters import HTTPAdapter
from requests_oauthlib import OAuth2Session

from partner.http import ssrf_guard
from partner.http.addresses import AddressRefused, check_address, is_plain_loopback
from partner.http.protocol import code_of
from partner.http.user_agent import user_agent

TOKEN_PATH = "/oauth/token"  # noqa: S105 - a path
TIMEOUTS = (3.05, 10.0)
# The contract's lifetime, for an answer that does not say.
LIFETIME = 8600.0


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

    def __init__(self, *, status: int | None = None, code: str = "", is_lost: bool = False) -> None:
        super().__init__()
        self.status = status
        self.code = code
        # It may have issued one that never reached us.
        self.is_lost = is_lost

    def __str__(self) -> str:
        return " ".join(str(part) for part in ("token host", self.status, self.code) if part)

    @property
    def is_refusal(self) -> bool:
        return self.status in (401, 403)


def request_token(credentials: ClientCredentials) -> Granted:
    """Send one token request. `TokenFault.is_lost`: a token may have been issued and lost."""
    check_address(credentials.auth_url)
    with _session(credentials) as session:
        try:
            answer = session.fetch_token(
                _https(credentials.auth_url) + TOKEN_PATH,
                client_secret=credentials.client_secret,
                include_client_id=True,
                audience=credentials.audience,
                timeout=TIMEOUTS,
            )
        except AddressRefused:
            raise
        except requests.ConnectTimeout as fault:
            raise TokenFault() from fault
        except requests.ConnectionError as fault:
            raise TokenFault(is_lost=not _is_refused_connection(fault)) from fault
        except (requests.RequestException, OAuth2Error, ValueError) as fault:
            raise TokenFault(is_lost=True) from fault
    return _granted(answer)


def _session(credentials: ClientCredentials) -> OAuth2Session:
    session = OAuth2Session(client=BackendApplicationClient(client_id=credentials.client_id))
    session.max_redirects = 0
    session.trust_env = False  # no proxy and no .netrc of the machine
    session.headers["User-Agent"] = user_agent()
    session.mount("https://", GuardedAdapter(is_plain=is_plain_loopback(credentials.auth_url)))
    session.register_compliance_hook("access_token_response", _check_status)
    return session


class GuardedAdapter(HTTPAdapter):
    """Connects to checked addresses only, and to this very machine without TLS.

    oauthlib insists on https. Its switch to allow http is one for the whole process; for the
    sandbox on loopback the address is rewritten here instead, for this session alone.
    """

    def __init__(self, *, is_plain: bool) -> None:
        self._is_plain = is_plain
        super().__init__(max_retries=0)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = ssrf_guard.POOLS

    def send(self, request: requests.PreparedRequest, **kwargs: Any) -> requests.Response:  # type: ignore[override]  # the base names each keyword
        if self._is_plain:
            request.url = (request.url or "").replace("https://", "http://", 1)
        kwargs["proxies"] = None
        return super().send(request, **kwargs)


def _https(auth_url: str) -> str:
    return auth_url.replace("http://", "https://", 1) if is_plain_loopback(auth_url) else auth_url


def _check_status(response: requests.Response) -> requests.Response:
    if response.status_code != requests.codes.ok:
        raise TokenFault(status=response.status_code, code=code_of(response.content))
    return _plain(response)


def _plain(response: requests.Response) -> requests.Response:
    """Make the answer fit the parser, which expects an object and whole seconds."""
    found = response.json()  # a ValueError, when it is none, is a lost token
    if not isinstance(found, dict):
        raise TokenFault(status=response.status_code, is_lost=True)
    found["expires_in"] = _lifetime(found.get("expires_in"))
    response._content = json.dumps(found).encode()
    return response


def _is_refused_connection(fault: requests.ConnectionError) -> bool:
    """Return whether the connection was never made: then no token can have been lost."""
    reason = getattr(fault.args[0] if fault.args else None, "reason", None)
    return isinstance(reason, ssrf_guard.NEVER_CONNECTED) or isinstance(
        fault, requests.exceptions.SSLError
    )


def _granted(answer: dict[str, Any]) -> Granted:
    token, scope = answer.get("access_token"), answer.get("scope") or ""
    if not isinstance(token, str) or not token:
        raise TokenFault(status=200, is_lost=True)
    return Granted(token, _scopes(scope), answer["expires_in"])


def _scopes(scope: Any) -> str:
    return " ".join(scope) if isinstance(scope, list) else str(scope)


def _lifetime(value: Any) -> float:
    try:
        seconds = float(value)
    except (TypeError, ValueError):
        return LIFETIME
    return seconds if 0 < seconds < 10 * LIFETIME else LIFETIME

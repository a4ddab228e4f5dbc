"""POST {auth_url}/oauth/token: the only endpoint without a bearer token."""

import hmac
from typing import Any
from urllib.parse import parse_qsl

from partner_sandbox.http.errors import Refusal
from partner_sandbox.service import SandboxCall, SandboxEndpoint
from partner_sandbox.tokens import LIFETIME_SECONDS

FORM = "application/x-www-form-urlencoded"
FIELDS = {"audience", "grant_type", "client_id", "client_secret"}


def issue(call: SandboxCall) -> dict[str, Any]:
    form = _read_form(call)
    client = _authenticate(call, form)
    _check_grant(client, form)
    _check_audience(call, client, form)
    has_valid = call.service.tokens.has_valid(client["client_id"])
    call.breaches += call.service.watch.token_requested(client["client_id"], has_valid=has_valid)
    return {
        "access_token": call.service.tokens.issue(client["client_id"], client["scopes"]),
        "scope": client["scopes"],
        "expires_in": LIFETIME_SECONDS,
        "token_type": "Bearer",
    }


def _read_form(call: SandboxCall) -> dict[str, str]:
    if call.request.media_type != FORM:
        raise _unauthorized("wrong_content_type")
    try:
        pairs = parse_qsl(call.request.body.decode(), keep_blank_values=True)
    except ValueError:
        raise _unauthorized() from None
    form = dict(pairs)
    if form.keys() - FIELDS:
        call.breaches.append("unknown_field")
    if len(form) != len(pairs) or not form.keys() >= FIELDS:
        raise _unauthorized()
    return form


def _authenticate(call: SandboxCall, form: dict[str, str]) -> Any:
    with call.service.store.reading() as db:
        row = db.execute("SELECT * FROM client WHERE client_id=?", (form["client_id"],)).fetchone()
    if row is None:
        raise _unauthorized()
    call.client = row["client_id"]
    if not hmac.compare_digest(row["secret"].encode(), form["client_secret"].encode()):
        raise _unauthorized()
    return row


def _check_grant(client: Any, form: dict[str, str]) -> None:
    if form["grant_type"] in client["grants"].split():
        return
    message = "Grant type not allowed for the client."
    raise _forbidden("unauthorized_client", message, error_uri="https://example.com/grants")


def _check_audience(call: SandboxCall, client: Any, form: dict[str, str]) -> None:
    if form["audience"] != call.service.audience or not client["audiences"]:
        message = "Client is not authorized to access the requested audience."
        raise _forbidden("access_denied", message)


def _unauthorized(breach: str = "") -> Refusal:
    body = {"error": "access_denied", "error_description": "Unauthorized"}
    return Refusal(401, body, breach=breach)


def _forbidden(error: str, description: str, **more: str) -> Refusal:
    return Refusal(403, {"error": error, "error_description": description, **more})


ENDPOINTS = [SandboxEndpoint("request_token", "POST", "/oauth/token", issue)]

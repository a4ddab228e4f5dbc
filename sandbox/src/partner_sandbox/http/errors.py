"""The three error formats of the service (contract: Errors, Formats)."""

from typing import Any

from partner_sandbox.http.message import SandboxResponse, json_response

REASONS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    409: "Conflict",
    415: "Unsupported Media Type",
    429: "Too Many Requests",
    500: "Internal Server Error",
    503: "Service Unavailable",
}


class Refusal(Exception):
    """An answer that is not 200, raised from wherever the reason is found."""

    def __init__(self, status: int, body: Any, *, breach: str = "") -> None:
        super().__init__(f"{status} {body}")
        self.status = status
        self.body = body
        self.breach = breach  # the client rule that was broken, if one was

    def response(self) -> SandboxResponse:
        return json_response(self.body, self.status)


def api_body(status: int, code: str) -> dict[str, Any]:
    return {"statusCode": status, "error": REASONS.get(status, "Error"), "data": {"code": code}}


def gateway_body(status: int) -> dict[str, Any]:
    return {"message": REASONS.get(status, "Error")}


def refuse(status: int, code: str, *, breach: str = "") -> Refusal:
    return Refusal(status, api_body(status, code), breach=breach)


def invalid(field: str, *, breach: str = "") -> Refusal:
    """400 with the code that names the field: startDate gives INVALID_START_DATE."""
    return refuse(400, invalid_code(field), breach=breach)


def invalid_code(field: str) -> str:
    spelt = "".join("_" + c if c.isupper() else c for c in field)
    plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in spelt.upper())
    return "INVALID_" + (plain.strip("_")[:60].strip("_") or "FIELD")


def not_ours() -> Refusal:
    """The entity exists but belongs to another partner: 401 with an empty code."""
    return refuse(401, "")

"""Faults on request: which requests and events fail, how, how often and for how long."""

import re
import threading
import time
from dataclasses import asdict, dataclass, field
from typing import Any

from partner_sandbox.dice import dice
from partner_sandbox.faults.bodies import FORMS, falsify
from partner_sandbox.http.errors import api_body, gateway_body
from partner_sandbox.http.message import SandboxRequest, SandboxResponse, encode

FORMATS = ("api", "gateway", "token", "scenario", "html", "empty")
GATEWAY_STATUSES = {401, 403, 429, 503}
EFFECTS = {
    "status": int,
    "format": str,
    "code": str,
    "latency_ms": int,
    "drop": bool,
    "truncate": bool,
    "trickle_ms": int,
    "body": str,
    "foreign": str,
    "empty_list": bool,
    "without": str,
    "after_effect": bool,
    "retry_after": (int, str),
    "lost": bool,
    "copies": int,
    "delay_ms": int,
    "shuffle_ms": int,
}
FALSIFYING = {"foreign", "empty_list", "without"}
LIMITS = {"rate": (int, float), "count": int, "until": (int, float)}
MOST = 10**9  # milliseconds, seconds or times: more is a mistake
RANGES = {"status": (200, 599), "rate": (0, 1), "count": (1, MOST)}
METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS")
MATCHES = ("method", "path", "endpoint", "client", "event")


class BadFault(ValueError):
    """A fault that cannot be understood; the sentence goes back to the person."""


@dataclass
class Fault:
    id: str
    match: dict[str, str]
    effect: dict[str, Any]
    rate: float = 1.0
    count: int | None = None
    expires: float | None = None  # on the monotonic clock: a moved sandbox clock changes nothing
    hits: int = 0
    _random: Any = field(default=None, repr=False)

    def applies(self, now: float) -> bool:
        if self.is_over(now):
            return False
        if self.rate < 1 and self._random.random() >= self.rate:
            return False
        self.hits += 1
        return True

    def is_over(self, now: float) -> bool:
        spent = self.count is not None and self.hits >= self.count
        return spent or (self.expires is not None and now >= self.expires)

    def as_json(self, now: float) -> dict[str, Any]:
        row = {k: v for k, v in asdict(self).items() if k not in ("_random", "expires")}
        row["seconds_left"] = None if self.expires is None else max(0.0, self.expires - now)
        row["over"] = self.is_over(now)
        return row


class Faults:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self._faults: dict[str, Fault] = {}
        self._lock = threading.Lock()
        self._made = 0

    def add(self, values: dict[str, Any]) -> Fault:
        match, effect, limits = _sort_out(values)
        with self._lock:
            self._made += 1
            until = limits.get("until")
            fault = Fault(
                f"fault-{self._made}",
                match,
                effect,
                rate=float(limits.get("rate", 1.0)),
                count=limits.get("count"),
                expires=None if until is None else time.monotonic() + float(until),
                _random=dice(self.seed, "fault", self._made),
            )
            self._faults = {**self._faults, fault.id: fault}
        return fault

    def clear(self, fault_id: str | None = None) -> int:
        with self._lock:
            kept = {k: v for k, v in self._faults.items() if fault_id and k != fault_id}
            gone = len(self._faults) - len(kept)
            self._faults = kept
        return gone

    def listed(self) -> list[dict[str, Any]]:
        now = time.monotonic()
        return [fault.as_json(now) for fault in self._faults.values()]

    def for_request(self, request: SandboxRequest, endpoint: str, client: str) -> Fault | None:
        if not self._faults:
            return None
        facts = {
            "method": request.method,
            "path": request.raw_path,
            "endpoint": endpoint,
            "client": client,
        }
        return self._first(facts)

    def for_event(self, event_type: str) -> Fault | None:
        return self._first({"event": event_type}) if self._faults else None

    def _first(self, facts: dict[str, str]) -> Fault | None:
        is_event = "event" in facts
        with self._lock:
            now = time.monotonic()
            for fault in self._faults.values():
                right_kind = ("event" in fault.match) == is_event
                if right_kind and _fits(fault.match, facts) and fault.applies(now):
                    return fault
        return None


def _sort_out(values: dict[str, Any]) -> tuple[dict[str, str], dict[str, Any], dict[str, Any]]:
    """Accept limits and effects on the top level or inside `effect`."""
    match = values.get("match") or {}
    nested = values.get("effect") or {}
    if not isinstance(match, dict) or not isinstance(nested, dict):
        raise BadFault("`match` and `effect` are objects.")
    flat = {**{k: v for k, v in values.items() if k not in ("match", "effect")}, **nested}
    for name, value in flat.items():
        _check_value(name, value)
    _check_match(match)
    if flat.get("format", "api") not in FORMATS:
        raise BadFault(f"`format` is one of {', '.join(FORMATS)}.")
    if flat.get("foreign", "other") not in FORMS:
        raise BadFault(f"`foreign` is one of {', '.join(FORMS)}.")
    effect = {k: v for k, v in flat.items() if k in EFFECTS}
    if not effect:
        raise BadFault('A fault needs an effect, for example {"status": 500}.')
    return match, effect, {k: v for k, v in flat.items() if k in LIMITS}


def _check_value(name: str, value: Any) -> None:
    kind: Any = EFFECTS.get(name) or LIMITS.get(name)
    if kind is None:
        raise BadFault(f"Unknown effect or limit: {name}.")
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise BadFault(f"`{name}` has the wrong type.")
    least, most = RANGES.get(name, (0, MOST))
    if isinstance(value, int | float) and not least <= value <= most:
        raise BadFault(f"`{name}` is a number from {least} to {most}.")


def _check_match(match: dict[str, Any]) -> None:
    for name, value in match.items():
        if name not in MATCHES or not isinstance(value, str):
            raise BadFault(f"`match` knows {', '.join(MATCHES)}, each a text.")
        try:
            re.compile(value)
        except re.error as error:
            raise BadFault(f"`{name}` is not a regular expression: {error}.") from None
    if match.get("method", "GET").upper() not in METHODS:
        raise BadFault(f"`method` is one of {', '.join(METHODS)}.")


def _fits(match: dict[str, str], facts: dict[str, str]) -> bool:
    for name, wanted in match.items():
        if name == "method" and wanted.upper() != facts["method"]:
            return False
        if name == "path" and not _path_fits(wanted, facts):
            return False
        if name not in ("method", "path") and not re.fullmatch(wanted, facts.get(name, "")):
            return False
    return True


def _path_fits(wanted: str, facts: dict[str, str]) -> bool:
    is_name = re.fullmatch(wanted, facts["endpoint"]) is not None
    return is_name or re.search(wanted, facts["path"]) is not None


def spoil(fault: Fault, response: SandboxResponse | None) -> SandboxResponse:
    """The answer a fault leaves: `response` is the true one when the request took effect."""
    effect = fault.effect
    answer = _error_answer(effect) if "status" in effect else (response or SandboxResponse())
    if "body" in effect:
        answer.body = effect["body"].encode()
    if FALSIFYING & effect.keys():
        falsify(effect, answer)
    answer.drop = effect.get("drop", False)
    answer.truncate = effect.get("truncate", False)
    answer.trickle_ms = effect.get("trickle_ms", 0)
    if "retry_after" in effect:
        answer.headers.append(("Retry-After", str(effect["retry_after"])))
    return answer


def _error_answer(effect: dict[str, Any]) -> SandboxResponse:
    status = effect["status"]
    style = effect.get("format") or ("gateway" if status in GATEWAY_STATUSES else "api")
    if style == "html":
        page = f"<html><body><h1>{status}</h1></body></html>"
        return SandboxResponse(status, page.encode(), "text/html; charset=utf-8")
    if style == "empty":
        return SandboxResponse(status)
    return SandboxResponse(status, encode(_error_body(style, status, effect)))


def _error_body(style: str, status: int, effect: dict[str, Any]) -> dict[str, Any]:
    if style == "gateway":
        return gateway_body(status)
    if style == "token":
        return {"error": "access_denied", "error_description": "Unauthorized"}
    if style == "scenario":
        return _scenario(status)
    return api_body(status, effect.get("code", "INTERNAL_SERVER_ERROR" if status == 500 else ""))


def _scenario(status: int) -> dict[str, Any]:
    """The two bodies of the webhook documentation that fit none of the API formats."""
    if status == 429:
        error, message = "RATE_LIMIT", "Maximum requests per minute reached"
    else:
        error = "RESTAURANT_GROUP_NOT_READY"
        message = "The restaurant group has not accepted the electronic booking terms"
    return {"error": error, "message": message, "data": {}}

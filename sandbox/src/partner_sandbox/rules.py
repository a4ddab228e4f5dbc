"""Checks each request against the client rules of the contract, and records breaches."""

import re
import threading
import time
from dataclasses import dataclass, field
from typing import TypeVar

from partner_sandbox.http.message import SandboxRequest

Value = TypeVar("Value")

MEMORY_SECONDS = 60.0  # how long a refusal is remembered
SHORTEST_BACKOFF = 0.2  # seconds; an immediate repeat is no back-off
IN_FLIGHT_SECONDS = 1.0
MOST_REMEMBERED = 5000
MOST_LISTINGS = 20  # of one list, at once

PAGE = re.compile(r"[?&]page=(\d+)")

RULES = {
    "token_while_valid": "A token was requested while one was valid.",
    "token_after_401": "A 401 with a valid token was followed by a token request.",
    "expired_token_reused": "A token was used again after it was refused as expired.",
    "missing_token": "A request to the API carried no bearer token.",
    "403_retried": "A request refused with 403 was sent again without a new token.",
    "retry_too_soon_after_429": "A request refused with 429 was repeated without back-off.",
    "retry_too_soon_after_503": "A request refused with 503 was repeated without back-off.",
    "retry_too_soon_after_500": "A GET that failed with 500 was repeated without back-off.",
    "write_repeated_without_looking": "A write that failed with 500 or was cut off was repeated"
    " without reading the current state first.",
    "wrong_content_type": "A body was sent with the wrong content type.",
    "unknown_field": "A body held a field that does not exist.",
    "unknown_parameter": "A query held a parameter that does not exist.",
    "unknown_path": "A path or method was requested that the API does not have.",
    "meal_date_respelt": "A slot's datetime was sent back in another spelling.",
    "page_beyond_end_repeated": "One listing requested a page beyond the end twice.",
    "webhook_late_answer": "The receiver did not answer an event within three seconds.",
    "webhook_wrong_answer": 'The receiver did not answer an event with 200 and {"data": {}}.',
}

# What counts as looking before a write is repeated: the endpoint that shows the write's effect.
# Call records and milestones have none, so repeating those is no breach.
LOOKS = {
    "create_reservation": {"list_reservations", "get_reservation"},
    "update_reservation": {"get_reservation"},
    "cancel_reservation": {"get_reservation"},
    "reply_to_review": {"get_review"},
    "override_availability": {"list_timeslots", "list_availabilities"},
}


@dataclass
class _Memory:
    """What is remembered about one client."""

    last_token: float = -1e9
    refused: dict[str, float] = field(default_factory=dict)
    wait_until: dict[str, tuple[float, int]] = field(default_factory=dict)
    unsure: dict[str, tuple[str, str]] = field(default_factory=dict)  # key → endpoint, entity
    # A list → its pages beyond the end that were requested, and when.
    beyond: dict[str, dict[str, float]] = field(default_factory=dict)
    # A list → the page that each listing of it has reached, and when. Several may run at once.
    reached: dict[str, list[tuple[int, float]]] = field(default_factory=dict)
    disowned: float = -1e9  # the last 401 although the token was valid
    expired_since: float | None = None  # when it first got the answer that its token has expired


@dataclass(frozen=True)
class Outcome:
    status: int
    cut_off: bool = False
    retry_after: float = 0.0
    token_was_valid: bool = False
    beyond_end: bool = False


class RuleWatch:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._clients: dict[str, _Memory] = {}

    def _memory(self, client: str) -> _Memory:
        return self._clients.setdefault(client, _Memory())

    def token_requested(self, client: str, *, has_valid: bool) -> list[str]:
        with self._lock:
            memory = self._memory(client)
            now = time.monotonic()
            broken = ["token_while_valid"] if has_valid else []
            if has_valid and now - memory.disowned < MEMORY_SECONDS:
                broken.append("token_after_401")
            memory.last_token = now
            memory.expired_since = None
            return broken

    def expired_token(self, client: str) -> list[str]:
        """The first refusal tells the client; requests already under way are excused."""
        with self._lock:
            memory = self._memory(client)
            now = time.monotonic()
            if memory.expired_since is None:
                memory.expired_since = now
            late = now - memory.expired_since > IN_FLIGHT_SECONDS
            return ["expired_token_reused"] if late else []

    def arrives(self, client: str, request: SandboxRequest, endpoint: str) -> list[str]:
        """Check a request against the earlier answers to its client."""
        key = _key(request)
        with self._lock:
            memory = self._memory(client)
            now = time.monotonic()
            broken = []
            if memory.refused.get(key, -1e9) > max(now - MEMORY_SECONDS, memory.last_token):
                broken.append("403_retried")
            until, status = memory.wait_until.pop(key, (0.0, 0))
            if now < until:
                broken.append(f"retry_too_soon_after_{status}")
            if memory.unsure.pop(key, None):
                broken.append("write_repeated_without_looking")
            list_key, page = _listing(request)
            if page == 1:  # whoever lists anew has to learn anew where the list ends
                memory.beyond.pop(list_key, None)
            was_beyond = now - memory.beyond.get(list_key, {}).get(key, -1e9) < MEMORY_SECONDS
            if was_beyond and not _at(memory, list_key, page - 1):
                broken.append("page_beyond_end_repeated")
            return broken

    def leaves(self, client: str, request: SandboxRequest, endpoint: str, outcome: Outcome) -> None:
        """Remember how a request ended."""
        key = _key(request)
        with self._lock:
            memory = self._memory(client)
            now = time.monotonic()
            if outcome.status == 403:
                _keep(memory.refused, key, now)
            if outcome.status == 401 and outcome.token_was_valid:
                memory.disowned = now
            list_key, page = _listing(request)
            if outcome.status == 200 and endpoint.startswith("list_"):
                _move_on(memory, list_key, page)
            if outcome.beyond_end:
                _keep(memory.beyond, list_key, memory.beyond.get(list_key, {}) | {key: now})
            self._remember_wait(memory, request, key, outcome)
            self._remember_doubt(memory, request, endpoint, outcome)

    def _remember_wait(
        self, memory: _Memory, request: SandboxRequest, key: str, seen: Outcome
    ) -> None:
        if seen.status in (429, 503) or (seen.status == 500 and request.method == "GET"):
            pause = max(SHORTEST_BACKOFF, seen.retry_after)
            _keep(memory.wait_until, key, (time.monotonic() + pause, seen.status))

    def _remember_doubt(
        self, memory: _Memory, request: SandboxRequest, endpoint: str, seen: Outcome
    ) -> None:
        entity = _entity(request)
        if endpoint in LOOKS and (seen.status == 500 or seen.cut_off):
            _keep(memory.unsure, _key(request), (endpoint, entity))
        elif request.method == "GET" and memory.unsure and seen.status == 200:
            for key, (write, written) in list(memory.unsure.items()):
                same = entity == written or write == "create_reservation"
                if endpoint in LOOKS[write] and same and not seen.cut_off:
                    del memory.unsure[key]


def _key(request: SandboxRequest) -> str:
    if not request.body:
        return f"{request.method} {request.target}"
    return f"{request.method} {request.target} {hash(request.body)}"


def _listing(request: SandboxRequest) -> tuple[str, int]:
    """The list that a page belongs to, and the number of this page."""
    found = PAGE.search(request.target)
    return PAGE.sub("", request.target), int(found[1]) if found else 1


def _at(memory: _Memory, list_key: str, page: int) -> list[tuple[int, float]]:
    """The listings that have read this page, and no later one."""
    since = time.monotonic() - MEMORY_SECONDS
    return [one for one in memory.reached.get(list_key, []) if one[0] == page and one[1] > since]


def _move_on(memory: _Memory, list_key: str, page: int) -> None:
    """One listing has read this page: the one that had read the page before, or a new one."""
    others = memory.reached.get(list_key, [])[-MOST_LISTINGS:]
    for before in _at(memory, list_key, page - 1)[:1]:
        if before in others:
            others.remove(before)
    _keep(memory.reached, list_key, [*others, (page, time.monotonic())])


def _entity(request: SandboxRequest) -> str:
    parts = request.segments
    return parts[3] if len(parts) > 3 else ""


def _keep(memory: dict[str, Value], key: str, value: Value) -> None:
    memory[key] = value
    if len(memory) > MOST_REMEMBERED:
        del memory[next(iter(memory))]

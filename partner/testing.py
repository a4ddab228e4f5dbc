"""Test doubles of the partner for the tests of all apps: clock, transport, connection."""

import itertools
import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from django.utils import timezone
from pydantic.alias_generators import to_camel

from partner.auth.token_host import ClientCredentials, Granted
from partner.calls import ConnectionState, clear_states, set_state
from partner.client import Client
from partner.http.protocol import Request, Response
from partner.limits.priorities import CallPriority
from partner.models import Connection, PosIdentity, Slot, Token
from partner.models.webhook_tokens import TokenTable
from partner.payloads.answers import CONTRACTS

WEBHOOK_TOKEN = "webhook-token-for-tests-0123456789abcdef"  # noqa: S105 - opens nothing
ACCESS_TOKEN = "access-token-for-tests"  # noqa: S105 - opens nothing
FULL_SCOPES = "svc-restaurant svc-restaurant:override-availabilities"
FIXTURES = Path(__file__).parent / "tests" / "fixtures"
# The writes whose answer repeats what was sent.
REPEATING = (
    "create_reservation",
    "update_reservation",
    "override_availability",
    "reply_to_review",
)


def connection(**changes: Any) -> Connection:
    """Return the configured, active connection with a valid token stored."""
    clear_states()
    scopes = changes.pop("scopes", FULL_SCOPES)
    number = Connection.objects.count()
    facts = {
        "base_url": "https://api.example.com",
        "auth_url": "https://auth.example.com",
        "audience": "https://api.example.com/",
        "client_id": "client-for-tests",
        "client_secret": "client-secret-for-tests",
        "requests_per_minute": 60_000,
        "webhook_token": f"{WEBHOOK_TOKEN}-{number}" if number else WEBHOOK_TOKEN,
    }
    made = Connection.objects.create(**facts | changes)
    store_token(made, scopes=scopes)
    return made


def store_token(
    connection: Connection,
    *,
    scopes: str = FULL_SCOPES,
    lifetime: float = 8600,
    now: datetime | None = None,
) -> Token:
    """Put a valid token into the row, as the token host would have given it just now."""
    now = now or timezone.now()
    token = Token.objects.of(connection)
    token.access_token = ACCESS_TOKEN
    token.scopes = scopes
    token.requested_at = now
    token.usable_until = token.renew_from = now + timedelta(seconds=lifetime)
    token.save()
    return token


def slot_of(token: str, *, now: datetime | None = None) -> Slot | None:
    """Which address of a connection the token opens; None for one that opens none."""
    found = TokenTable.read().find(token, now=now)
    return found.slot if found else None


def pos_identity(**changes: Any) -> PosIdentity:
    facts = {
        "base_url": "https://pos.example.com",
        "api_key": "api-key-for-tests",
        "uuid": "0d9b3c52-3b52-4d6a-9a36-0f1a9a3a7c11",
    }
    return PosIdentity.objects.create(**facts | changes)


class FakeClock:
    """A clock that moves only by `sleep`, or by `passed`."""

    def __init__(self, start: datetime | None = None) -> None:
        self.boot_id = ""
        self.start = start or timezone.now()
        self.passed = 0.0
        self.naps: list[float] = []

    def uptime(self) -> float:
        return 1000.0 + self.passed

    def now(self) -> datetime:
        return self.start + timedelta(seconds=self.passed)

    def epoch(self) -> float | None:
        return self.now().timestamp()

    def sleep(self, seconds: float) -> None:
        self.naps.append(seconds)
        self.passed += seconds


class FakeTransport:
    """Answers by operation, from recorded files or given inline; records the requests.

        transport = FakeTransport(get_reservation=200)                  # the recorded file
        transport = FakeTransport(get_reservation=(404, {...}))         # given inline
        transport = FakeTransport(cancel_reservation=[Lost(), 200])     # one after the other
        Client(connection, transport=transport)

    An answer is a status (of a file `tests/fixtures/<operation>/<status>.json`; a write that
    succeeds repeats what was sent, as the service does), a pair of status and body, a triple with
    headers, a whole `Response`, an exception to raise, or a function of the request that returns
    any of these. A list is used up in order; anything else answers every time. An unexpected
    request fails the test.
    """

    def __init__(self, *, clock: FakeClock | None = None, **answers: Any) -> None:
        self.clock = clock or FakeClock()
        self.requests: list[Request] = []
        self.headers: list[dict[str, str]] = []
        self.token_requests: list[ClientCredentials] = []
        self._answers: dict[str, Iterator[Any]] = {}
        for operation, answer in answers.items():
            self.reply(operation, answer)

    def reply(self, operation: str, answer: Any) -> None:
        """Set or replace the answers of one operation."""
        in_order = isinstance(answer, list)
        self._answers[operation] = iter(answer) if in_order else itertools.repeat(answer)

    def sent(self, operation: str) -> list[Request]:
        return [request for request in self.requests if request.operation == operation]

    def bodies(self, operation: str) -> list[Any]:
        """Return the JSON bodies that were sent."""
        return [json.loads(request.body or b"null") for request in self.sent(operation)]

    def send(
        self, base_url: str, request: Request, *, headers: dict[str, str], read_timeout: float
    ) -> Response:
        self.requests.append(request)
        self.headers.append(headers)
        return self._response(self._next(request.operation, request), request=request)

    def request_token(self, credentials: ClientCredentials) -> Granted:
        self.token_requests.append(credentials)
        answer = self._next("token", credentials)
        if isinstance(answer, Exception):
            raise answer
        return answer if isinstance(answer, Granted) else Granted(str(answer), FULL_SCOPES)

    def _next(self, operation: str, request: Any) -> Any:
        answer = next(self._answers.get(operation, iter(())), None)
        if answer is None:
            raise AssertionError(f"unexpected request: {operation} {request!r}")
        return answer(request) if callable(answer) else answer

    def _response(self, answer: Any, *, request: Request) -> Response:
        if isinstance(answer, Exception):
            raise answer
        if isinstance(answer, Response):
            return answer
        if isinstance(answer, int):
            return self._recorded(request, answer)
        status, body, *rest = answer
        text = body if isinstance(body, bytes | str) else json.dumps(body)
        raw = text.encode() if isinstance(text, str) else text
        return Response(status, rest[0] if rest else {}, raw, self.clock.now())

    def _recorded(self, request: Request, status: int) -> Response:
        """Answer with a recorded body about the entity that the request names."""
        operation = request.operation
        own = FIXTURES / operation / f"{status}.json"
        path = own if own.exists() else FIXTURES / "gateway" / f"{status}.json"
        if not path.exists():
            raise AssertionError(f"no recorded answer {operation}/{status}.json")
        body = about(request, json.loads(path.read_bytes()))
        if status == 200 and operation in REPEATING:
            body = repeated(request, body)
        return Response(status, {}, json.dumps(body).encode(), self.clock.now())


def about(request: Request, body: Any) -> Any:
    """Return a body that names the entity of the request, where it names one."""
    contract = CONTRACTS.get(request.operation)
    key = to_camel(contract.subject) if contract else ""
    is_named = isinstance(body, dict) and key in body
    return body | {key: str(request.target)} if is_named else body


def recorded(operation: str, status: int = 200) -> Any:
    """Return a recorded body, to be changed and given inline."""
    return json.loads((FIXTURES / operation / f"{status}.json").read_bytes())


def repeated(request: Request, body: Any) -> Any:
    """Return the answer of a write with the values that were sent."""
    sent = json.loads(request.body or b"{}")
    sent.pop("customer", None)
    if "content" in sent:  # a reply stands in a part of its own
        sent = {"restaurantReply": body["restaurantReply"] | sent}
    return body | sent


def speak_through(transport: FakeTransport, **changes: Any) -> Connection:
    """Return a connection to which every client of this process speaks through `transport`."""
    made = connection(**changes)
    set_state(made, ConnectionState.build(made, transport=transport))
    return made


def client(
    transport: FakeTransport, *, priority: CallPriority = CallPriority.PERSON, **changes: Any
) -> Client:
    """Return a client of a fresh connection that speaks to `transport`."""
    return Client(connection(**changes), priority=priority, transport=transport)

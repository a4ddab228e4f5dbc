"""Who plays in the tests: the five clients, and shorthands for what they ask."""

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode

from partner_sandbox.app import Sandbox
from partner_sandbox.clock import FrozenClock, to_instant
from partner_sandbox.entities.reservations import local_text
from partner_sandbox.http.message import SandboxRequest, SandboxResponse

ANCHOR = date(2026, 10, 21)  # a Wednesday before the night on which European clocks go back
NINE = to_instant(datetime(2026, 10, 21, 9, tzinfo=UTC))
SEED = 7
NOBODY = "00000000-0000-4000-8000-000000000000"
TODAY, TOMORROW, SATURDAY = "2026-10-21", "2026-10-22", "2026-10-24"


@dataclass
class Answer:
    response: SandboxResponse

    @property
    def status(self) -> int:
        return self.response.status

    @property
    def json(self) -> Any:
        return json.loads(self.response.body)

    @property
    def code(self) -> str:
        return str(self.json["data"]["code"])

    def header(self, name: str) -> str | None:
        return next((v for k, v in self.response.headers if k == name), None)


class Caller:
    """One client with its token, requested once."""

    def __init__(self, cast: "Cast", name: str) -> None:
        self.cast = cast
        self.credentials = next(c for c in cast.world["clients"] if c["name"] == name)
        self.token = ""

    def form(self, **changes: str) -> dict[str, str]:
        return {
            "audience": self.cast.world["audience"],
            "grant_type": "client_credentials",
            "client_id": self.credentials["client_id"],
            "client_secret": self.credentials["client_secret"],
            **changes,
        }

    def ask_token(self, **changes: str) -> Answer:
        body = urlencode(self.form(**changes)).encode()
        answer = self.cast.send(
            "POST", "/auth/oauth/token", body, "application/x-www-form-urlencoded"
        )
        if answer.status == 200:
            self.token = answer.json["access_token"]
        return answer

    def __call__(self, method: str, path: str, body: Any = None, **query: Any) -> Answer:
        if not self.token:
            self.ask_token()
        target = f"/api/v1/{path}" + (f"?{urlencode(query)}" if query else "")
        raw = b"" if body is None else json.dumps(body).encode()
        kind = "application/json" if raw else ""
        return self.cast.send(method, target, raw, kind, authorization=f"Bearer {self.token}")


class Cast:
    def __init__(self, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.service = sandbox.service
        self.world = self.control("GET", "world").json
        self.group = self.world["groups"][0]
        self.mirabeau, self.octave, self.saltmarsh = self.group["restaurants"]
        self.other = self.world["other_groups"][0]
        for name in ("full", "limited", "unrestricted", "phone", "stranger"):
            setattr(self, name, Caller(self, name))

    full: Caller
    limited: Caller
    unrestricted: Caller
    phone: Caller
    stranger: Caller

    @property
    def clock(self) -> FrozenClock:
        clock = self.service.clock
        assert isinstance(clock, FrozenClock)
        return clock

    def send(
        self, method: str, target: str, body: bytes = b"", kind: str = "", **headers: str
    ) -> Answer:
        headers = {"host": "127.0.0.1", **headers}
        if kind:
            headers["content-type"] = kind
        return Answer(self.sandbox(SandboxRequest(method, target, headers, body)))

    def control(self, method: str, path: str, **params: Any) -> Answer:
        body = json.dumps(params).encode() if method == "POST" else b""
        query = f"?{urlencode(params)}" if params and method != "POST" else ""
        return self.send(method, f"/_sandbox/{path}{query}", body, "application/json")

    def happen(self, what: str, **options: Any) -> Any:
        answer = self.control("POST", "happen", what=what, **options)
        assert answer.status == 200, answer.json
        return answer.json["happened"]

    def breaches(self) -> dict[str, int]:
        found: dict[str, int] = self.control("GET", "journal").json["breaches"]
        return found

    def events(self) -> list[Any]:
        """Payloads queued so far, oldest first."""
        rows = self.control("GET", "deliveries", limit=1000).json["deliveries"]
        return [row["payload"] for row in reversed(rows)]

    def event_types(self) -> list[str]:
        return [event["eventType"] for event in self.events()]

    def find(self, condition: str, kind: str = "reservation") -> str:
        """The uuid of an entity that the small world holds, by a condition on its row."""
        with self.service.store.reading() as db:
            row = db.execute(
                f"SELECT uuid FROM {kind} WHERE {condition}"  # noqa: S608  a test's own words
                " ORDER BY id DESC LIMIT 1"
            ).fetchone()
        assert row is not None, condition
        text = row["uuid"].hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"

    def slots(self, day: str = TOMORROW, place: Any = None, **query: Any) -> Any:
        place = place or self.mirabeau
        return self.full("GET", f"restaurants/{place['uuid']}/timeslots", date=day, **query).json

    def free_slot(self, size: int = 2, day: str = TOMORROW, place: Any = None) -> str:
        """A slot with normal stock and no guarantee."""
        slots = self.slots(day, place, partySize=size)
        free = [s for s in slots if s["hasNormalStock"] and not s["hasPaymentGuaranteeRequirement"]]
        return str(free[-1]["datetime"])

    def booking(self, **changes: Any) -> dict[str, Any]:
        return {
            "mealDate": changes.get("mealDate") or self.free_slot(),
            "partySize": 2,
            "customer": guest(),
            **changes,
        }

    def book(self, caller: Caller | None = None, place: Any = None, **changes: Any) -> Answer:
        place = place or self.mirabeau
        path = f"restaurants/{place['uuid']}/reservations"
        return (caller or self.full)("POST", path, self.booking(**changes))

    def local(self, place: Any, instant: int) -> str:
        found = next(
            p for p in self.service.directory.restaurants.values() if p.uuid == place["uuid"]
        )
        return local_text(found, instant)


def guest(**changes: Any) -> dict[str, Any]:
    return {
        "email": "alice@example.com",
        "firstName": "Alice",
        "lastName": "Archer",
        "locale": "en_GB",
        "civility": "ms",
        **changes,
    }

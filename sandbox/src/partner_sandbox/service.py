"""Everything one running sandbox is made of, and one call as the endpoints see it."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from partner_sandbox.clock import SandboxClock
from partner_sandbox.dice import dice
from partner_sandbox.entities.directory import Directory
from partner_sandbox.faults.chosen import Faults
from partner_sandbox.http.errors import refuse
from partner_sandbox.http.fields import Body, Query, read_object
from partner_sandbox.http.limits import Limiter
from partner_sandbox.http.message import JSON, SandboxRequest
from partner_sandbox.journal import Journal
from partner_sandbox.rules import RuleWatch
from partner_sandbox.store import Store
from partner_sandbox.tokens import Tokens
from partner_sandbox.webhooks.events import Events

UNAUTHORIZED_STYLES = ("split", "api", "gateway", "alternate")


class SandboxService:
    """One world, its clock and its memory."""

    def __init__(
        self, store: Store, clock: SandboxClock, *, origin: str = "http://127.0.0.1:8100"
    ) -> None:
        self.store = store
        self.clock = clock
        self.origin = origin
        self.seed = int(store.setting("seed", 1))
        self.directory = Directory(store)
        self.tokens = Tokens(store, clock)
        self.journal = Journal(store)
        self.watch = RuleWatch()
        self.faults = Faults(self.seed)
        self.limiter = Limiter()
        self.events = Events(store, clock, self.faults)
        self.luck = dice(self.seed, "luck", clock.now())
        self.unauthorized = "split"
        self.pace = 1.0  # how much faster than believable things happen by themselves
        self.neighbours: tuple[SandboxService, ...] = ()  # the worlds of other owners
        self._refusals = 0
        self._lock = threading.Lock()

    def reset(self) -> None:
        """Drop what is remembered about a state that has just been replaced."""
        self.directory.load()
        self.tokens.reset()
        self.journal.clear()
        self.watch = RuleWatch()
        self.faults.clear()
        self.limiter.set(None)
        self.unauthorized = "split"

    def knows(self, uuid: bytes) -> bool:
        """Say whether an entity or restaurant with this uuid is one of this world."""
        if self.directory.restaurant(uuid):
            return True
        with self.store.reading() as db:
            rows = (
                db.execute(f"SELECT 1 FROM {kind} WHERE uuid=?", (uuid,)).fetchone()  # noqa: S608  ours
                for kind in ("reservation", "customer", "review")
            )
            return any(rows)

    @property
    def audience(self) -> str:
        return f"{self.origin}/api"

    def unauthorized_style(self, usual: str) -> str:
        """The format of the next 401: `split` keeps the usual one of the place it arises."""
        if self.unauthorized == "split":
            return usual
        if self.unauthorized != "alternate":
            return self.unauthorized
        with self._lock:
            self._refusals += 1
            return "api" if self._refusals % 2 else "gateway"


@dataclass
class SandboxCall:
    """An authorised request on its way through an endpoint."""

    service: SandboxService
    request: SandboxRequest
    endpoint: "SandboxEndpoint"
    path: dict[str, str]
    client: str = ""
    scopes: frozenset[str] = frozenset()
    breaches: list[str] = field(default_factory=list)
    beyond_end: bool = False

    def query(self) -> Query:
        query = Query(self.request.parameters())
        if query.unknown(self.endpoint.query):
            self.breaches.append("unknown_parameter")
        return query

    def body(self, *allowed: str) -> Body:
        if self.request.media_type != JSON:
            raise refuse(400, "INVALID_CONTENT_TYPE", breach="wrong_content_type")
        return Body(read_object(self.request.body), allowed)


@dataclass(frozen=True)
class SandboxEndpoint:
    name: str
    method: str
    template: str  # under the address of its host, for example /v1/reviews/{id}
    handler: Callable[[SandboxCall], Any]
    scopes: frozenset[str] = frozenset()
    query: frozenset[str] = frozenset()

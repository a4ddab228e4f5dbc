"""A sandbox in a thread of the test's own process: a second to start, real sockets all the same."""

import threading
from datetime import date
from pathlib import Path

from partner_sandbox.app import Sandbox as Application
from partner_sandbox.clock import SandboxClock
from partner_sandbox.http.server import Server
from partner_sandbox.service import SandboxService
from partner_sandbox.store import Store
from partner_sandbox.world.build import build
from tests.contract.sandbox import Sandbox

SEED = 7


class LocalSandbox(Sandbox):
    """Nothing lives in it: no event is sent, nobody arrives, no reply is moderated."""

    def __init__(self, folder: Path) -> None:
        clock = SandboxClock()
        self.store = Store(folder / "world.sqlite3", durable=False)
        build(self.store, "small", SEED, clock.today())
        service = SandboxService(self.store, clock)
        self._server = Server("127.0.0.1", 0, Application(service))
        service.origin = self.origin = f"http://127.0.0.1:{self._server.port}"
        threading.Thread(target=self._server.serve, daemon=True).start()
        self.world = self.get("world")

    @property
    def today(self) -> date:
        return date.fromisoformat(self.world["anchor"])

    def rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        """What is stored, which no answer of the service tells."""
        with self.store.reading() as db:
            return [tuple(row) for row in db.execute(query, values).fetchall()]

    def change(self, statement: str) -> None:
        with self.store.writing() as db:
            db.execute(statement)

    def stop(self) -> None:
        self._server.stop()
        self.store.close()

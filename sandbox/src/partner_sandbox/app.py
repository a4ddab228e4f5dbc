"""Puts the parts of one running sandbox together, starts them and stops them."""

from dataclasses import dataclass
from pathlib import Path

from partner_sandbox.control.site import Site
from partner_sandbox.http import addresses
from partner_sandbox.http.gateway import Gateway
from partner_sandbox.http.message import SandboxRequest, SandboxResponse
from partner_sandbox.life.living import Life
from partner_sandbox.service import SandboxService
from partner_sandbox.webhooks.sender import Sender


@dataclass(frozen=True)
class Settings:
    data: Path
    host: str = "127.0.0.1"
    port: int = 8100
    world: str = "small"
    seed: int = 1
    live: bool = False
    pace: float = 1.0
    webhook: str = ""
    any_host: bool = False
    owners: int = 1
    build_only: bool = False


class Sandbox:
    def __init__(
        self, service: SandboxService, *, live: bool = False, any_host: bool = False
    ) -> None:
        self.service = service
        self.gateway = Gateway(service, addresses.router())
        self.site = Site(service, any_host=any_host)
        self.sender = Sender(service.events, service.journal.blame)
        self.life = Life(service, live=live)

    def __call__(self, request: SandboxRequest) -> SandboxResponse:
        host = request.segments[0]
        return (self.gateway if host in addresses.HOSTS else self.site)(request)

    def start(self) -> None:
        self.sender.start()
        self.life.start()

    def stop(self) -> None:
        self.sender.stop()
        self.life.stop()
        self.service.journal.flush()

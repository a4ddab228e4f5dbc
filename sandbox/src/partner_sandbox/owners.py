"""Several owners behind one address: each account has a world, a journal and faults of its own.

The token, the credentials or the key of a request names its account, as at the service: the three
hosts are the same for all. The page and the control interface of the second owner stand
under /owners/2; those without a number are the first one's.
"""

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import parse_qs

from partner_sandbox.app import Sandbox
from partner_sandbox.http.addresses import HOSTS
from partner_sandbox.http.message import SandboxRequest, SandboxResponse, json_response
from partner_sandbox.world.places import BRANCHES

MOST_OWNERS = len(BRANCHES)  # then names would be the same
PREFIX = "/owners/"


def seed_of(seed: int, owner: int) -> int:
    """The seed of one owner's world; the first one's is that of a single owner."""
    return seed + owner - 1


class Owners:
    def __init__(self, sandboxes: Sequence[Sandbox]) -> None:
        self.sandboxes = sandboxes
        self._by_client: dict[str, Sandbox] = {}
        self._by_key: dict[str, Sandbox] = {}
        self._by_token: dict[str, Sandbox] = {}
        for sandbox in sandboxes:
            self._introduce(sandbox)

    def _introduce(self, sandbox: Sandbox) -> None:
        others = [one.service for one in self.sandboxes if one is not sandbox]
        sandbox.service.neighbours = tuple(others)
        with sandbox.service.store.reading() as db:
            for row in db.execute("SELECT client_id FROM client"):
                self._by_client[row["client_id"]] = sandbox
            for row in db.execute("SELECT api_key FROM pos_instance"):
                self._by_key[row["api_key"]] = sandbox

    def __call__(self, request: SandboxRequest) -> SandboxResponse:
        if request.target.startswith(PREFIX):
            return self._control(request)
        return self._owner_of(request)(request)

    def _control(self, request: SandboxRequest) -> SandboxResponse:
        """Pass on what stands after the number; the three hosts know no number."""
        number, _, rest = request.target.removeprefix(PREFIX).partition("/")
        inner = replace(request, target=f"/{rest}")
        is_known = number.isdecimal() and 1 <= int(number) <= len(self.sandboxes)
        if not is_known or inner.segments[0] in HOSTS:
            return json_response({"problem": "There is no such owner."}, 404)
        return self.sandboxes[int(number) - 1](inner)

    def _owner_of(self, request: SandboxRequest) -> Sandbox:
        """The owner who is named, or the first: an account that nobody has is refused there."""
        host, first = request.segments[0], self.sandboxes[0]
        if host == "auth":
            return self._by_client.get(_client_id(request), first)
        if host == "pos":
            return self._by_key.get(request.headers.get("x-api-key", ""), first)
        if host == "api":
            return self._by_bearer(request.headers.get("authorization", "")) or first
        return first

    def _by_bearer(self, authorization: str) -> Sandbox | None:
        token = authorization.partition(" ")[2].strip()
        if token not in self._by_token:
            found = [one for one in self.sandboxes if one.service.tokens.find(token)]
            if not found:
                return None
            self._by_token[token] = found[0]
        return self._by_token[token]

    def start(self) -> None:
        for sandbox in self.sandboxes:
            sandbox.start()

    def stop(self) -> None:
        for sandbox in self.sandboxes:
            sandbox.stop()


def _client_id(request: SandboxRequest) -> str:
    fields = parse_qs(request.body.decode("utf-8", "replace"))
    return fields.get("client_id", [""])[0]

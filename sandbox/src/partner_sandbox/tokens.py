"""Access tokens: issued, remembered, expired."""

import hashlib
import secrets
from dataclasses import dataclass

from partner_sandbox.clock import SECOND, SandboxClock
from partner_sandbox.store import Store

LIFETIME_SECONDS = 8600


@dataclass(frozen=True, slots=True)
class Grant:
    client_id: str
    scopes: frozenset[str]
    expires: int


class Tokens:
    """Only digests are stored, as a careful service would; a cache spares the look-up."""

    def __init__(self, store: Store, clock: SandboxClock) -> None:
        self.store = store
        self.clock = clock
        self._known: dict[bytes, Grant] = {}

    def issue(self, client_id: str, scopes: str) -> str:
        token = secrets.token_urlsafe(48)
        now = self.clock.now()
        expires = now + LIFETIME_SECONDS * SECOND
        with self.store.writing() as db:
            db.execute("DELETE FROM token WHERE expires<?", (now - LIFETIME_SECONDS * SECOND,))
            db.execute(
                "INSERT INTO token VALUES (?,?,?,?,?)",
                (_digest(token), client_id, scopes, now, expires),
            )
        return token

    def find(self, token: str) -> Grant | None:
        """The grant behind a token, expired or not; None when it was never issued."""
        digest = _digest(token)
        grant = self._known.get(digest)
        if grant is None:
            with self.store.reading() as db:
                row = db.execute("SELECT * FROM token WHERE digest=?", (digest,)).fetchone()
            if row is None:
                return None
            grant = Grant(row["client_id"], frozenset(row["scopes"].split()), row["expires"])
            self._known[digest] = grant
        return grant

    def is_valid(self, grant: Grant) -> bool:
        now = self.clock.now()
        return grant.expires - LIFETIME_SECONDS * SECOND <= now < grant.expires

    def has_valid(self, client_id: str) -> bool:
        with self.store.reading() as db:
            row = db.execute(
                "SELECT 1 FROM token WHERE client_id=? AND expires>?",
                (client_id, self.clock.now()),
            ).fetchone()
        return row is not None

    def reset(self) -> None:
        self._known.clear()

    def expire_all(self) -> int:
        """Make every token in use old at once, as if its time had passed."""
        now = self.clock.now()
        with self.store.writing() as db:
            count = db.execute(
                "UPDATE token SET expires=? WHERE expires>?", (now - 1, now)
            ).rowcount
        self._known.clear()
        return count


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()

"""The webhook tokens of all connections, by their hash.

To find one takes the same time however many there are, and the same whether it is right or wrong:
a look-up by hash shows at most the hash's beginning, from which nobody learns a token.
"""

from datetime import datetime
from hmac import compare_digest
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from partner.models.connection import Connection, Slot, hash_token


class KnownToken(NamedTuple):
    """Which account a token belongs to, and which of its two it is."""

    connection_id: int | None
    slot: Slot
    hash: str = "-" * 64
    expires_at: datetime | None = None


NO_TOKEN = KnownToken(None, Slot.CURRENT)
FIELDS = ("pk", "webhook_token_hash", "previous_webhook_token_hash", "previous_expires_at")


def is_taken(token: str, *, besides: int | None = None) -> bool:
    """Whether another connection has this token now or has it still: whose event would it be?"""
    given = hash_token(token)
    alike = Q(webhook_token_hash=given) | Q(previous_webhook_token_hash=given)
    rows = Connection.objects.current_ones().filter(alike)
    return any(pk != besides for pk in rows.values_list("pk", flat=True))


class TokenTable:
    """The tokens as they were a moment ago. False when there is none."""

    def __init__(self, tokens: list[KnownToken]) -> None:
        # The current ones last: they win over a previous one that is the same.
        ordered = sorted(tokens, key=lambda token: token.slot == Slot.CURRENT)
        self._by_hash = {token.hash: token for token in ordered}

    @classmethod
    def read(cls) -> "TokenTable":
        """Read the tokens of all connections that have not been retired. One query."""
        rows = Connection.objects.current_ones()
        tokens = []
        for pk, current, previous, expires_at in rows.values_list(*FIELDS):
            tokens.append(KnownToken(pk, Slot.CURRENT, current))
            if previous and expires_at:
                tokens.append(KnownToken(pk, Slot.PREVIOUS, previous, expires_at))
        return cls(tokens)

    def __bool__(self) -> bool:
        return bool(self._by_hash)

    def find(self, token: str, *, now: datetime | None = None) -> KnownToken | None:
        """Return whose token this is."""
        given = hash_token(token)
        known = self._by_hash.get(given, NO_TOKEN)
        if not compare_digest(given, known.hash):
            return None
        if known.expires_at and (now or timezone.now()) >= known.expires_at:
            return None
        return known

"""Connection, credentials, tokens and rate limit of the service."""

from auditlog.registry import auditlog

from partner.models.budget import Budget
from partner.models.connection import Connection, PosIdentity, Slot, last_four
from partner.models.token import Token, TokenRequest

__all__ = ["Budget", "Connection", "PosIdentity", "Slot", "Token", "TokenRequest", "last_four"]

# Excluded, not masked: auditlog's masks show half of the secret.
auditlog.register(
    Connection,
    exclude_fields=[
        "client_secret",
        "previous_client_secret",
        "webhook_token",
        "webhook_token_hash",
        "previous_webhook_token_hash",
        "webhook_token_used_at",
        "previous_used_at",
        "updated_at",
    ],
)
auditlog.register(PosIdentity, exclude_fields=["api_key", "updated_at"])

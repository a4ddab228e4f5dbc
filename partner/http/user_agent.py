"""The User-Agent header of every request to the service."""

from functools import lru_cache

from django.conf import settings


@lru_cache(maxsize=1)
def user_agent() -> str:
    return f"Couvert/{settings.VERSION} (+{settings.PARTNER_CONTACT})"

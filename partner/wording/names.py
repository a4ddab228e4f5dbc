"""Neutral names of the contract, and the real ones of the service, which carry a brand.

`PARTNER_NAMES` maps the neutral word to the real one, for scopes, fields, channels and
milestones alike. Outside this app only neutral words are used.
"""

from functools import lru_cache

from django.conf import settings

from partner.endpoints import FULL


def real(neutral: str) -> str:
    """Return the word that is sent."""
    names: dict[str, str] = settings.PARTNER_NAMES
    return names.get(neutral, neutral)


def real_scope(neutral: str) -> str:
    """Return a scope's real name; all of them share the prefix of full access."""
    return real(FULL) + neutral.removeprefix(FULL)


def neutral(word: str) -> str:
    """Return the word that we know for one that was received."""
    return _reverse(tuple(settings.PARTNER_NAMES.items())).get(word, word)


@lru_cache(maxsize=2)
def _reverse(names: tuple[tuple[str, str], ...]) -> dict[str, str]:
    return {real: neutral for neutral, real in names}

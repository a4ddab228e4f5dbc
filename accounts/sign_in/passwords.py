"""Refuses guessable passwords: common ones, and those made of well-known names of the place.

Django refuses a password that *is* a common one; this splits it into parts. A common password or a
known word inside counts as few characters, however long it is, a row of keys as one:
`Couvert-2026!!` counts as six characters, not fourteen.
"""

import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from django.contrib.auth.password_validation import CommonPasswordValidator
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from lib.registration import ExtensionPoint

# The first guesses of an attacker; see docs/people.md.
TRADE = frozenset(
    [
        *["couvert", "restaurant", "restaurante", "restaurants", "booking", "kitchen", "cuisine"],
        *["reservation", "reservations", "réservation", "réservations", "reserva", "reservas"],
        *["cocina", "service", "servicio", "manager", "admin", "welcome", "bienvenue"],
        *["bienvenido", "password", "passwort", "contraseña", "motdepasse"],
    ]
)
FEWEST_CHARACTERS = 8
# One word of twenty thousand is as many guesses as three characters.
WORD_CHARACTERS = 3
WORD_LENGTHS = range(3, 40)
SUBSTITUTES = str.maketrans("@4310$57!", "aaeiossti")
SEPARATORS = " -_.,"
YEAR = re.compile(r"(19|20)\d\d")

# Each returns names that a person's password must not be made of.
WORD_SOURCES: ExtensionPoint[Callable[[Any], Iterable[str]]] = ExtensionPoint(
    "Words that no password is made of"
)


class GuessableValidator:
    def validate(self, password: str, user: Any = None) -> None:
        words = common_passwords() | TRADE | own_words(user)
        plain = password.lower()
        spellings = {plain, plain.translate(SUBSTITUTES)}
        if min(effective_length(text, words) for text in spellings) < FEWEST_CHARACTERS:
            raise ValidationError(self.get_help_text(), code="password_guessable")

    def get_help_text(self) -> str:
        return str(
            _(
                "Your password must not be made of common words, names, rows of keys or "
                "what everybody knows here, such as the name of the restaurant."
            )
        )


@lru_cache(maxsize=1)
def common_passwords() -> frozenset[str]:
    passwords: set[str] = CommonPasswordValidator().passwords
    return frozenset(word for word in passwords if len(word) > 3)


def own_words(user: Any) -> frozenset[str]:
    """Names of the person and of the places where the person works."""
    if user is None or not user.pk:
        return frozenset()
    names = [user.name, user.email, *(name for source in WORD_SOURCES for name in source(user))]
    return frozenset(spelling for name in names for spelling in spellings_of(name.lower()))


def spellings_of(name: str) -> list[str]:
    """Return a name as it is, in one word, and word by word."""
    parts = [part for part in re.split(r"[\W_]+", name) if len(part) >= WORD_LENGTHS.start]
    return [name, "".join(parts), *parts]


def effective_length(text: str, words: frozenset[str]) -> int:
    """Return the fewest characters that the text comes down to, taken apart in any way."""
    fewest = [0]
    for end in range(1, len(text) + 1):
        ways = [fewest[-1] + (text[end - 1] not in SEPARATORS)]
        for start in range(max(0, end - WORD_LENGTHS.stop), end - 2):
            if cost := cost_of(text[start:end], words):
                ways.append(fewest[start] + cost)
        fewest.append(min(ways))
    return fewest[-1]


def cost_of(part: str, words: frozenset[str]) -> int:
    """Return how many characters a part counts as; 0 for an unknown one."""
    if is_row(part) or YEAR.fullmatch(part):
        return 1
    return WORD_CHARACTERS if part in words else 0


def is_row(part: str) -> bool:
    """Return whether the signs are all the same, or follow each other as in 1234, abc and 321."""
    steps = {ord(later) - ord(sooner) for sooner, later in zip(part, part[1:], strict=False)}
    return steps in ({0}, {1}, {-1})

"""Parses telephone numbers in any spelling and formats them for people and for the service."""

from typing import NamedTuple

import phonenumbers
from phonenumbers import PhoneNumber, PhoneNumberFormat

from customers import phones
from customers.models import digits

MOST_DIGITS = 15  # of any number in the world, its country among them


class Number(NamedTuple):
    """`typed` is what came in; `e164` is empty while it is not a number yet."""

    typed: str
    e164: str = ""
    shown: str = ""
    country: str = ""
    is_certain: bool = False  # a whole number of its country, not the beginning of one

    @property
    def has_letters(self) -> bool:
        """Whether a name was typed, or a note: no more digits make it a number."""
        return any(map(str.isalpha, self.typed))

    @property
    def has_too_many_digits(self) -> bool:
        return len(digits(self.typed)) > MOST_DIGITS

    def __bool__(self) -> bool:
        return bool(self.e164)


def read(typed: str, *, country: str) -> Number:
    """Read any spelling; a national one as it is dialled in the restaurant's country."""
    typed = typed.strip()
    e164 = phones.normalise(typed, countries=[country])
    if not e164:
        return Number(typed)
    parsed = _parse(e164)
    if parsed is None:
        return Number(typed, e164, shown=e164)
    return Number(
        typed=typed,
        e164=e164,
        shown=phonenumbers.format_number(parsed, PhoneNumberFormat.INTERNATIONAL),
        country=phonenumbers.region_code_for_number(parsed) or "",
        is_certain=phonenumbers.is_valid_number(parsed),
    )


def pretty(e164: str) -> str:
    """Format a number for people; what cannot be parsed stays as it is."""
    return read(e164, country="").shown or e164


def local(e164: str, *, country: str) -> str:
    """As it is dialled at the restaurant, digits only: the contract's `callCallerId`."""
    parsed = _parse(e164)
    if parsed is None:
        return digits(e164)
    return digits(phonenumbers.format_out_of_country_calling_number(parsed, country))


def national(e164: str) -> str:
    """The digits that every spelling of it shares, without country code and leading zero."""
    parsed = _parse(e164)
    return str(parsed.national_number) if parsed else digits(e164)


def _parse(e164: str) -> PhoneNumber | None:
    """Fifteen digits may look right and belong to no country."""
    try:
        return phonenumbers.parse(e164, None)
    except phonenumbers.NumberParseException:
        return None

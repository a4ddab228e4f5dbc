"""Normalises phone numbers to E.164."""

import re
from collections.abc import Iterable

import phonenumbers

E164 = re.compile(r"\+[1-9][0-9]{6,14}")
# Spacing, and the zero that some write between country code and number: +33 (0)6 …
NOISE = re.compile(r"\(0\)|[\s().\-/]")
# Longer than any number with an extension: parsing megabytes of notes would stop a worker.
LONGEST = 40
NO_COUNTRY = "ZZ"
EXAMPLE_COUNTRY = "FR"


def normalise(text: str, *, countries: Iterable[str]) -> str:
    """The number as E.164, or "". A national form is parsed with the first country that makes it
    valid, because the service guarantees no form and names no country."""
    number = NOISE.sub("", text[:LONGEST])
    if number.startswith("00"):
        number = f"+{number[2:]}"
    if E164.fullmatch(number):
        return number
    if not any(c.isdecimal() for c in number):
        return ""
    if number.startswith("+"):
        return _national(number, country=NO_COUNTRY)
    return next(filter(None, (_national(number, country=country) for country in countries)), "")


def example(country: str) -> str:
    """A mobile number as it is written in the country, or in another one if it is unknown."""
    known = country if country in phonenumbers.SUPPORTED_REGIONS else EXAMPLE_COUNTRY
    number = phonenumbers.example_number_for_type(known, phonenumbers.PhoneNumberType.MOBILE)
    shown = phonenumbers.PhoneNumberFormat.INTERNATIONAL
    return str(phonenumbers.format_number(number, shown)) if number else ""


def _national(number: str, *, country: str) -> str:
    try:
        parsed = phonenumbers.parse(number, country)
    except phonenumbers.NumberParseException:
        return ""
    if not phonenumbers.is_valid_number(parsed):
        return ""
    return str(phonenumbers.format_number(parsed, phonenumbers.PhoneNumberFormat.E164))

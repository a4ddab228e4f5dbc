"""Dates in words, with days and months in small letters where a language writes them so.

Django's formats `M` and `l` begin with a capital in every language: “mar 24 Nov”. The filter
`date` of our templates is `lib/templatetags/dates.py`.
"""

from datetime import date

from django.utils import formats
from django.utils.translation import get_language

NAMES = frozenset("DFMNl")  # what becomes the name of a day or of a month
IN_SMALL_LETTERS = ("fr", "es")


def date_format(value: date | str, form: str = "DATE_FORMAT") -> str:
    return in_own_letters(formats.date_format(value, form), form)


def in_own_letters(words: str, form: str) -> str:
    """What a format made, with the names in the letters of the reader's language."""
    if NAMES.isdisjoint(form) or not (get_language() or "").startswith(IN_SMALL_LETTERS):
        return words
    return words.lower()

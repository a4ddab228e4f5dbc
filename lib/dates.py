"""Dates in words as a language writes them: “mar 24 nov”, “24 de noviembre de 2026”.

Django's formats `M` and `l` begin with a capital in every language, and a form of ours has nothing
between its parts. The filter `date` of our templates is `lib/templatetags/dates.py`.
"""

from datetime import date, datetime, timedelta
from functools import lru_cache

from django.utils import formats
from django.utils.translation import get_language

NAMES = frozenset("DFMNl")  # what becomes the name of a day or of a month
IN_SMALL_LETTERS = ("fr", "es")
MINUS = "\N{MINUS SIGN}"
JOINED = {"es": {"j F": r"j \d\e F", "F Y": r"F \d\e Y"}}


def date_format(value: date | str, form: str = "DATE_FORMAT") -> str:
    if type(value) is date:
        return _of_a_day(value, form, get_language())
    return _written(value, form)


@lru_cache(maxsize=4096)
def _of_a_day(value: date, form: str, _language: str | None) -> str:
    """A page names the same days many times, and every page names those of its menu of days."""
    return _written(value, form)


def _written(value: date | str, form: str) -> str:
    return in_own_letters(formats.date_format(value, joined(form)), form)


def joined(form: str) -> str:
    """The form with the words that a language puts between day, month and year."""
    for parts, words in JOINED.get((get_language() or "")[:2], {}).items():
        form = form.replace(parts, words)
    return form


def in_own_letters(words: str, form: str) -> str:
    """What a format made, with the names in the letters of the reader's language."""
    if NAMES.isdisjoint(form) or not (get_language() or "").startswith(IN_SMALL_LETTERS):
        return words
    return words.lower()


def utc_offset(local: datetime) -> str:
    """The zone of a moment, as “UTC+9”: nothing else tells times of several zones apart."""
    minutes = round((local.utcoffset() or timedelta()).total_seconds() / 60)
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{MINUS if minutes < 0 else '+'}{hours}{f':{rest:02}' if rest else ''}"

"""Notes in scripts whose words the lists do not have: that they speak of an allergy is found.

Japanese, Chinese, Korean, Thai, Arabic, Hebrew, Hindi, Russian and Greek. The cause stays with
whoever can read it. A denial must stand right beside the word: further away it says what the guest
cannot eat (“卵アレルギーで食べられない”).
"""

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import normalize

from customers.allergies.findings import AllergenFinding
from customers.allergies.lexicon import read_file

# Of a word of Russian, Greek or Hebrew. East Asia writes the next word without a space.
ENDING = "[^\\W\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]*"
NEAR = 24  # characters before the word in which its denial stands


def allergies_in(text: str) -> Iterator[AllergenFinding]:
    if text.isascii():
        return
    for found in allergy().finditer(text):
        before, after = text[max(0, found.start() - NEAR) : found.start()], text[found.end() :]
        if not (denial_before().search(before) or denial_after().match(after)):
            yield AllergenFinding("unspecified", "stated", found.span())


@cache
def allergy() -> re.Pattern[str]:
    return pattern(words("allergy"))


@cache
def denial_before() -> re.Pattern[str]:
    """“没有食物过敏”, “нет пищевых аллергий”: a denial, and words that may follow it."""
    return pattern(rf"(?<!\w)(?:{words('no')})(?:\s*(?:{words('between')}))*\s*\Z")


@cache
def denial_after() -> re.Pattern[str]:
    """“アレルギーはなし”, “過敏：無”, “аллергии нет”: after the end of the word, or a colon."""
    return pattern(rf"{ENDING}(?:{words('particles')})?\s*[:：]?\s*(?:{words('none')})")


def words(kind: str) -> str:
    """Those of a kind, with their marks in one sign and apart; the longest first."""
    listed = read_file("shared")["other_scripts"][kind].split(", ")
    written = {normalize(form, word) for form in ("NFC", "NFD") for word in listed}
    return "|".join(re.escape(word) for word in sorted(written, key=len, reverse=True))


def pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, re.IGNORECASE)

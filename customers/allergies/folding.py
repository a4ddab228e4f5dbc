"""Words of a note with their places, written one way: small letters, no accents."""

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

WORD = re.compile(
    r"(?<![^\W_])[sS]/|"  # “sin”
    r"(?:[^\W\d_][\u0300-\u036f]*)+|\d+|\++|[^\w\s]|\n"
)
JOINERS = frozenset("-'’/_#*\"“”«»`´\ufe0f\u200d")
SPELLED = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "ł": "l", "ı": "i"})
WIDE = re.compile("[０-９Ａ-Ｚａ-ｚ･-ﾟ]")  # of Japanese keyboards
MAIZE = "maïs"  # without its sign it is “but”


class NoteToken(NamedTuple):
    word: str
    start: int
    end: int


@lru_cache(maxsize=4_000)
def fold(word: str) -> str:
    word = word.casefold()
    if word.isascii():
        return word
    if unicodedata.normalize("NFC", word) == MAIZE:
        return MAIZE
    plain = unicodedata.normalize("NFD", word)
    return "".join(c for c in plain if not unicodedata.combining(c)).translate(SPELLED)


def in_plain_width(text: str) -> str:
    """“卵ＮＧ”, “ｴﾋﾞｱﾚﾙｷﾞｰ”: a sign for each sign, so that all places stay what they were"""
    if text.isascii():
        return text
    return WIDE.sub(lambda one: unicodedata.normalize("NFKC", one[0]), text)


def tokens(text: str) -> list[NoteToken]:
    """Tokens in order; hyphens, apostrophes and slashes inside words only separate them.

    “s/” is one: Spanish, Portuguese and French write “without” so. A mark that stands alone is
    none, as vowels of Thai, Hindi, Hebrew and Arabic are here.
    """
    found = []
    for one in WORD.finditer(text):
        written = one[0]
        if written in JOINERS and _joins(text, one):
            continue
        if word := fold(written):
            found.append(NoteToken(word, *one.span()))
    return found


def _joins(text: str, found: re.Match[str]) -> bool:
    if found[0] == "#":
        return not text[found.end() :][:1].isdigit()  # “#2 gluten free” is a seat
    if found[0] in "-/" and text[: found.start()].rstrip(" ").endswith(":"):
        return text[found.end() :][:1].strip(" ") not in ("", "\n")  # “Allergies: -”
    before = text[max(0, found.start() - 2) : found.start()]
    behind = text[found.end() : found.end() + 1]
    is_of_seat = behind in ("", ",", ";", ".") and before[-2:-1].isdigit()  # “S2 -, S3 milk”
    is_spaced = before[-1:].isspace() and (behind.isspace() or is_of_seat)
    return not (found[0] == "-" and is_spaced)


def words(phrase: str) -> tuple[str, ...]:
    if phrase.isascii() and phrase.replace(" ", "").isalpha():
        return tuple(map(fold, phrase.split()))  # as most phrases of the lists are
    return tuple(token.word for token in tokens(phrase))

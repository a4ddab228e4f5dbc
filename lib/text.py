"""Text that any database can hold, text that can be compared, and text that was an answer."""

import json
import re
import unicodedata
from typing import Any

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# Letters that Unicode does not take apart into a base letter and an accent.
WHOLE_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def storable(text: str) -> str:
    """Replace NUL and lone surrogates: JSON may spell them, PostgreSQL and UTF-8 may not."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def as_data(raw: str) -> Any:
    """What an answer said, for people and exports; the text itself where it is no JSON."""
    try:
        return json.loads(raw)
    except ValueError:
        return raw


def fold(text: str) -> str:
    """Drop case and accents, so that “Lefèvre”, “LEFEVRE” and “lefevre” are one word."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(WHOLE_LETTERS)

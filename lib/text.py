"""Text that any database can hold, and text that can be compared."""

import re
import unicodedata

UNSTORABLE = re.compile("[\0\ud800-\udfff]")
# Letters that Unicode does not take apart into a base letter and an accent.
WHOLE_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def storable(text: str) -> str:
    """Replace NUL and lone surrogates: JSON may spell them, PostgreSQL and UTF-8 may not."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def fold(text: str) -> str:
    """Drop case and accents, so that “Lefèvre”, “LEFEVRE” and “lefevre” are one word."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(WHOLE_LETTERS)

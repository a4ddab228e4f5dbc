"""Text that any database, page and file can hold, names and text to compare, and others' JSON.

Received JSON may contain NaN, lone surrogates, endless numbers and a hundred thousand levels. It is
stored as text, character for character. All code reads values out of it through this module, so
that no later step can fail because of them.
"""

import json
import math
import re
import unicodedata
from typing import Any

BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
ESCAPED_UNSTORABLE = ("\\u0000", "\\ud", "\\uD")
# The contract needs six levels. What is read is written again by code that calls itself per level.
MOST_LEVELS = 50
DEEPER = "…"
MOST_DIGITS = 400
# Letters that Unicode does not take apart into a base letter and an accent.
WHOLE_LETTERS = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
)


def storable(text: str) -> str:
    """Replace NUL and lone surrogates: JSON can contain them, PostgreSQL and UTF-8 cannot."""
    return UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def recorded(value: Any) -> str:
    """What a history keeps of a value: of several the words, in an order of their own."""
    if isinstance(value, list | tuple):
        return ", ".join(sorted(map(recorded, value)))
    if isinstance(value, dict) and "value" in value:  # a field of the group
        return ": ".join(filter(None, (recorded(value.get("label")), recorded(value["value"]))))
    if isinstance(value, dict):  # which may hold anything
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    if isinstance(value, bool):
        return "✓" if value else "✗"
    return "" if value is None else str(value)


def parse_json(text: str) -> tuple[Any, bool]:
    """Return the values of a JSON text, and whether some were replaced to be storable.

    Raises `ValueError` for what is not JSON or too deep to be decoded.
    """
    payload = _decode(text.removeprefix(BOM))
    if not any(sign in text for sign in ESCAPED_UNSTORABLE) and _is_shallow(text):
        return payload, False
    cleaned = _storable_value(payload, MOST_LEVELS)
    return cleaned, cleaned != payload


def as_data(raw: str) -> Any:
    """Return the values of an answer, for people, exports and redaction; the text if no JSON."""
    try:
        return parse_json(raw)[0]
    except ValueError:
        return storable(raw)


def as_json_line(raw: str) -> str:
    """The JSON text on one line; rewritten only if it is not valid JSON."""
    try:
        _STRICT_DECODER.decode(raw)
    except (ValueError, RecursionError):
        return json.dumps(_decoded(raw))
    # Between tokens a line break is white space; inside strings these two stand as they are.
    line = raw.replace("\r", " ").replace("\n", " ")
    return line.replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _decoded(raw: str) -> Any:
    try:
        return _decode(raw.removeprefix(BOM)) if raw else None
    except ValueError:
        return raw


def _decode(text: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError:
        raise
    except RecursionError:
        raise ValueError("nested too deep") from None
    except ValueError:  # an integer of more than 4,300 digits
        return _SLOW_DECODER.decode(text)


def _is_shallow(text: str) -> bool:
    return text.count("[") + text.count("{") <= MOST_LEVELS


def _storable_value(value: Any, levels: int) -> Any:
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, list | dict) and levels == 0:
        return DEEPER
    if isinstance(value, list):
        return [_storable_value(item, levels - 1) for item in value]
    if isinstance(value, dict):
        return {storable(key): _storable_value(item, levels - 1) for key, item in value.items()}
    return value


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if math.isfinite(number) else None


def _small_int(digits: str) -> int | None:
    return int(digits) if len(digits) < MOST_DIGITS else None


def _no_number(_constant: str) -> None:
    return None


def _no_json(constant: str) -> None:
    raise ValueError(constant)


_DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
_SLOW_DECODER = json.JSONDecoder(
    parse_constant=_no_number, parse_float=_finite, parse_int=_small_int
)
_STRICT_DECODER = json.JSONDecoder(parse_constant=_no_json, parse_float=str, parse_int=str)


def fold(text: str) -> str:
    """Drop case and accents, so that “Lefèvre”, “LEFEVRE” and “lefevre” are one word."""
    if text.isascii():
        return text.lower()
    apart = unicodedata.normalize("NFKD", text.casefold())
    return "".join(c for c in apart if not unicodedata.combining(c)).translate(WHOLE_LETTERS)


def words_of(note: str) -> list[str]:
    """What two notes are compared by: neither spaces nor the bytes of an accent count."""
    return unicodedata.normalize("NFC", note).split()


def board_name(first_name: str, last_name: str) -> str:
    """“Rossi M.”: hosts call the surname."""
    if last_name and first_name:
        return f"{last_name} {initial_of(first_name)}"
    return last_name or first_name


def initial_of(first_name: str) -> str:
    """“M.” for “Maria”; a name in a script without capitals stays whole: “花子” has no initial."""
    letter = first_name[:1]
    return first_name if letter.lower() == letter.upper() else f"{letter}."

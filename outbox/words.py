"""What is said about an intent, kept as a code and its parameters: every reader has a language.

`said` on the row is one of two things, and `{}` while there is nothing to say:

    {"code": "NO_AVAILABILITY", "kind": "refused", "is_read": false}   the service's, from its table
    {"text": "Now %(size)s people.", "params": {"size": 4}, "next": "…"}    ours, in English
"""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, override

from partner import errors
from partner import words as table

Said = dict[str, Any]


def say(text: "str | Promise", *, next_step: "str | Promise" = "", **params: Any) -> Said:
    """Keep a sentence of ours. It must be marked for translation where it is written."""
    if not text:
        return {}
    return {"text": _source(text), "params": params, "next": _source(next_step)}


def say_error(error: errors.PartnerError, *, is_read: bool = False) -> Said:
    """Keep what an error says: our own sentence if it brings one, else the table's.

    An intent is a write even where the door was shut before the request was made: nothing changed.
    """
    own: Said | None = getattr(error, "said", None)
    if own is not None:
        return own
    if isinstance(error, errors.InvalidRequest):
        with override(None):
            return {"text": error.sentence, "params": {}, "next": ""}
    return {"code": error.code, "kind": error.kind, "is_read": is_read}


def sentence(said: Said) -> str:
    """What happened, and what did not, in the language of whoever reads it now."""
    if "kind" in said:
        return table.sentence(said["code"], kind=said["kind"], is_read=said["is_read"])
    return _ours(said, "text")


def next_step(said: Said) -> str:
    if "kind" in said:
        return table.next_step(said["code"], kind=said["kind"])
    return _ours(said, "next")


def _ours(said: Said, part: str) -> str:
    text = said.get(part)
    if not text:
        return ""
    words = gettext(text)
    params = said.get("params")
    return words % params if params else words


def _source(text: "str | Promise") -> str:
    """The text as it stands in the code: what catalogues are asked for."""
    with override(None):
        return str(text)

"""The message about an intent, stored as a code with parameters and translated for each reader.

`message` on the row is one of two things, and `{}` while there is nothing to say:

    {"code": "NO_AVAILABILITY", "kind": "refused", "is_read": false}   the service's, from its table
    {"text": "Now %(size)s people.", "params": {"size": 4}, "next": "…"}    ours, in English
"""

from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext, override

from partner import errors
from partner.wording import words as table

Message = dict[str, Any]


def say(text: "str | Promise", *, next_step: "str | Promise" = "", **params: Any) -> Message:
    """Build a message from a sentence of ours, which must be marked for translation."""
    if not text:
        return {}
    return {"text": _source(text), "params": params, "next": _source(next_step)}


def say_error(error: errors.PartnerError, *, is_read: bool = False) -> Message:
    """Build a message from an error: its own sentence if it has one, else the table's.

    An intent counts as a write even if the request was never made: nothing changed.
    """
    own: Message | None = getattr(error, "message", None)
    if own is not None:
        return own
    if isinstance(error, errors.InvalidRequest):
        with override(None):
            return {"text": error.sentence, "params": {}, "next": ""}
    return {"code": error.code, "kind": error.kind, "is_read": is_read}


def sentence(message: Message) -> str:
    """What happened and what did not, in the language of the current reader."""
    if "kind" in message:
        return table.sentence(message["code"], kind=message["kind"], is_read=message["is_read"])
    return _ours(message, "text")


def next_step(message: Message) -> str:
    if "kind" in message:
        return table.next_step(message["code"], kind=message["kind"])
    return _ours(message, "next")


def _ours(message: Message, part: str) -> str:
    text = message.get(part)
    if not text:
        return ""
    words = gettext(text)
    params = message.get("params")
    return words % params if params else words


def _source(text: "str | Promise") -> str:
    """The untranslated text, which is the key in the catalogues."""
    with override(None):
        return str(text)

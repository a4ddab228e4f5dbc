"""Parses the bytes of a delivery. Pure: no database, no clock.

Words of the service stay strings: it may add entity types, event types and fields at any time
("Receiver obligations" 3). What is known stands in one table, and a test walks it.
"""

import json
import re
import zlib
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext_lazy as _

from lib.text import storable

EVENT_LABELS = {
    "customerCreated": _("Guest created"),
    "customerUpdated": _("Guest changed"),
    "reservationCreated": _("Booking created"),
    "reservationUpdated": _("Booking changed"),
    "reviewRatingCreated": _("Review written"),
    "reviewCommentPublished": _("Comment published"),
    "reviewCommentUnpublished": _("Comment not published, or in moderation"),
    "reviewValidityChanged": _("Validity of a review changed"),
}
GZIP = b"\x1f\x8b"
KNOWN = {
    "customer": {"customerCreated", "customerUpdated"},
    "reservation": {"reservationCreated", "reservationUpdated"},
    "review": {
        "reviewRatingCreated",
        "reviewCommentPublished",
        "reviewCommentUnpublished",
        "reviewValidityChanged",
    },
}


@dataclass(frozen=True, kw_only=True)
class WebhookEvent:
    """An entity may have changed. Older payloads name neither group nor restaurant."""

    entity_type: str
    event_type: str
    uuid: UUID
    group_uuid: UUID | None = None
    restaurant_uuid: UUID | None = None


@dataclass(frozen=True, kw_only=True)
class UnknownEvent:
    """A word that this version does not know. Not an error: it was announced."""

    entity_type: str
    event_type: str


class OddDelivery(ValueError):
    """The bytes are not an event. `reason` is one of `Delivery.Reason`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def parse(raw: bytes) -> WebhookEvent | UnknownEvent:
    payload = _object(raw)
    entity_type, event_type = _word(payload, "entityType"), _word(payload, "eventType")
    if event_type not in KNOWN.get(entity_type, ()):
        return UnknownEvent(entity_type=entity_type, event_type=event_type)
    uuid = _uuid(payload, "uuid")
    if uuid is None:
        raise OddDelivery("no_uuid")
    return WebhookEvent(
        entity_type=entity_type,
        event_type=event_type,
        uuid=uuid,
        group_uuid=_uuid(payload, "groupUuid"),
        restaurant_uuid=_uuid(payload, "restaurantUuid"),
    )


def _object(raw: bytes) -> dict[str, Any]:
    try:
        # No number is read here, and one of thousands of digits must not spoil the rest.
        payload = json.loads(raw, parse_int=float)
    # A hundred thousand brackets are the other one.
    except (ValueError, RecursionError):
        raise OddDelivery("no_json") from None
    if not isinstance(payload, dict):
        raise OddDelivery("no_object")
    return payload


def decompressed(raw: bytes, *, most: int) -> bytes:
    """Return what was compressed with gzip on the way; anything but a whole one as it came."""
    if not raw.startswith(GZIP):
        return raw
    inflater = zlib.decompressobj(wbits=31)
    try:
        content = inflater.decompress(raw, most)
    except zlib.error:
        return raw
    return content if inflater.eof and not inflater.unused_data else raw


def is_object(raw: bytes) -> bool:
    """Whether the bytes are one JSON object from its first brace to its last.

    Checks the shape only; the router handles endless numbers and broken characters inside.
    """
    text = raw.decode(errors="replace").removeprefix("\ufeff")
    try:
        return isinstance(json.loads(text, parse_int=str), dict)
    except (ValueError, RecursionError):
        return False


def _word(payload: dict[str, Any], name: str) -> str:
    word = payload.get(name)
    if not isinstance(word, str) or not word:
        raise OddDelivery("no_words")
    return storable(word)


def _uuid(payload: dict[str, Any], name: str) -> UUID | None:
    """Read an id that may be absent, null or empty, but not anything else than an id.

    Strictly: `UUID` alone also takes braces, URNs and other spellings, which would then travel in
    the path of a request.
    """
    text = payload.get(name)
    if text is None or text == "":
        return None
    try:
        uuid = UUID(text)
    except (ValueError, TypeError, AttributeError):
        raise OddDelivery("bad_uuid") from None
    if str(uuid) != text.lower():
        raise OddDelivery("bad_uuid")
    return uuid


FIELDS = {"entityType", "eventType", "uuid", "groupUuid", "restaurantUuid", "reservationUuid"}
PLAIN = FIELDS | KNOWN.keys() | set.union(*KNOWN.values()) | {"null", "true", "false"}
UUID_TEXT = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
WORD = re.compile(r"[\w@.+-]+")
MOST_SHOWN = 2000


def masked(raw: bytes) -> str:
    """Show the shape of a body, its ids and the words of the contract, and nothing else of it.

    An event holds ids only; what is odd may hold anything, a guest's name for instance.
    """
    text = storable(raw[:MOST_SHOWN].decode(errors="replace"))
    return WORD.sub(lambda found: _masked_word(found[0]), text)


def _masked_word(word: str) -> str:
    return word if word in PLAIN or UUID_TEXT.fullmatch(word) else "•" * min(len(word), 8)

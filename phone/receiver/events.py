"""Parses what a telephone system posts, in its spelling or in the service's."""

import json
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qsl
from uuid import UUID

from django.utils.dateparse import parse_datetime

from lib.coerce import integral
from lib.text import storable
from partner.wording import names
from phone.models import Event

# Our names, and the service's own for the same thing (docs/calls.md).
SPELLINGS = {
    "call_id": ("call_id", "callId"),
    "event": ("event", "callCurrentStatus"),
    "number": ("number", "callPhoneNumber", "callCallerId"),
    "restaurant": ("restaurant", "marketplaceID"),
    "line": ("line",),
    "at": ("at", "callDateMillis"),
    "answered_by": ("answered_by",),
}
# The older words that the service takes as well.
WORDS = {
    "SONNERIE": Event.INCOMING,
    "DECROCHE": Event.ANSWERED,
    "ABANDON": Event.MISSED,
    "RACCROCHE": Event.ENDED,
}
LONGEST_ID, LONGEST_NUMBER, LONGEST_NAME = 128, 64, 80
# A clock that goes this wrong is not believed: the call would be filed under another day.
MOST_SKEW = timedelta(hours=12)


class OddCallEvent(Exception):
    """What is wrong with an event, in a sentence for whoever sets the telephone system up."""


@dataclass(frozen=True, kw_only=True)
class CallEvent:
    """One event as it was received. `at` is empty where the telephone system names no moment."""

    call_id: str
    event: Event
    number: str
    restaurant: UUID | None
    line: str
    at: datetime | None
    answered_by: str

    def moment(self, *, now: datetime) -> datetime:
        return self.at if self.at and abs(self.at - now) < MOST_SKEW else now


def read(raw: bytes, *, content_type: str) -> CallEvent:
    """Read one event, or raise `OddCallEvent`. Unknown fields are left aside."""
    payload = _fields(raw, content_type=content_type)
    call_id = _text(payload, "call_id", cap=LONGEST_ID)
    if not call_id:
        raise OddCallEvent("call_id is missing: the telephone system's own id of the call.")
    return CallEvent(
        call_id=call_id,
        event=_event(_text(payload, "event", cap=32)),
        number=_text(payload, "number", cap=LONGEST_NUMBER),
        restaurant=_uuid(_text(payload, "restaurant", cap=64)),
        line=_text(payload, "line", cap=LONGEST_NUMBER),
        at=_instant(_text(payload, "at", cap=40)),
        answered_by=_text(payload, "answered_by", cap=LONGEST_NAME),
    )


def _fields(raw: bytes, *, content_type: str) -> dict[str, Any]:
    try:
        text = raw.decode("utf-8-sig")  # some begin with a byte order mark
        if content_type == "application/x-www-form-urlencoded":
            return dict(parse_qsl(text, max_num_fields=40))
        payload = json.loads(text)
    except (ValueError, RecursionError):
        raise OddCallEvent("The body is neither JSON nor a form.") from None
    if not isinstance(payload, dict):
        raise OddCallEvent("The body is JSON, but not an object.")
    return payload


def _text(payload: dict[str, Any], name: str, *, cap: int) -> str:
    """The first spelling that has a value. Whatever is longer than it can be is refused."""
    spellings = (payload.get(names.real(spelling)) for spelling in SPELLINGS[name])
    value = integral(next((value for value in spellings if value not in (None, "")), ""))
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise OddCallEvent(f"{name} is not a text.")
    text = storable(str(value).strip())
    if len(text) > cap:
        raise OddCallEvent(f"{name} is too long.")
    return text


def _event(word: str) -> Event:
    try:
        return WORDS.get(word) or Event(word.lower())
    except ValueError:
        raise OddCallEvent(f"event is none of: {', '.join(Event.values)}.") from None


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text) if text else None
    except ValueError:
        raise OddCallEvent("restaurant is not a uuid.") from None


def _instant(text: str) -> datetime | None:
    """ISO 8601 with an offset, or milliseconds since 1970 as the service counts them."""
    try:
        if text.isdecimal():
            return datetime.fromtimestamp(int(text) / 1000, UTC)
        moment = parse_datetime(text)
    except (ValueError, OverflowError, OSError):
        moment = None
    if text and moment is None:
        raise OddCallEvent("at is neither ISO 8601 nor milliseconds since 1970.")
    return moment if moment and moment.tzinfo else None

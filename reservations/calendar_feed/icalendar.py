"""iCalendar (RFC 5545) as text: the few rules that a feed of events needs. Pure."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

MOST_OCTETS = 75  # of a line, its end not counted (3.1)
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # none may stand in a text but the tab (3.1)
BREAKS = re.compile(r"\r\n?|\n")
PRODUCT = "-//Couvert//Bookings//EN"


@dataclass(frozen=True, slots=True, kw_only=True)
class CalendarEvent:
    uid: str
    changed_at: datetime
    version: int
    start: datetime
    end: datetime
    summary: str
    description: str
    location: str
    url: str
    status: str  # CONFIRMED, TENTATIVE or CANCELLED (3.8.1.11)

    @property
    def lines(self) -> Iterator[str]:
        yield "BEGIN:VEVENT"
        yield f"UID:{escape(self.uid)}"
        # Without a METHOD both say when this revision was made (3.8.7.2).
        yield f"DTSTAMP:{utc(self.changed_at)}"
        yield f"LAST-MODIFIED:{utc(self.changed_at)}"
        yield f"SEQUENCE:{self.version}"
        yield f"DTSTART:{utc(self.start)}"
        yield f"DTEND:{utc(self.end)}"
        yield f"SUMMARY:{escape(self.summary)}"
        yield f"DESCRIPTION:{escape(self.description)}"
        yield f"LOCATION:{escape(self.location)}"
        yield f"URL:{self.url}"
        yield f"STATUS:{self.status}"
        yield "CLASS:PRIVATE"
        yield "TRANSP:TRANSPARENT"  # does not block the reader's own time
        yield "END:VEVENT"


def calendar(name: str, events: Iterable[CalendarEvent], *, refresh: str) -> bytes:
    """The whole file. `refresh` is a duration such as PT30M, a hint for the reader."""
    return "".join(fold(line) for line in _lines(name, events, refresh)).encode()


def _lines(name: str, events: Iterable[CalendarEvent], refresh: str) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield f"PRODID:{PRODUCT}"
    yield "CALSCALE:GREGORIAN"
    # RFC 7986, and the older property of common programs.
    yield f"NAME:{escape(name)}"
    yield f"X-WR-CALNAME:{escape(name)}"
    yield f"REFRESH-INTERVAL;VALUE=DURATION:{refresh}"
    yield f"X-PUBLISHED-TTL:{refresh}"
    for event in events:
        yield from event.lines
    yield "END:VCALENDAR"


def escape(text: str) -> str:
    """A TEXT value (3.3.11)."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return CONTROLS.sub("", BREAKS.sub(r"\\n", text))


def utc(instant: datetime) -> str:
    """A DATE-TIME in UTC (3.3.5), which needs no zone definition."""
    return f"{instant.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def fold(line: str) -> str:
    """The line with its end, in pieces of at most 75 octets, never cut inside a character.

    A continuation begins with a space, which counts (3.1).
    """
    pieces, size = [""], 0
    for character in line:
        octets = len(character.encode())
        if size + octets > MOST_OCTETS:
            pieces.append(" ")
            size = 1
        pieces[-1] += character
        size += octets
    return "".join(f"{piece}\r\n" for piece in pieces)

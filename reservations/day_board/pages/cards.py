"""A booking as HTML: a pure function of what it shows, cached by its arguments.

Rendering costs a hundred times more than a cache hit; nothing has to be invalidated, because
another row, phase or reader is another cache key.
"""

from datetime import date
from functools import lru_cache
from typing import NamedTuple
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from lib.templatetags.ui import MARKS, PHASES
from reservations.day_board.pages.urgency import BY_PHASE
from reservations.host_marks.models import ShownMark
from reservations.service_clock import UNIT, slot_of
from reservations.service_day.bookings import LARGE_PARTY, BoardBooking, Mark, Stay
from reservations.words import ChangeMark

KEPT = 8192  # cards in each process, about a kilobyte each
MOST_MARKS = 4
TEMPLATES = {
    "arrivals": "reservations/_card.html",
    "stays": "reservations/_stay.html",
    "list": "reservations/_row.html",
    "next": "reservations/_next.html",
}


class CardFacts(NamedTuple):
    """Everything that the fragments show, and so their cache key."""

    uuid: UUID
    version: int
    day: date
    zoom: str
    slot: int
    minutes: int
    time: str
    zone: str  # where the clock shows its time twice
    party_size: int | None
    name: str
    phase: str
    phase_word: str
    phase_sentence: str
    late_by: str
    marks: tuple[Mark, ...]
    channel: str
    note: str
    place: str
    colour: str
    many: bool  # several restaurants are on the page, so each card names its own
    stay: Stay | None
    host_marks: tuple[ShownMark, ...]
    change: ChangeMark | None

    @property
    def is_large(self) -> bool:
        return (self.party_size or 0) >= LARGE_PARTY

    @property
    def has_moved(self) -> bool:
        """Whether its time changed since the board was rendered."""
        if self.stay is not None:
            return self.stay.start != self.minutes - self.minutes % UNIT
        return self.zoom == "arrivals" and self.slot != slot_of(self.minutes)

    @property
    def badge(self) -> str:
        """The name of the badge, or the service's own word where it has none."""
        return self.phase if self.phase in PHASES else self.phase_word

    @property
    def icon(self) -> str:
        return f"phase-{self.phase}" if self.phase in PHASES else "info"

    @property
    def section(self) -> str:
        """The section of the list that its phase alone decides; "" if its time does."""
        return BY_PHASE.get(self.phase, "")

    @property
    def shown_marks(self) -> tuple[Mark, ...]:
        return self.marks[:MOST_MARKS]

    @property
    def more_marks(self) -> int:
        return max(0, len(self.marks) - MOST_MARKS)

    @property
    def spoken(self) -> str:
        """“20:30, 4 people, Rossi M., late 18 minutes, allergy: nuts, VIP”."""
        people = ngettext("%(n)s person", "%(n)s people", self.party_size or 0)
        marks = [
            f"{MARKS[name]}: {about}" if about else str(MARKS[name]) for name, about in self.marks
        ]
        parts = [self.time, people % {"n": self.party_size or _("unknown number of")}]
        marked = [one.sentence for one in self.host_marks]
        marked += [str(self.change.label)] if self.change else []
        parts += [self.name, self.phase_sentence, *marked, *self._whereabouts, *marks]
        return ", ".join(parts)

    @property
    def _whereabouts(self) -> list[str]:
        """The restaurant, where there are several; the assumed end, on the stays."""
        end = [_("until %(time)s, assumed") % {"time": self.stay.until}] if self.stay else []
        return [*([self.place] if self.many else []), *end]


class CardContext(NamedTuple):
    """The context of a card: its board, its column, and whether restaurants are named."""

    zoom: str
    many: bool = False
    slot: int | None = None
    stay: Stay | None = None


def facts_of(booking: BoardBooking, place: CardContext) -> CardFacts:
    return CardFacts(
        uuid=booking.uuid,
        version=booking.row.version,
        day=booking.service_day,
        zoom=place.zoom,
        slot=slot_of(booking.minutes) if place.slot is None else place.slot,
        minutes=booking.minutes,
        time=booking.time,
        zone=booking.zone,
        party_size=booking.party_size,
        name=booking.name,
        phase=booking.phase.key,
        phase_word=booking.phase.word,
        phase_sentence=booking.phase.sentence,
        late_by=booking.phase.late_by,
        marks=booking.marks,
        channel=booking.channel,
        note=booking.row.customer_note or "",
        place=booking.restaurant.label,
        colour=booking.restaurant.colour,
        many=place.many,
        stay=place.stay,
        host_marks=booking.host_marks,
        change=booking.change,
    )


def draw(booking: BoardBooking, place: CardContext) -> SafeString:
    return _draw(booking, place, get_language())


def draw_all(bookings: list[BoardBooking], place: CardContext) -> SafeString:
    language = get_language()
    cards = [_draw(booking, place, language) for booking in bookings]
    return SafeString("".join(cards))  # each comes from a template, which escapes


@lru_cache(maxsize=KEPT)
def _draw(booking: BoardBooking, place: CardContext, _language: str | None) -> SafeString:
    facts = facts_of(booking, place)
    return render_to_string(TEMPLATES[place.zoom], {"card": facts})

"""What notes say of allergies and diets, sentence by sentence, for people to read."""

import json
import logging
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from customers.allergies.findings import AllergenFinding, Certainty, DietFinding
from customers.allergies.labels import name_of
from customers.allergies.reading import read_note
from customers.allergies.version import reading_number
from customers.models import Customer
from customers.note_decisions.decisions import (
    UNDECIDED,
    Decision,
    Decisions,
    Finding,
    decision_on,
    digest_in,
    effective,
    parse,
)

logger = logging.getLogger(__name__)

SENTENCE_ENDS = re.compile(r"[.!?…]+\s|\n")
LONGEST = 240  # characters of a sentence on either side of what was found
QUOTED_TWICE = 120  # characters of a sentence that may stand whole beside each certainty
AROUND = 40  # characters beside a marked word
BEFORE_TAG = "Tag “"  # to the reader of notes, not to people


class Source(NamedTuple):
    """A text that may tell of an allergy, and what people call it.

    Among favourites a bare “aubergine” is liked: there only what is stated counts.
    """

    label: str | Promise
    text: str
    is_of_favourites: bool = False
    written: tuple[int, int] | None = None  # where the text is not of our own making


class Part(NamedTuple):
    text: str
    is_marked: bool


class NoteMention(NamedTuple):
    """A sentence of a note that states or hints at allergies or diets, with its words marked.

    What was confirmed counts as stated; who decided so is known of a single booking or guest.
    """

    source: str | Promise
    parts: list[Part]
    findings: list[Finding]
    certainty: Certainty
    digests: list[str]  # what a decision about each finding is bound to
    decision: Decision | None = None

    @property
    def is_dismissed(self) -> bool:
        return bool(self.decision and self.decision.is_dismissed)

    @property
    def readings(self) -> list[tuple[str, str]]:
        """The digest and the name of each finding, to be decided one by one."""
        names = [name_of(one.code) for one in self.findings]
        return list(zip(self.digests, names, strict=True))

    @property
    def is_stated(self) -> bool:
        return self.certainty == "stated"

    @property
    def is_cancelled(self) -> bool:
        """“Nut allergy - resolved”: still a hint, in the words of the kitchen's table."""
        allergens = [one for one in self.findings if isinstance(one, AllergenFinding)]
        all_are = bool(allergens) and all(one.is_cancelled for one in allergens)
        return all_are and not self.is_stated

    @property
    def is_severe(self) -> bool:
        return any(getattr(one, "is_severe", False) for one in self.findings)

    @property
    def names(self) -> list[str]:
        """Allergens first, each once, in the reader's language."""
        return list(self._people)

    @property
    def counted_names(self) -> list[str]:
        """Of several, each with its own number: “1 vegan, 1 kosher” are two people."""
        numbers = self._people if len(self._people) > 1 else {}
        return [f"{one} ×{numbers[one]}" if numbers.get(one) else one for one in self._people]

    @property
    def people(self) -> int:
        """For how many the only name is meant; 0 where the sentence gives no number."""
        return sum(self._people.values()) if len(self._people) == 1 else 0

    @property
    def _people(self) -> dict[str, int]:
        most: dict[str, int] = {}
        for one in sorted(self.findings, key=lambda one: isinstance(one, DietFinding)):
            name = name_of(one.code)
            most[name] = max(most.get(name, 0), one.people or 0)
        return most


class RowReading(NamedTuple):
    """Whether the texts of a row tell of anything, and which word lists say so, if any had to."""

    number: int | None
    tells: bool


class NoteCodes(NamedTuple):
    """What all notes of a booking say, by certainty; nothing is never “safe”."""

    stated: tuple[str, ...]
    maybe: tuple[str, ...]
    diets: tuple[str, ...]  # stated


@lru_cache(maxsize=20_000)
def codes_in(
    notes: tuple[str, ...],
    favourites: tuple[str, ...],
    fields: tuple[str, ...],
    decided: tuple[str, str],
) -> NoteCodes:
    """For thousands of cards: `fields` are custom fields and tags as JSON, `decided` what people
    decided about booking and guest. The same texts come back."""
    sources = [Source("", text) for text in notes if text]
    sources += [Source("", text, is_of_favourites=True) for text in favourites if text]
    for text in fields:
        sources += of_fields_and_tags(json.loads(text or "[]") or [])
    mentions = mentions_in(sources, parse(*decided))
    return _codes_of([one for mention in mentions for one in mention.findings])


def _codes_of(found: list[Finding]) -> NoteCodes:
    diets = [one.code for one in found if isinstance(one, DietFinding) and is_stated(one)]
    allergens = [one for one in found if isinstance(one, AllergenFinding)]
    stated = dict.fromkeys(one.code for one in allergens if is_stated(one))
    maybe = dict.fromkeys(one.code for one in allergens if one.code not in stated)
    return NoteCodes(tuple(stated), tuple(maybe), tuple(dict.fromkeys(diets)))


def is_stated(finding: Finding) -> bool:
    return finding.certainty == "stated"


def sources_of_guest(guest: Customer | None) -> list[Source]:
    """The texts of a guest's profile."""
    if guest is None:
        return []
    return [
        Source(_("Notes of the group"), guest.notes),
        Source(_("Favourite food"), guest.fav_food, is_of_favourites=True),
        Source(_("Favourite drinks"), guest.fav_drinks, is_of_favourites=True),
        *of_fields_and_tags([*guest.custom_fields, *guest.other_tags]),
    ]


def reading_of(sources: Iterable[Source]) -> RowReading:
    """What is stored with a row: see `note_decisions.models.ReadNotes`."""
    written = [one for one in sources if one.text]
    return RowReading(reading_number() if written else None, bool(mentions_in(written)))


def mentions_in(sources: Iterable[Source], decided: Decisions = UNDECIDED) -> list[NoteMention]:
    """All that counts of what the notes say: what was dismissed does not."""
    return [one for one in all_mentions_in(sources, decided) if not one.is_dismissed]


def all_mentions_in(sources: Iterable[Source], decided: Decisions) -> list[NoteMention]:
    """What is stated first and of that what is severe; what was dismissed last."""
    found = [mention for source in sources for mention in _mentions(source, decided)]
    found.sort(key=lambda one: (one.is_dismissed, not one.is_stated, not one.is_severe))
    return list(_each_sentence_once(found))


def _each_sentence_once(mentions: Iterable[NoteMention]) -> Iterator[NoteMention]:
    """A long sentence stands whole where it comes first, then only around its marked words."""
    known: set[str] = set()
    for mention in mentions:
        sentence = "".join(part.text for part in mention.parts)
        is_again = sentence in known and len(sentence) > QUOTED_TWICE
        known.add(sentence)
        yield mention._replace(parts=_around_marks(mention.parts)) if is_again else mention


def _around_marks(parts: list[Part]) -> list[Part]:
    last = len(parts) - 1
    return [
        part
        if part.is_marked
        else part._replace(text=_shortened(part.text, follows=at > 0, leads=at < last))
        for at, part in enumerate(parts)
    ]


def _shortened(text: str, *, follows: bool, leads: bool) -> str:
    """The words after one mark, or before another."""
    if len(text) <= 2 * AROUND:
        return text
    start = text[:AROUND].rpartition(" ")[0] + " " if follows else ""
    end = " " + text[-AROUND:].partition(" ")[2] if leads else ""
    return f"{start}…{end}"


def of_fields_and_tags(listed: Iterable[Any]) -> Iterator[Source]:
    """The group's own fields, of which a label tells what “yes” or “nuts” means, and its tags.

    A tag of its own making may be “Nut allergy”. One that only names a food says nothing, unlike
    a note of one word: “Champagne” is what somebody drinks.
    """
    for one in listed:
        if isinstance(one, str) and one:
            yield Source(_("Tags"), f"{BEFORE_TAG}{one}”", written=_within(BEFORE_TAG, one))
        elif isinstance(one, dict) and (value := in_words(one.get("value"))):
            label = one.get("label") or ""
            yield Source(label, f"{label.rstrip(' ?:')}: {value}")


def _within(before: str, words: str) -> tuple[int, int]:
    return len(before), len(before) + len(words)


def in_words(value: Any) -> str:
    """A value as somebody would write it into a note; nothing for no tick and for 0."""
    if isinstance(value, bool) or value == 0:
        return "yes" if value else ""
    if isinstance(value, float):
        return f"{value:g}"
    return str(value) if isinstance(value, int | str) else ""


def _mentions(source: Source, decided: Decisions) -> Iterator[NoteMention]:
    """The findings of a sentence that have the same certainty, and were decided on together."""
    text = source.text
    written_from, written_to = source.written or (0, len(text))
    groups: dict[tuple[Any, ...], list[Finding]] = defaultdict(list)
    for finding in findings_in(text):
        if not (source.is_of_favourites and finding.certainty == "maybe"):
            decision = decision_on(text, finding, decided)
            certainty = effective(finding, decision).certainty
            groups[(*_sentence_around(text, finding), certainty, decision)].append(finding)
    for (start, end, certainty, decision), read in groups.items():
        counted = [effective(one, decision) for one in read]
        parts = _parts(text, max(start, written_from), min(end, written_to), read)
        digests = [digest_in(text, one) for one in read]
        yield NoteMention(source.label, parts, counted, certainty, digests, decision)


@lru_cache(maxsize=4_000)
def findings_in(text: str) -> tuple[Finding, ...]:
    """Everything that one text says. The same guest comes back with the same note.

    A note on which the reader fails is a hint: its booking must stand on the boards all the same.
    """
    try:
        reading = read_note(text)
    except Exception:
        logger.exception("A note could not be read")
        return (AllergenFinding("unspecified", "maybe", (0, len(text))),)
    return (*reading.allergens, *reading.diets)


def _sentence_around(text: str, finding: Finding) -> tuple[int, int]:
    first, last = finding.span
    ends = [found.end() for found in SENTENCE_ENDS.finditer(text)]
    start = max((end for end in ends if end <= first), default=0)
    end = min((end for end in ends if end >= last), default=len(text))
    return max(start, first - LONGEST), min(end, last + LONGEST)


def _parts(text: str, start: int, end: int, found: list[Finding]) -> list[Part]:
    parts, at = [], start
    for first, last in sorted(one.span for one in found):
        parts += [Part(text[at:first], False), Part(text[max(at, first) : last], True)]
        at = max(at, last)
    parts.append(Part(text[at:end].rstrip(), False))
    return [part for part in parts if part.text]

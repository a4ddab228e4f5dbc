"""What one booking needs, for counts: each allergen or diet once, with its surest certainty."""

import json
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from customers.allergies.kitchen_names import code_of_tag
from customers.allergies.mentions import findings_in, of_fields_and_tags
from customers.note_decisions.decisions import UNDECIDED, Decisions, effective_findings

CERTAINTIES = ("tagged", "stated", "maybe")  # the surest first
OTHER = "other"  # a tag of the group's own making: its words may name a person and stay where it is


class DietaryNeed(NamedTuple):
    """`people`: as many as the note names, else one."""

    code: str
    certainty: str
    people: int


def needs_in(
    tags: Iterable[str],
    notes: Iterable[str],
    favourites: Iterable[str],
    decided: Decisions = UNDECIDED,
) -> list[DietaryNeed]:
    """Among favourites a bare “aubergine” is liked: there only what is stated counts."""
    found = [DietaryNeed(code_of_tag(tag) or OTHER, "tagged", 1) for tag in tags]
    found += [need for text in notes if text for need in _needs_of(text, decided)]
    liked = [need for text in favourites if text for need in _needs_of(text, decided)]
    return surest(found + [need for need in liked if need.certainty == "stated"])


def surest(found: Iterable[DietaryNeed]) -> list[DietaryNeed]:
    """Each code once: a tag counts before a note, and the most people that anything names."""
    best: dict[str, DietaryNeed] = {}
    for need in found:
        known = best.get(need.code, need)
        certainty = min(known.certainty, need.certainty, key=CERTAINTIES.index)
        best[need.code] = DietaryNeed(need.code, certainty, max(known.people, need.people))
    return list(best.values())


@lru_cache(maxsize=20_000)
def texts_of_fields(fields: str) -> tuple[str, ...]:
    """The texts of custom fields, or of tags, that were read from the database as JSON."""
    return tuple(source.text for source in of_fields_and_tags(json.loads(fields or "[]") or []))


def _needs_of(text: str, decided: Decisions) -> list[DietaryNeed]:
    found = effective_findings(text, findings_in(text), decided)
    return [DietaryNeed(one.code, one.certainty, one.people or 1) for one in found]

"""Causes that no list has, among others: “allergic to peanuts and cumin”."""

from collections.abc import Iterator

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import Item
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import HEADS, SentenceOutcome

OF_LISTS = frozenset(",:/+&;")
LEAST = 4  # letters of a word that may name a food


def unread_causes(items: list[Item], outcome: SentenceOutcome) -> Iterator[AllergenFinding]:
    """A hint at each unknown word in a list of what an allergy is against.

    It stands before one of the list, or after “and” at its end: what follows a comma there is
    “thanks” as often.
    """
    listed = {at for at, head in outcome.groups if 0 <= head < at}
    for at, item in enumerate(items):
        is_unread = item.kinds == {"word"} and len(item.word) >= LEAST and not is_label(items, at)
        if is_unread and is_listed(items, at, listed):
            yield AllergenFinding("unspecified", "maybe", (item.start, item.end))


def is_label(items: list[Item], at: int) -> bool:
    """“Anna: nuts, Tom: fish”"""
    return at + 1 < len(items) and items[at + 1].word in ":="


def is_listed(items: list[Item], at: int, listed: set[int]) -> bool:
    before, after = neighbour(items, at, -1), neighbour(items, at, 1)
    if after in listed and (before in listed or is_head(items, before)):
        return True
    is_end = at + 1 == len(items) or "end" in items[at + 1].kinds
    return before in listed and is_end and any(joins(item) for item in items[before + 1 : at])


def neighbour(items: list[Item], at: int, step: int) -> int:
    """The place beyond the words that join a list, or −1 where no such word is."""
    place = at + step
    while 0 <= place < len(items) and is_between(items[place]):
        place += step
    return place if abs(place - at) > 1 and 0 <= place < len(items) else -1


def is_between(item: Item) -> bool:
    return item.word in OF_LISTS or "link" in item.kinds


def is_head(items: list[Item], at: int) -> bool:
    return at >= 0 and bool(items[at].kinds & HEADS)


def joins(item: Item) -> bool:
    return item.word in small_words("joins")

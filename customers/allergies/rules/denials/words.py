"""What a word of denial can be about, and the words that tell."""

from enum import Enum

from customers.allergies.items import Item
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import HEADS

BREAKS = frozenset(",:;(|•-–—/&")
OTHER_CLAUSE = frozenset({"but", "neutral", "except", "diet", "person"})
OTHER = frozenset({"question", "word", "want", "love", "dislike"})


class About(Enum):
    ALLERGY = "this allergy, so nobody has it"
    PART = "how it is or what was done with it: “no severe allergy”, “never mentioned my allergy”"
    OTHER = "something else: “no high chair”"


def denies(item: Item) -> bool:
    """Before an allergy also “nobody”, which elsewhere refuses no food."""
    is_denial = bool(item.kinds & {"no", "past"}) or item.word in small_words("nobody")
    return is_denial and "number" not in item.kinds


def is_other_word(item: Item) -> bool:
    """A verb or thing that a denial before it is about: “no high chair”"""
    is_other = item.kinds <= OTHER or "ignore" in item.kinds
    return is_other and item.word not in small_words("having")


def goes_on(item: Item) -> bool:
    """“not to be taken lightly”, “none in any dish”, unlike “none and no others”"""
    is_link = "link" in item.kinds and item.word not in small_words("joins")
    return is_link or item.word in small_words("within")


def is_about_other(between: list[Item]) -> bool:
    """“no high chair”, “no children”; “nobody here has a nut allergy” is about the allergy."""
    return any(is_other_word(item) for item in between) or is_about_people(between)


def is_about_people(between: list[Item]) -> bool:
    is_first = bool(between) and bool(between[0].kinds & {"people", "harmless"})
    with_them = between[1:2]
    return is_first and not any(
        item.word in small_words("having") | small_words("with") for item in with_them
    )


def is_joined_by_or(items: list[Item]) -> bool:
    """“no allergies or nut intolerance”: the denial holds for both."""
    return any(item.word in small_words("or") for item in items)


def is_word(item: Item) -> bool:
    """One word and no phrase: “no longer” is one item whose word is “no”."""
    return item.end - item.start == len(item.word)


def is_head(item: Item) -> bool:
    return bool(item.kinds & HEADS)

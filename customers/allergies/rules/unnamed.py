"""Needs, illnesses and dangers of which a note names no cause: “has dietary requirements”."""

from collections.abc import Iterator

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import SIGNS, is_answered_no, starts_label
from customers.allergies.rules.unread import is_unknown


def unnamed_needs(sentences: list[Sentence]) -> Iterator[AllergenFinding]:
    """In a note that names nothing: “has dietary requirements”, “jicama = hospital”"""
    for sentence in sentences:
        for at, item in enumerate(sentence.items):
            is_named = "needs" in item.kinds or item.word in small_words("sensitivities")
            is_need = is_named and is_needed(sentence.items, at)
            is_hint = is_need or is_danger_of_unknown(sentence.items, at)
            if is_hint and not sentence.is_question:
                yield AllergenFinding("unspecified", "maybe", (item.start, item.end))


def conditions(sentences: list[Sentence], kind: str) -> Iterator[AllergenFinding]:
    """“my father is on chemo”, “on warfarin”: what he may not eat stands nowhere, or in part."""
    for sentence in sentences:
        places = [at for at, item in enumerate(sentence.items) if kind in item.kinds]
        for at in places:
            item, before = sentence.items[at], sentence.items[max(0, at - 2) : at]
            is_denied = any("no" in one.kinds for one in before)
            is_denied &= item.word not in small_words("substances")
            if not is_denied and not is_answered_no(sentence.items, at):
                yield AllergenFinding("unspecified", "maybe", (item.start, item.end))


def is_danger_of_unknown(items: list[Item], at: int) -> bool:
    """“jicama = hospital”, “jicama is deadly”; “uncle in hospital” is no food."""
    is_grave = "warning" in items[at].kinds and "hospital" not in items[at].kinds
    is_empty = items[at].end - items[at].start == 1 and at + 1 == len(items)  # “Diet=”
    if not is_grave and (items[at].word != "=" or is_empty):
        return False
    before = [item for item in items[max(0, at - 2) : at] if "emphasis" not in item.kinds]
    return bool(before) and is_unknown(before[-1])


def is_needed(items: list[Item], at: int) -> bool:
    others = [item for item in items if item is not items[at]]
    is_none = any(item.kinds & {"no", "none", "ok", "everything"} for item in others)
    is_none |= any(item.word in small_words("no_needs") for item in others)
    if is_none or is_answered_no(items, at):
        return False
    if at + 1 == len(items) or items[at + 1].word not in SIGNS:
        return True
    answer = [item for item in items[at + 2 :] if "sign" not in item.kinds]
    is_other = at + 2 < len(items) and starts_label(items, at + 2)
    return bool(answer) and not is_other and not answer[0].kinds & {"no", "none", "harmless"}

"""Whether a sentence calls an allergy over and says nothing else.

The reader makes a hint of whatever may be over, as a question harms nobody. What the kitchen reads
as “no longer” takes more: another word may be what is over (“the cake is cancelled”) or take it
back (“removed by accident”, “almost”). Such a sentence leaves the hint as it is.
"""

from customers.allergies.items import Item
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.sentence import SentenceDenials
from customers.allergies.rules.denials.words import is_head

OVER = frozenset({"void", "cured", "ignore", "past"})
OVER_WORDS = ("ended", "cancels", "earlier")
BESIDE = frozenset({"allergen", "person", "article", "of", "link", "emphasis", "sign"})
BESIDE_WORDS = ("cancels_of", "has_been", "my")
# They make a hint, too, but may speak of an answer that is missing or of another evening.
NOT_OVER = frozenset({"unknown", "last", "error", "erreur", "errore", "erro", "fout"})
ONCE = ("allergen", "person")


def is_cancelled(denials: SentenceDenials, at: int) -> bool:
    """“nut allergy - resolved”, “has outgrown her egg allergy”; not “1 of 2 nut allergies …”"""
    items = denials.items
    if at < 0 or denials.sentence.is_question or not denials.is_cured(at):
        return False
    over = [place for place, item in enumerate(items) if is_over(item)]
    others = [item for item in items if not is_over(item)]
    is_one = sum(map(is_named, others)) == 1 and all(
        sum(kind in item.kinds for item in others) <= 1 for kind in ONCE
    )
    return is_one and len(over) == 1 and all(map(is_beside, others)) and is_of(items, over[0], at)


def is_of(items: list[Item], over: int, at: int) -> bool:
    """“removed: nut allergy”; not “ignore the previous: nut allergy”, “cancelled, nut allergy”"""
    between = [item.word for item in items[over + 1 : at] if "sign" in item.kinds]
    is_label = between == [":"] and items[over].word not in small_words("cancels")
    return not between or is_label


def is_named(item: Item) -> bool:
    return is_head(item) or "cause" in item.kinds


def is_over(item: Item) -> bool:
    is_word = any(item.word in small_words(kind) for kind in OVER_WORDS)
    return (is_word or bool(item.kinds & OVER)) and item.word not in NOT_OVER


def is_beside(item: Item) -> bool:
    is_word = any(item.word in small_words(kind) for kind in BESIDE_WORDS)
    is_joined = item.word in small_words("joins")
    return (is_word or is_named(item) or bool(item.kinds & BESIDE)) and not is_joined

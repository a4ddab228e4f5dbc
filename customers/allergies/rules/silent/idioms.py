"""“That's nuts”, “nut brown hair” and “Ms Almond”, in a note that speaks of no allergy."""

from functools import cache

from customers.allergies.items import NOTHING, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.bare_foods import is_called_severe
from customers.allergies.rules.outcome import HEADS

NUTS = "nuts"
NAMES = frozenset({"word", "person", "harmless"})
MOST_BEFORE = 5  # words of “you guys are totally nuts”


def without_idioms(text: str, sentences: list[Sentence]) -> list[Sentence]:
    has_nuts, has_names = NUTS in text.lower(), may_name(sentences)
    if not (has_nuts or has_names) or any(map(tells, sentences)):
        return sentences
    if has_names:
        leave_out_names(text, sentences)
    for sentence in sentences:
        for at, item in enumerate(sentence.items):
            if item.word == NUTS and is_idiom(sentence.items, at):
                item.kinds, item.entry = {"word"}, NOTHING
    return sentences


def tells(sentence: Sentence) -> bool:
    """“Her problem? It's nuts.”"""
    return any(item.kinds & HEADS or "needs" in item.kinds for item in sentence.items)


def is_idiom(items: list[Item], at: int) -> bool:
    before, behind = [item.word for item in items[:at]], items[at + 1 : at + 2]
    if before and before[-1] in small_words("nuts_behind"):  # “going nuts for your risotto”
        return True
    if before[-2:-1] and before[-2] in small_words("nuts_driven"):  # “driving me nuts”
        return True
    is_copula = not before or before[-1] in small_words("nuts_are")
    if is_copula and behind and behind[0].word in ("about", "over"):
        return True
    is_of_it = 1 < len(before) <= MOST_BEFORE and before[0] in small_words("nuts_of")
    return not behind and is_of_it and all(word in small_words("nuts_are") for word in before[1:])


def may_name(sentences: list[Sentence]) -> bool:
    words = words_beside_names()
    return any(
        not words.isdisjoint([item.word for item in sentence.items]) for sentence in sentences
    )


@cache
def words_beside_names() -> frozenset[str]:
    return small_words("titles") | small_words("coloured")


def leave_out_names(text: str, sentences: list[Sentence]) -> None:
    """Where the note names one food: “Mr Nut, Ms Egg” may be two guests and their allergies."""
    foods = [
        (sentence.items, at)
        for sentence in sentences
        for at, item in enumerate(sentence.items)
        if "diet" in item.kinds or item.entry.allergens.keys() - {"alcohol"}
    ]
    if len(foods) != 1:
        return
    items, at = foods[0]
    if is_colour(items, at) or is_surname(text, items, at):
        items[at].kinds, items[at].entry = {"word"}, NOTHING


def is_colour(items: list[Item], at: int) -> bool:
    """“nut brown hair”, “yeux noisette”, “ojos color avellana”; not “itchy eyes, hazelnut”"""
    is_rare = items[at].entry.allergens.keys() <= {"nuts"}
    is_before = at > 0 and items[at - 1].word in small_words("coloured")
    is_behind = any(item.word in small_words("coloured") for item in items[at + 1 : at + 2])
    return is_rare and (is_before or is_behind)


def is_surname(text: str, items: list[Item], at: int) -> bool:
    """“Ms Almond”, “Sr. Trigo, 3 pax”, “Mme Noisette Laurent”; not “Herr Ei dabei”"""
    if at == 0 or not may_be_surname(text, items, at) or is_called_severe(items, at):
        return False
    behind = items[at + 1 : at + 2]
    is_named = bool(behind) and behind[0].kinds <= NAMES and text[behind[0].start].isupper()
    is_over = not behind or "sign" in behind[0].kinds or is_named
    return is_over and items[at - 1].word in small_words("titles")


def may_be_surname(text: str, items: list[Item], at: int) -> bool:
    """A food that people are called after, or half of a name: “Frau Haselnuss-Meier”.

    “Mrs Nuts”, “Mme Cacahuète” name none, and no diet or illness does: “Ms Vegan”, “Mrs Coeliac”.
    """
    if items[at].kinds & {"diet", "cause"} or not is_capital(text, items[at]):
        return False
    return items[at].word in small_words("surnames") or is_half_of_name(text, items[at : at + 2])


def is_half_of_name(text: str, halves: list[Item]) -> bool:
    """Not “Mrs Nuts - Anna”, “Mrs Nuts-Egg”"""
    is_joined = len(halves) == 2 and text[halves[0].end : halves[1].start] == "-"
    return is_joined and halves[1].kinds <= NAMES and is_capital(text, halves[1])


def is_capital(text: str, item: Item) -> bool:
    word = text[item.start : item.end]
    return word.isalpha() and word[0].isupper() and word[1:].islower()

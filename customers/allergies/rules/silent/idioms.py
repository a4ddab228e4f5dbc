"""“That's nuts” and “nuts about dinosaurs”, in a note that speaks of no allergy."""

from customers.allergies.items import NOTHING, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import HEADS

NUTS = "nuts"
MOST_BEFORE = 5  # words of “you guys are totally nuts”


def without_idioms(text: str, sentences: list[Sentence]) -> list[Sentence]:
    if NUTS not in text.lower() or any(map(tells, sentences)):
        return sentences
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

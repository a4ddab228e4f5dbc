"""Answers of a form: “Coeliac: no”, “Vegan menu: 0”, “Nuts ok: no”."""

from customers.allergies.items import Item
from customers.allergies.lexicon import small_words

SIGNS = frozenset(":=-–")
LABEL = frozenset({"word", "want", "ok", "allowed", "people", "emphasis", "link", "header"})
MOST_OF_LABEL = 3  # words between what is named and the sign


def is_answered_no(items: list[Item], at: int) -> bool:
    """“Coeliac: no bread” answers nothing; “Coeliac: no” does."""
    if is_counted_none(items, at):
        return True
    place = at + 1
    while place <= at + MOST_OF_LABEL and is_of_label(items, place):
        place += 1
    if place < len(items) and items[place].word in SIGNS:
        place += 1
    elif place > at + 1 or not is_no(items, place):
        return False
    return is_none(items, place) and is_over(items, place + 1)


def is_counted_none(items: list[Item], at: int) -> bool:
    """“GF 0, DF 1”, “0 vegan 2 veggie”: one of the two orders holds for all of a list."""
    place = at - 1 if items[0].number is not None else at + 1
    return 0 <= place < len(items) and is_zero(items[place])


def is_zero(item: Item) -> bool:
    """Also the first word of “0 gluten”, which is a phrase."""
    return item.word == "0"


def is_of_label(items: list[Item], at: int) -> bool:
    return at < len(items) and bool(items[at].kinds & LABEL) and not is_none(items, at)


def is_none(items: list[Item], at: int) -> bool:
    if at >= len(items):
        return False
    return is_no(items, at) or "past" in items[at].kinds or is_zero(items[at])


def is_no(items: list[Item], at: int) -> bool:
    is_there = at < len(items) and "number" not in items[at].kinds
    return is_there and bool(items[at].kinds & {"no", "none"})


def is_over(items: list[Item], at: int) -> bool:
    """Whether the answer ends here: a sign follows, or the label of the next one."""
    if at >= len(items) or is_zero(items[at - 1]):
        return True
    is_label = any(item.word in ":=" for item in items[at + 1 : at + 1 + MOST_OF_LABEL])
    return is_label or bool(items[at].kinds & {"sign", "but"}) or is_thanks(items[at])


def is_thanks(item: Item) -> bool:
    return item.word in small_words("thanks")


def is_left_empty(items: list[Item], at: int) -> bool:
    """“Allergies:” with nothing behind it, or with the label of the next line"""
    if at + 1 >= len(items) or items[at + 1].word not in ":=":
        return False
    place = at + 2
    while place <= at + 1 + MOST_OF_LABEL and is_of_label(items, place):
        place += 1
    place += place < len(items) and "diet" in items[place].kinds
    is_named = any("person" in item.kinds for item in items[:at])
    is_label = at + 2 < place < len(items) and items[place].word in ":="
    return not is_named and (at + 2 == len(items) or is_label)


def is_only(items: list[Item], answer: str) -> bool:
    """“No.”, “None, thanks”, “: true”"""
    words = [item for item in items if "sign" not in item.kinds and not is_thanks(item)]
    return bool(words) and all(answers(item, answer) for item in words)


def answers(item: Item, answer: str) -> bool:
    if answer == "yes":
        return item.word in small_words("affirms")
    return bool(item.kinds & {"no", "none"})

"""Answers of a form: “Coeliac: no”, “Vegan menu: 0”, “Nuts ok: no”."""

from customers.allergies.items import Item
from customers.allergies.lexicon import small_words

SIGNS = frozenset(":=-–")
LABEL_ENDS = frozenset(":=")
EMPTY = frozenset("[]{}),;|/")  # what stands in place of an answer: “"allergies": []”
SEPARATORS = frozenset(",;/|")
CLOSING = frozenset("]}")  # “{"vegan": false}”
LABEL = frozenset({"word", "want", "ok", "allowed", "people", "emphasis", "link", "header"})
NAMED = frozenset({"diet", "cause", "allergy", "intolerance"})
MORE = {"mas": "sin", "mais": "sem"}
MOST_OF_LABEL = 3  # words between what is named and the sign


def is_answered_no(items: list[Item], at: int) -> bool:
    """“Coeliac: no”, not “Coeliac: no bread”."""
    if is_counted_none(items, at):
        return True
    place = at + 1
    while place <= at + MOST_OF_LABEL and is_of_label(items, place):
        place += 1
    if place < len(items) and items[place].word in SIGNS:
        place += 1
    elif place > at + 1 or not is_no(items, place):
        return False
    is_refused = any("ok" in item.kinds for item in items[at + 1 : place])  # “Nuts ok: avoid”
    is_refused = is_refused and place < len(items) and "no" in items[place].kinds
    end = place + 1
    if end < len(items) and items[end].word in small_words("reported"):
        end += "none" in items[place].kinds  # “aucune déclarée”, not “never reported”
    return (is_none(items, place) or is_refused) and is_over(items, end)


def is_answer_before(items: list[Item], place: int, at: int) -> bool:
    """“High chair: no Allergy: nuts”: what stands at `place` answers the label before it."""
    is_after_label = place > 0 and items[place - 1].word in LABEL_ENDS
    return is_after_label and at + 1 < len(items) and items[at + 1].word in LABEL_ENDS


def is_counted_none(items: list[Item], at: int) -> bool:
    """“GF 0, DF 1”, “0 vegan 2 veggie”: one of the two orders holds for all of a list."""
    if counts_first(items):
        return at > 0 and is_zero(items[at - 1])
    return is_none(items, at + 1) and is_zero(items[at + 1]) and is_over(items, at + 2)


def counts_first(items: list[Item]) -> bool:
    """“0 vegan 2 veggie”, not “vegan 0 veggie 2”"""
    named = NAMED | {"allergen"}
    first = next((i for i in items if i.number is not None or i.kinds & named), None)
    return first is not None and first.number is not None


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
    return is_there and bool(items[at].kinds & {"no", "none"}) and not refuses_food(items[at])


def refuses_food(item: Item) -> bool:
    """“nut allergy, to be avoided” is about the nuts; “allergies: nein danke” denies them."""
    is_refused = "refused" in item.kinds and item.word not in small_words("says_no")
    return is_refused or item.word in small_words("avoiding")


def is_over(items: list[Item], at: int) -> bool:
    """Whether the answer ends here: “no, Vegan: yes” does, “no, really” and “no bread” do not."""
    if all(item.word in CLOSING for item in items[at:]) or is_thanks(items[at]):
        return True
    if "but" in items[at].kinds:  # not “sin más alergias”
        return not is_more(items, at)
    if items[at].word in SEPARATORS:
        behind = items[at + 1 : at + 2 + MOST_OF_LABEL]
        is_next = any(item.word in LABEL_ENDS for item in behind) or is_counted(behind)
        is_next |= is_zero(items[at - 1]) and any(item.number for item in behind[1:2])  # “V 2”
        return not behind or is_next
    following = items[at + 1].word if at + 1 < len(items) else ""
    if items[at].kinds & {"diet", "cause"} and following in small_words(
        "affirms"
    ):  # “coeliac no vegan yes”
        return True
    if is_zero(items[at - 1]):
        is_next = bool(items[at].kinds & {"diet", "cause", "free"})
        return is_next or (at + 1 < len(items) and items[at + 1].number is not None)
    return starts_label(items, at)


def is_more(items: list[Item], at: int) -> bool:
    """“no others”, “sin más”, “sem mais”: alone the two words are “but”."""
    is_behind = at > 0 and MORE.get(items[at].word) == items[at - 1].word
    return is_behind or items[at].word in small_words("others")


def is_counted(items: list[Item]) -> bool:
    """“GF 0, DF 1” and “GF 0 / 1 DF”: the next of the list"""
    first = items[:2]
    return any(i.number is not None or is_zero(i) for i in first) and any(
        i.kinds & NAMED for i in first
    )


def starts_label(items: list[Item], at: int) -> bool:
    is_food = "allergen" in items[at].kinds and not items[at].kinds & NAMED
    return not is_food and at + 1 < len(items) and items[at + 1].word in LABEL_ENDS


def is_thanks(item: Item) -> bool:
    return item.word in small_words("thanks")


def label_from(items: list[Item], at: int) -> int:
    """Where the sign is of “Allergies:”, “Allergy =” or “Allergy details:” of a form, or −1"""
    is_named = any("person" in item.kinds for item in items[:at])
    is_long = at + 1 < len(items) and items[at + 1].word in small_words("which")
    place = at + 2 if is_long else at + 1
    while place < len(items) and (items[place].word in "&|/" or items[place].kinds & {"header"}):
        place += 1  # “Allergies & dietary requirements:”
    is_sign = place < len(items) and items[place].word in LABEL_ENDS
    return place if is_sign and not is_named else -1


def is_left_empty(items: list[Item], at: int) -> bool:
    """“Allergies:” with nothing behind it, or with another label: of a diet, or behind a comma"""
    sign = label_from(items, at)
    if sign < 0:
        return False
    place = sign + 1
    while place < len(items) and items[place].word in EMPTY:
        place += 1
    is_next = place < len(items) and (
        place > sign + 1 or bool(items[place].kinds & {"diet", "header"})
    )
    return place == len(items) or (is_next and starts_label(items, place))


def may_be_empty(items: list[Item], at: int) -> bool:
    """“Allergies: Occasion: birthday”, “allergy conference”, “congrès d'allergie”"""
    before = at - 2 if at > 1 and "link" in items[at - 1].kinds else at - 1
    beside = [*items[max(0, before) : before + 1], *items[at + 1 : at + 2]]
    if any(item.word in small_words("gatherings") for item in beside):
        return True
    is_label = label_from(items, at) == at + 1
    is_of_all = any("everything" in item.kinds for item in items[at + 2 : at + 5])
    is_other = any(item.word in LABEL_ENDS for item in items[at + 3 : at + 6])
    return is_label and (is_other or is_of_all)  # “Allergies: we eat everything”


def asks_only(items: list[Item]) -> bool:
    """“Coeliac?”, “Are you vegan?”: to answer no denies all of it."""
    named = NAMED | {"allergen", "question", "link", "header"}
    return all(item.kinds & named or item.word in small_words("asks_you") for item in items)


def is_no_at_once(items: list[Item]) -> bool:
    """“None, thanks”, “N”, which is “and” elsewhere; not “none but nuts”, “none for me”"""
    words = [item for item in items if "sign" not in item.kinds] or items
    is_letter = len(items) == 1 and words[0].word == "n"
    is_none = "none" in words[0].kinds and not refuses_food(words[0])
    return is_letter or (is_none and not is_of_some(words[1:]))


def is_of_some(behind: list[Item]) -> bool:
    """“none for me, nuts for Tom”, “none but peanuts”"""
    if len(behind) < 2:
        return False
    is_but = bool(behind[0].kinds & {"but", "except"}) and "allergen" in behind[1].kinds
    return is_but or behind[0].word in small_words("for_whom") - {"("}


def is_only(items: list[Item], answer: str) -> bool:
    """“No.”, “None, thanks”, “: true”"""
    words = [item for item in items if "sign" not in item.kinds and not is_thanks(item)]
    return bool(words) and all(answers(item, answer) for item in words)


def answers(item: Item, answer: str) -> bool:
    if answer == "yes":
        return item.word in small_words("affirms")
    return bool(item.kinds & {"no", "none"}) and not refuses_food(item)

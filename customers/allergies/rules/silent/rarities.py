"""Foods that are hardly ever ordered: named for a reason, unless the words around make dinner.

“we had an incident with peanuts”, “*SESAME* per phone”; not “almond cake”, “nut ale”.
"""

from collections.abc import Iterator

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.foods import COUNTED, LIKED
from customers.allergies.rules.outcome import HARDLY_ORDERED, HEADS, SentenceOutcome

RARE = HARDLY_ORDERED - COUNTED
JOINING = frozenset({"link", "of", "article", "emphasis"})
NOT_TELLING = LIKED | HEADS | {"past", "everything", "none"}
DINNER_WORDS = ("prepared", "no_people", "dishes", "thanks")


def rarities(
    text: str, sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        places = sorted({*outcome.bare, *outcome.talk})
        is_dish = not all(is_rare(items[at]) for at in places)  # “celery and prawns”
        if is_dish or any(map(is_of_dinner, items)):
            continue
        yield from (items[at] for at in places if stands_apart(text, items, at))


def is_rare(item: Item) -> bool:
    return item.entry.allergens.keys() <= RARE


def is_of_dinner(item: Item) -> bool:
    is_earlier = "past" in item.kinds and item.word in small_words("earlier")  # “last year”
    is_quiet = bool(item.kinds & NOT_TELLING) and item.word not in small_words("with")
    return (
        is_quiet and not is_earlier or any(item.word in small_words(kind) for kind in DINNER_WORDS)
    )


def stands_apart(text: str, items: list[Item], at: int) -> bool:
    """Not part of a dish (“almond cake”, “tarta de almendra”) nor of a name (“Walnut Tree”)."""
    food, behind = items[at], items[at + 1 : at + 2]
    written = text[food.start : food.end]
    is_name = at > 0 and written[:1].isupper() and not written.isupper()
    is_beside = any(is_plain(item) and item.start <= food.end + 1 for item in behind)
    is_beside &= not any(is_of_name(text, written, item) for item in behind)
    is_modifier = is_beside and not food.word.endswith("s")  # “almond cake”, not “nuts by phone”
    return not (is_name or is_modifier or is_of_dish(items, at))


def is_of_name(text: str, food: str, behind: Item) -> bool:
    """“Abendessen: Nüsse Frau Maier”, “cena: noci Marco”"""
    is_capital = food[:1].islower() and text[behind.start : behind.start + 1].isupper()
    return behind.word in small_words("titles") or is_capital


def is_plain(item: Item) -> bool:
    return (
        item.kinds <= {"word", "harmless"}
        and item.word.isalpha()
        and (item.word not in small_words("verbs_behind"))
    )


def is_of_dish(items: list[Item], at: int) -> bool:
    """“tarta de almendra”, “glace à la pistache”; not “incident with peanuts”"""
    place = at - 1
    while place >= 0 and items[place].kinds & JOINING:
        place -= 1
    is_led = place < at - 1 and any(
        item.kinds & {"of"} or item.word in ("a", "au", "aux", "al")
        for item in items[place + 1 : at]
    )
    return is_led and place >= 0 and items[place].kinds <= {"word", "harmless"}

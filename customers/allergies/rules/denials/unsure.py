"""Foods of a note in which nothing was found: a hint, unless they are dinner or surely denied."""

from collections.abc import Iterator

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import LABEL_ENDS
from customers.allergies.rules.denials.foods import COUNTED, LIKED, has_denial
from customers.allergies.rules.denials.words import BREAKS
from customers.allergies.rules.forms import DINNER
from customers.allergies.rules.outcome import (
    CONNECT,
    HARDLY_ORDERED,
    HEADS,
    ORDERED,
    SentenceOutcome,
)

LIKING = frozenset({"love", "want", "dislike"})
ENDS = BREAKS - set("&/") | set(")[]*+")
ALONE = CONNECT | {
    "allergen",
    "person",
    "sign",
    "doubt",
}  # what may stand beside a food that is no dinner
# A denial is certain where its clause holds nothing else: “no nut allergy”, “nobody is allergic”.
DENYING = HEADS | {"no", "none", "past"}
CERTAIN = ALONE | DENYING | LIKED | {"cause", "diet", "neutral", "header"}
CERTAIN_WORDS = ("having", "thanks", "nobody", "or", "my", "within", "no_foods")


def foods_unsure(sentences: list[Sentence], outcomes: list[SentenceOutcome]) -> Iterator[Item]:
    is_warned, is_denied = False, any(map(has_denial, sentences))
    before: list[Item] = []  # foods of the sentence before
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        if is_warned:  # “attention ! crustacés pour monsieur”
            yield from (items[at] for at in outcome.bare if not is_liked(items, at))
        is_warned = all(item.kinds & {"care", "warning"} for item in items)
        if any(is_exception(items, at) for at in range(len(items))):
            foods = [item for item in items if "allergen" in item.kinds]
            is_of_person = any("person" in item.kinds for item in items)
            yield from foods or (before if is_of_person else [])  # “All but my son”
        before = [items[at] for at in (*outcome.bare, *outcome.talk)]
        yield from before if is_for_some(items) else ()
        yield from (items[at] for at in (*outcome.bare, *outcome.talk) if is_refused(items, at))
        bare = [] if sentence.is_question else outcome.bare
        yield from (items[at] for at in bare if is_alone(items, at, is_denied=is_denied))
        denied = (*outcome.denied, *outcome.denied_before)
        yield from (items[at] for at in denied if not is_surely_denied(items, at))


def is_for_some(items: list[Item]) -> bool:
    """“eggs are ok for me, not for my baby”"""
    whom = small_words("for_whom") - {"("}
    pairs = zip(items, items[1:], strict=False)
    is_denied = any("no" in one.kinds and other.word in whom for one, other in pairs)
    return is_denied and any("ok" in item.kinds for item in items)


def is_refused(items: list[Item], at: int) -> bool:
    """“make sure he doesn't get egg”, “ignore the nuts”"""
    start, end = clause(items, at)
    is_ignored = any("ignore" in item.kinds for item in items[start:at])
    is_denied = any(is_denied_verb(items, place) for place in range(start, end))
    is_dinner = items[at].entry.allergens.keys() <= ORDERED - {"fish", "molluscs"}
    is_last = not is_dinner and is_refused_at_end(items[start:end])
    return is_last or ((is_ignored or is_denied) and not is_liked(items, at))


def is_refused_at_end(items: list[Item]) -> bool:
    """“Eiklar geht bei uns nicht”, “melk gaat bij ons niet”: the verb is far from its denial."""
    is_end = items[-1].word in small_words("late")
    return is_end and any(item.word in small_words("goes") for item in items)


def is_denied_verb(items: list[Item], at: int) -> bool:
    """“doesn't get egg”, “eggs and me don't mix”; not “the cheese wasn't there”"""
    return at > 0 and items[at].word == "t" and items[at - 1].word in small_words("verbs")


def is_liked(items: list[Item], at: int) -> bool:
    start, end = clause(items, at)
    return any(item.kinds & LIKED for item in items[start:end])


def is_exception(items: list[Item], at: int) -> bool:
    """“anything apart from celery”, “can eat all nuts but walnuts”; not “just fish please”"""
    if items[at].word == "na" and at > 1:  # “op noten na”
        return "allergen" in items[at - 1].kinds and items[at - 2].word == "op"
    if "except" in items[at].kinds:
        return items[at].word not in small_words("merely")
    is_but = "but" in items[at].kinds and any("allergen" in i.kinds for i in items[at + 1 : at + 2])
    return is_but and any(item.kinds & {"ok", "everything"} for item in items)


def is_alone(items: list[Item], at: int, *, is_denied: bool) -> bool:
    """“forgot to say, sesame!”, “one has nuts”, “bday girl: egg”; not “Dessert: nuts”"""
    start, end = clause(items, at)
    label = items[start - 2 : start - 1] if start and items[start - 1].word in LABEL_ENDS else []
    is_of_person = any("person" in item.kinds for item in [*label, *items[start:at]])
    codes = items[at].entry.allergens.keys()
    is_rare = codes <= (HARDLY_ORDERED if is_of_person else HARDLY_ORDERED - COUNTED)
    is_doubted = any("doubt" in item.kinds for item in items[start:at])  # “maybe egg”
    is_rare |= (bool(label) or is_doubted) and not codes <= DINNER  # “my friend: kiwi”
    is_rare |= is_denied and (names_owner(items, at) or not codes <= DINNER | COUNTED)
    is_led = not label or is_of_person
    return is_rare and is_led and all(map(is_beside_food, items[start:end]))


def names_owner(items: list[Item], at: int) -> bool:
    """“shellfish: Tom. Ann: none”"""
    is_label = any(item.word in LABEL_ENDS for item in items[at + 1 : at + 2])
    return is_label and not items[at].entry.allergens.keys() <= ORDERED | COUNTED


def is_beside_food(item: Item) -> bool:
    is_small = (
        item.word in small_words("having")
        or item.word in small_words("leads_in")
        or item.word in small_words("merely")
    )
    is_small |= bool(item.kinds & ALONE) or "but" in item.kinds
    return is_small and not item.kinds & LIKED


def is_surely_denied(items: list[Item], at: int) -> bool:
    start, end = clause(items, at)
    near = items[start:end]
    if is_apart_from_denial(items, at):
        return False
    return all(map(is_certain, near)) or any(item.kinds & LIKING for item in near)


def is_apart_from_denial(items: list[Item], at: int) -> bool:
    """“wife nuts; Allergies: none”, “no allergies - kiwi”; not “no allergies; 2 x cheese”"""
    start, end = clause(items, at, ENDS - {","})
    near = items[start:end]
    is_of_person = any("person" in item.kinds for item in near)
    is_dinner = items[at].entry.allergens.keys() <= DINNER | COUNTED
    is_dinner &= not (is_of_person or names_owner(items, at))
    return not is_dinner and not any(item.kinds & (DENYING | LIKED) for item in near)


def is_certain(item: Item) -> bool:
    is_request = "refused" in item.kinds or item.word in small_words("avoiding")
    is_known = bool(item.kinds & CERTAIN) or any(
        item.word in small_words(kind) for kind in CERTAIN_WORDS
    )
    return is_known and not is_request


def clause(items: list[Item], at: int, ends: frozenset[str] = ENDS) -> tuple[int, int]:
    start = max((n for n in range(at) if items[n].word in ends), default=-1)
    end = next((n for n in range(at, len(items)) if items[n].word in ends), len(items))
    return start + 1, end

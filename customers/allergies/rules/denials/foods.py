"""Foods that a note names apart from the allergy it denies: “none for me, wife nuts”."""

from collections.abc import Callable, Iterator
from itertools import dropwhile

from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import LABEL_ENDS, NAMED, is_answered_no, is_thanks
from customers.allergies.rules.denials.sentence import past_illnesses
from customers.allergies.rules.denials.words import BREAKS
from customers.allergies.rules.forms import (
    NAMES,
    answers_of_one,
    are_dinner,
    before_label,
    denies_of_one,
    has_nothing_of_one,
    is_nothing_of_one,
)
from customers.allergies.rules.outcome import HARDLY_ORDERED, SentenceOutcome, connects

NONE = frozenset({"no", "none", "past", "neutral", "ignore"})
COUNTED = frozenset({"gluten", "eggs", "milk"})  # “2 x cheese”
LIKED = frozenset({"love", "want", "dislike", "ok", "allowed", "harmless"})
DENIED = frozenset({"allergy", "intolerance", "past"})  # “no longer allergic” is one phrase
OTHER_VERBS = frozenset({"word", "love", "want", "dislike"})


def foods_after_denials(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    """Only where the note tells of nothing else: then each may be what somebody does have."""
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        if any(item.kinds & DENIED for item in items):
            yield from (
                items[at] for at in range(2, len(items)) if is_set_apart(items, at, outcome)
            )
    if any(map(denies_some, sentences)):
        pairs = zip(sentences, outcomes, strict=True)
        foods = [food for sentence, outcome in pairs for food in answers_of_one(sentence, outcome)]
        yield from [] if are_dinner(foods) and not any(map(denies_of_one, sentences)) else foods
    if any(map(has_nothing_of_one, sentences)):
        pairs = zip(sentences, outcomes, strict=True)
        foods = [food for sentence, outcome in pairs for food in foods_of_others(sentence, outcome)]
        yield from [] if are_dinner(foods) else foods
    yield from foods_affirmed(sentences)
    yield from foods_beside_illnesses(sentences, outcomes)
    yield from foods_beside_denials(sentences, outcomes)


def foods_of_others(sentence: Sentence, outcome: SentenceOutcome) -> Iterator[Item]:
    """“S1 nuts, S2 -”, “everyone fine, Ben nuts”, “all ok, just sesame”; not “love nuts, Ann ok”"""
    items = sentence.items
    for at in outcome.bare + outcome.talk:
        name = before_label(items, at)
        is_of_one = name < 0 or bool({"except", "sign"} & items[name].kinds)
        is_of_one |= name >= 0 and items[name].kinds <= NAMES
        near = clause_around(items, at)
        near = [i for i in near if not is_nothing_of_one(items, items.index(i))]
        if is_of_one and not any(item.kinds & LIKED for item in near):
            yield items[at]


def foods_affirmed(sentences: list[Sentence]) -> Iterator[Item]:
    """“not allergic to milk, yes to nuts”, “nut allergy no... wait, yes”, “not none: nuts”"""
    denied: list[Item] = []
    is_answered = False  # “Allergies: no. Wait, yes: fish”
    for sentence in sentences:
        items = sentence.items
        foods = [item for item in items if "allergen" in item.kinds]
        is_of_allergy = any(item.kinds & DENIED for item in items)
        yield from foods_behind_yes(items) if is_answered and not is_of_allergy else ()
        is_answered = is_of_allergy or (is_answered and not foods)
        if is_of_allergy:
            denied = foods
        elif foods or sentence.is_question:
            denied = []
        places = [at for at in range(len(items)) if is_yes_of_some(items, at)]
        if places and denied:
            behind = [food for food in foods if food.start > items[places[0]].start]
            yield from behind or clause_foods(items, places[0]) or denied
        if denied and any(map(doubles_denial, items, items[1:])):
            yield from denied


def foods_behind_yes(items: list[Item]) -> list[Item]:
    """“Wait, yes: fish”, not “yes to the terrace, fish menu” nor “Parking: yes, fish menu”"""
    places = (at for at, item in enumerate(items) if says_yes(item))
    own = (at for at in places if not at or items[at - 1].word not in LABEL_ENDS)
    behind = items[next(own, len(items)) + 1 :]
    behind = list(dropwhile(lambda item: item.kinds & {"sign", "link"}, behind))
    return behind[:1] if behind and "allergen" in behind[0].kinds else []


def foods_beside_illnesses(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    """“no longer coeliac; milk!”, “not coeliac any more, nuts though”"""
    if any(past_illnesses(sentences)):
        for sentence, outcome in zip(sentences, outcomes, strict=True):
            for at in outcome.bare + outcome.talk + outcome.denied:
                near = clause_around(sentence.items, at)
                if not any(item.kinds & LIKED for item in near):
                    yield sentence.items[at]


def says_yes(item: Item) -> bool:
    return item.word in small_words("affirms") or item.word in small_words("affirms_some")


def is_yes_of_some(items: list[Item], at: int) -> bool:
    """“yes to nuts”, “… sí al huevo”, “… ei wel”; not “if possible” nor “Parking: yes”"""
    is_yes = says_yes(items[at])
    if not is_yes or (at > 0 and items[at - 1].word in LABEL_ENDS):
        return False
    behind = items[at + 1 : at + 3]
    is_led = len(behind) > 1 and "link" in behind[0].kinds and "allergen" in behind[1].kinds
    is_end = not behind or bool(behind[0].kinds & {"sign", "allergen", "correction"})
    return is_led or is_end or is_thanks(behind[0])


def clause_foods(items: list[Item], at: int) -> list[Item]:
    return [item for item in clause_around(items, at) if "allergen" in item.kinds]


def doubles_denial(first: Item, second: Item) -> bool:
    """“not none”, “no no no nuts allergy”"""
    return bool(first.kinds & {"no"}) and bool(second.kinds & {"no", "none"})


def foods_beside_denials(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    """“None. Well, nuts.”, “no allergies, actually prawns”, “not allergic to nuts. My wife is.”"""
    is_denied = any(map(has_denial, sentences))
    is_of_somebody = any(map(has_somebody, sentences))
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        yield from (items[at] for at in outcome.bare if is_named_alone(items, at))
        if not is_denied:
            continue
        if is_of_somebody and any(item.kinds & DENIED for item in items):
            yield from (item for item in items if "allergen" in item.kinds)
        denied = [at for at in outcome.denied if not items[at].kinds & DENIED]
        led = (at for at in outcome.bare if is_led(items, at))
        apart = [*denied, *outcome.talk, *led]
        yield from (items[at] for at in apart if is_behind(items, at, is_turn))
        turned = (at for at in outcome.bare if is_right_behind(items, at))
        yield from (items[at] for at in turned)
        beside = [*outcome.bare, *(at for at in denied if is_beside(items, at))]
        yield from (items[at] for at in beside if not sentence.is_question and is_rarely(items, at))


def has_denial(sentence: Sentence) -> bool:
    none = {"0"} | small_words("nobody")
    return any(item.kinds & NONE or item.word in none for item in sentence.items)


def is_named_alone(items: list[Item], at: int) -> bool:
    """“As discussed: nuts”, “Red list: prawns”, “…, my wife nuts”; not “Dessert: cheese”"""
    is_person = at > 0 and "person" in items[at - 1].kinds
    start = max((n for n in range(at) if items[n].word in LABEL_ENDS), default=-1)
    is_list = start > 0 and all(connects(i) or "allergen" in i.kinds for i in items[start:])
    is_rare = items[at].entry.allergens.keys() <= HARDLY_ORDERED - COUNTED
    is_out = items[0].word in small_words("lists_out")
    return (is_person and is_rare) or (is_list and (is_rare or is_out))


def has_somebody(sentence: Sentence) -> bool:
    """“My wife is.”, “… ma femme si”, “… but I am”; not “she is vegan”"""
    items = [item for item in sentence.items if item.word not in ("l", "lo")]  # “ma femme l'est”
    return any(
        (one.kinds & {"person"} or one.word in small_words("somebody") or is_name_of(before, one))
        and yes.word in small_words("does_it")
        and (not behind or behind.kinds & {"sign", "but"})
        for before, one, yes, behind in zip(
            [None, *items], items, items[1:], [*items[2:], None], strict=False
        )
    )


def is_name_of(before: Item | None, item: Item) -> bool:
    """“Tom does.”, “… but Tom has”"""
    is_first = before is None or "but" in before.kinds
    return is_first and item.kinds == {"word"} and item.word not in small_words("means_food")


def is_behind(items: list[Item], at: int, turns_at: Callable[[list[Item], int], bool]) -> bool:
    """“no allergies, actually prawns”, “she isn't allergic to nuts, she is to milk”"""
    turns = [n for n in range(at) if turns_at(items, n)]
    between = items[turns[-1] + 1 : at] if turns else []
    return bool(turns) and not any(item.kinds & OTHER_VERBS - {"word"} for item in between)


def is_right_behind(items: list[Item], at: int) -> bool:
    """“actually prawns”, “well, prawns”, unlike “well done steak”"""
    place = at - 1
    while place > 0 and ("sign" in items[place].kinds or says_yes(items[place])):
        place -= 1
    is_still = place >= 0 and items[place].word in small_words("still")
    return is_still or is_behind(items, at, is_correction)


def is_turn(items: list[Item], at: int) -> bool:
    """“… she is to milk”, “no she is allergic”, unlike “she is not allergic to milk”"""
    is_yes = items[at].word in small_words("does_it") and at > 0
    is_somebody = is_yes and items[at - 1].word in small_words("somebody")
    is_led_on = any("link" in item.kinds for item in items[at + 1 : at + 2])
    is_and = "link" in items[at].kinds and "copula" not in items[at].kinds  # “… e alle noci”
    is_somebody |= is_yes and items[at - 1].word == "," and is_led_on and not is_and
    is_answer = is_somebody and at > 1 and bool(items[at - 2].kinds & NONE)
    is_person = is_somebody or "person" in items[at].kinds
    is_behind = any(item.kinds & DENIED for item in items[:at])
    is_still = items[at].word in small_words("still")
    is_turn_back = is_correction(items, at) or is_still
    return is_turn_back or is_answer or (is_person and is_behind)


def is_correction(items: list[Item], at: int) -> bool:
    return "correction" in items[at].kinds or items[at].word in small_words("turns")


def is_beside(items: list[Item], at: int) -> bool:
    """“no allergies, nuts”, “newsletter no allergies nuts”; not “no allergies to nuts”"""
    head = max((n for n in range(at) if items[n].kinds & DENIED), default=-1)
    between = items[head + 1 : at]
    if any("no" in item.kinds for item in between[:2]):  # “allergic not to nuts but to peanuts”
        between = list(dropwhile(lambda item: item.kinds & {"no", "sign"}, between))
    is_object = bool(between) and bool(between[0].kinds & {"link", "of"})
    is_next = any(item.word == ";" for item in between)
    is_next |= any(item.word == "na" for item in items[at + 1 : at + 2])  # “op noten na”
    is_object &= all(connects(i) or "allergen" in i.kinds for i in between)
    return not items[at].kinds & DENIED and (is_next or not is_object)


def is_rarely(items: list[Item], at: int) -> bool:
    """“nuts”, unlike “2 x cheese”, “love nuts”, “nuts are ok” and “prawns”"""
    is_counted = at > 0 and (items[at - 1].number is not None or items[at - 1].word == TIMES)
    is_liked = is_led(items, at) or any(item.kinds & LIKED for item in clause_around(items, at))
    codes = items[at].entry.allergens.keys()
    return not is_liked and codes <= (HARDLY_ORDERED - COUNTED if is_counted else HARDLY_ORDERED)


def is_led(items: list[Item], at: int) -> bool:
    """“to nuts he has no allergy”"""
    return at > 0 and items[at - 1].word in small_words("against")


def clause_around(items: list[Item], at: int) -> list[Item]:
    start = max((n for n in range(at) if items[n].word in BREAKS), default=-1)
    end = next((n for n in range(at, len(items)) if items[n].word in BREAKS), len(items))
    return items[start + 1 : end]


def denies_some(sentence: Sentence) -> bool:
    """“No allergies”, “Ann: none”, “vegan: 0”"""
    items = sentence.items
    is_named = any(item.kinds & DENIED for item in items)
    is_counted = any(i.kinds & NAMED and is_answered_no(items, at) for at, i in enumerate(items))
    return is_named or is_counted or denies_of_one(sentence)


def is_set_apart(items: list[Item], at: int, outcome: SentenceOutcome) -> bool:
    if "allergen" not in items[at].kinds:
        return False
    before, after = items[at - 1], items[at + 1 : at + 2]
    is_person = "person" in before.kinds  # “wife nuts”
    is_only = any(item.word in small_words("only") for item in (before, *after))
    return is_person or is_only or (at in outcome.bare and is_turned_to(items, at))


def is_turned_to(items: list[Item], at: int) -> bool:
    """“geen notenallergie maar wel pinda”, not “but we like fish”"""
    turns = [n for n in range(at) if "but" in items[n].kinds]
    between = items[turns[-1] + 1 : at] if turns else []
    other = (item for item in between if item.word not in small_words("having"))
    return bool(turns) and not any(item.kinds & OTHER_VERBS for item in other)

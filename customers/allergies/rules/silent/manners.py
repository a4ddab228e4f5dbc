"""What makes a food of a note that states nothing a matter: “soya in any form”, “the egg thing”.

Each is a hint. A food that is often ordered needs more than others: “fish only if cooked”.
"""

from collections.abc import Iterator
from itertools import dropwhile, islice, takewhile

from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.foods import COUNTED, LIKED
from customers.allergies.rules.outcome import HARDLY_ORDERED, HEADS, SentenceOutcome, ends_clause
from customers.allergies.rules.silent.labels import foods_of_label
from customers.allergies.rules.silent.persons import foods_of_persons
from customers.allergies.rules.silent.rarities import rarities

RARE = HARDLY_ORDERED - COUNTED
MAY_BE_FINE = HARDLY_ORDERED | {"fish", "crustaceans", "molluscs"}  # “red wine is fine”
NEAR = 2  # items between a food and what makes it a matter
MOST_BETWEEN = 4  # items from a food to a person
MOST_OF_DISH = 2  # words of “the tomato soup”
NO_DISHES = ("menus", "headings", "guests", "whom", "groups", "child")
OF_LIST = frozenset({"allergen", "link", "article", "of", "emphasis"})
MOST_OF_MANNER = 5  # words of “sous quelque forme que ce soit”
SMALL = frozenset({"link", "of", "article", "number", "people", "severe", "emphasis", "allergen"})


def foods_that_matter(
    text: str, sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        places = sorted({*outcome.bare, *outcome.talk, *outcome.denied})
        yield from foods_beside_fine_ones(sentence, places)
        if not places or any(map(is_liking, items)):
            continue
        reminds = any(item.word in small_words("reminding") for item in items)
        is_medical = any(item.word in small_words("medical") for item in items)
        is_medical &= not any(item.word in small_words("no_people") for item in items)
        for at in places:
            is_rare = items[at].entry.allergens.keys() <= RARE
            is_meant = has_manner(items, at) or is_thing(items, at) or is_part_only(items, at)
            is_meant |= is_of_owner(text, items, at) or is_category(items, at) or is_red(items, at)
            is_about = is_topic(items, at) and codes_in(items[at], HARDLY_ORDERED)
            is_felt = any("symptom" in item.kinds for item in items)  # “nuts, his mouth itches”
            is_felt &= at not in outcome.denied
            is_felt |= is_medical or is_affecting(items, at) or is_for_kitchen(items)
            is_of_person = at not in outcome.denied and is_beside_person(items, at)
            if is_meant or is_about or is_felt or (is_rare and (reminds or is_of_person)):
                yield items[at]


def is_liking(item: Item) -> bool:
    """“wants”, “loves”; the “with” of “lo de Leo con el gluten” is neither"""
    is_with = item.word in small_words("with")
    return bool(item.kinds & LIKED - {"ok", "allowed", "harmless"}) and not is_with


def is_red(items: list[Item], at: int) -> bool:
    """“{"fish": "red"}”; not “wine: red” nor “fish: red snapper”"""
    sign, *colour = items[at + 1 : at + 4] or [items[at]]
    is_led = sign.word in (":", "=") and bool(colour) and colour[0].word in small_words("lists_out")
    is_end = all("sign" in item.kinds for item in colour[1:])
    return is_led and is_end and "alcohol" not in items[at].entry.allergens


def is_for_kitchen(items: list[Item]) -> bool:
    """“prawns, please tell kitchen”, “crevettes, prévenir la cuisine”"""
    return any("care" in i.kinds and i.word in small_words("notifying") for i in items)


def is_affecting(items: list[Item], at: int) -> bool:
    """“dairy gives our son cramps”, “il latte lo fa stare male”; not “cheese makes me happy”"""
    near = items[at + 1 : at + 5]
    verb = next((n for n, item in enumerate(near[:3]) if item.word in small_words("affects")), -1)
    if verb < 0 or any(item.word in small_words("pleased") for item in items):
        return False
    before, behind = near[:verb], near[verb + 1 : verb + 3]
    is_whom = all(item.word in small_words("affected") for item in before)
    is_somebody = any("person" in item.kinds or item.word in small_words("whom") for item in behind)
    return is_whom and (bool(before) or is_somebody)


def is_beside_person(items: list[Item], at: int) -> bool:
    """“my dad and mustard”, “mustard, my dad”; not “celery salad for my wife”, which orders it"""
    for places in (range(at - 1, -1, -1), range(at + 1, len(items))):
        beside = [*islice((items[n] for n in places), MOST_BETWEEN)]
        passed = [*takewhile(lambda item: item.kinds & SMALL or "sign" in item.kinds, beside)]
        is_led = any(item.word in small_words("for_whom") for item in passed)
        if not is_led and any("person" in item.kinds for item in beside[len(passed) :][:1]):
            return not any(is_of_dinner(item) for item in items)
    return False


def is_of_dinner(item: Item) -> bool:
    return item.word in small_words("no_people") or item.word in small_words("thanks")


def foods_beside_fine_ones(sentence: Sentence, places: list[int]) -> Iterator[Item]:
    """“peanuts are fine, tree nuts not”, “fine with peanuts but not with almonds”"""
    items = sentence.items
    fine = {at for at in places if is_fine(items, at) and codes_in(items[at], MAY_BE_FINE)}
    if not fine or sentence.is_question:
        return
    for at in set(places) - fine:
        is_rare = items[at].entry.allergens.keys() <= RARE | {"crustaceans", "molluscs"}
        if is_rare or any("no" in item.kinds for item in items[max(0, at - NEAR) : at + NEAR]):
            yield items[at]


def is_fine(items: list[Item], at: int) -> bool:
    """“peanuts are fine”, “fine with peanuts”; not “peanuts not fine”"""
    before = [*takewhile(is_of_clause, reversed(items[max(0, at - NEAR) : at]))]
    behind = [*takewhile(is_of_clause, items[at + 1 : at + 1 + NEAR])]
    is_led = any(item.word in small_words("fine") for item in before)
    is_denied = any("no" in item.kinds for item in (*before, *behind))
    return (is_led or any("ok" in item.kinds for item in behind)) and not is_denied


def is_of_clause(item: Item) -> bool:
    return not ends_clause(item) and "allergen" not in item.kinds


def codes_in(item: Item, known: frozenset[str]) -> bool:
    return item.entry.allergens.keys() <= known


def has_manner(items: list[Item], at: int) -> bool:
    """“in any form”, “of any kind”, “sous toutes ses formes”, “whatsoever”, “at all”"""
    behind = items[at + 1 : at + 2 + MOST_OF_MANNER]
    if behind[:1] and behind[0].word in small_words("badly"):  # “frutos secos mal”
        return len(behind) == 1 or "sign" in behind[1].kinds
    words = [item.word for item in behind]
    place = next((n for n, word in enumerate(words) if word in small_words("forms")), -1)
    before = words[:place] if place > 0 else []
    return any(word in small_words("any") for word in before) or (
        words[:2] == ["at", "all"] or words[:1] == ["whatsoever"]
    )


def is_thing(items: list[Item], at: int) -> bool:
    """“the egg thing”, “le truc des noix”, “lo del huevo”, “egg is the problem”"""
    behind = [item for item in items[at + 1 : at + 5] if not item.kinds & SMALL - {"allergen"}]
    if behind[:1] and behind[0].word in small_words("things"):
        return True
    before = items[max(0, at - 5) : at]
    return any(
        item.word in small_words("things_of") and all(map(is_of_thing, before[n + 1 :]))
        for n, item in enumerate(before)
    )


def is_of_thing(item: Item) -> bool:
    """“lo de Leo con el gluten”; not “lo queremos con leche”"""
    is_named = item.kinds <= {"word", "person"} or item.word in small_words("with")
    return is_named or bool(item.kinds & SMALL)


def is_part_only(items: list[Item], at: int) -> bool:
    """“eggs only if baked”, “only raw fish is the problem”, “huevo solo si está crudo”"""
    near = items[max(0, at - 3) : at] + items[at + 1 : at + 9]
    parts = [item for item in near if item.word in small_words("part_words")]
    parts += [item for item in near if item.word in small_words("prepared_so")]
    is_matter = any("trouble" in item.kinds or item.word in small_words("things") for item in near)
    is_only = any(item.word in small_words("merely") or "except" in item.kinds for item in near)
    is_if = any(item.word in small_words("conditions") for item in near)
    is_fine = any("no" in item.kinds for item in near)
    if is_matter and not is_fine:
        return True
    return bool(parts) and is_if and (is_only or not is_dinner_order(items))


def is_dinner_order(items: list[Item]) -> bool:
    return any(item.word in small_words("thanks") or "want" in item.kinds for item in items)


def is_of_owner(text: str, items: list[Item], at: int) -> bool:
    """“Leila's sesame”: a name with a capital, not “goat's milk”"""
    if at < 2 or items[at - 1].word != "s" or not codes_in(items[at], HARDLY_ORDERED):
        return False
    owner = text[items[at - 2].start : items[at - 2].end]
    return owner[:1].isupper() and items[at - 1].start == items[at - 2].end + 1


def is_category(items: list[Item], at: int) -> bool:
    """“dairy x1”: a word of kitchens and doctors, which nobody orders"""
    is_counted = TIMES in [
        item.word for item in items[at + 1 : at + 2] + items[max(0, at - 1) : at]
    ]
    return items[at].word in small_words("categories") and is_counted


def is_topic(items: list[Item], at: int) -> bool:
    """“re nuts”, “about the nuts”, “concernant les noix”"""
    before = items[max(0, at - NEAR - 1) : at]
    is_idiom = any(item.word == "nuts" for item in before)  # “nuts about your tiramisu”
    is_led = any(item.word in small_words("topics") for item in before)
    return is_led and not is_idiom and not any(item.kinds & HEADS for item in items)


def foods_in_dishes(sentence: Sentence) -> Iterator[Item]:
    """“egg in the quiche?”, “porta llet el puré?”; not “fish on the menu?”"""
    items = sentence.items
    first = small_words("asks_there") | small_words("asks_being")
    is_liked = any(item.kinds & {"love", "dislike"} or item.word == "like" for item in items)
    is_asking = items[0].word in small_words("asks_contents") or (
        sentence.is_question and items[0].word in small_words("holds") - small_words("having")
    )
    if is_asking and not is_liked:
        yield from (item for item in items if item.entry.allergens and codes_in(item, MAY_BE_FINE))
    elif not (sentence.is_question or items[0].word in first):
        return
    yield from foods_behind_dish(items)
    yield from foods_with_dish(items)
    for at, item in enumerate(items[:-2]):
        if not item.entry.allergens or not codes_in(item, MAY_BE_FINE):
            continue
        behind = [*dropwhile(is_part_or_used, items[at + 1 : at + 7])][:4]
        is_within = len(behind) > 1 and behind[0].word in small_words("inside")
        is_within = is_within and "sign" not in behind[1].kinds
        if is_within and not any(one.word in small_words("menus") for one in behind):
            yield item


def foods_behind_dish(items: list[Item]) -> Iterator[Item]:
    """“Ist in der Suppe Sahne?”, “dans la purée il y a du lait ?”; not “in July, any oysters?”"""
    within = next((at for at, item in enumerate(items) if item.word in small_words("inside")), -1)
    dish = next((at for at, item in enumerate(items) if at > within and is_dish(item)), len(items))
    has_asking_verb = any(item.word in small_words("asks_there") for item in items)
    if 0 <= within < dish and has_asking_verb:
        foods = (item for item in items[dish + 1 :] if item.entry.allergens)
        yield from (item for item in foods if codes_in(item, HARDLY_ORDERED))


def foods_with_dish(items: list[Item]) -> Iterator[Item]:
    """“¿freís las patatas con los langostinos?”, “¿el caldo es de pescado?”"""
    if any(item.word in small_words("menus") - small_words("parts") for item in items):
        return
    for at, item in enumerate(items):
        is_base = item.word == "a" and item.end - item.start > 1  # “à base de”
        is_of = is_base or "of" in item.kinds
        if not at or not (is_of or item.word in small_words("with")):
            continue
        is_cooked = not is_of and any(one.word in small_words("cooking") for one in items[:at])
        is_being = items[at - 1].word in small_words("does_it") | small_words("made_of")
        foods = takewhile(lambda one: one.kinds & OF_LIST or "number" in one.kinds, items[at + 1 :])
        if is_cooked or is_being:
            codes = MAY_BE_FINE if is_cooked or is_of else HARDLY_ORDERED
            yield from (one for one in foods if one.entry.allergens and codes_in(one, codes))


def is_dish(item: Item) -> bool:
    """Not the small words of “in the”, “dans votre”"""
    is_small = bool(item.kinds & OF_LIST - {"allergen"}) or item.word in small_words("my")
    return may_be_dish(item) and not is_small


def is_part_or_used(item: Item) -> bool:
    """“worcester sauce used in”, “wird Senf in der Soße verwendet”"""
    return item.word in small_words("parts") or item.word in small_words("used")


def foods_of_dish(sentence: Sentence) -> Iterator[Item]:
    """“o puré tem leite”, “la salsa lleva huevo”: people leave out the mark of a question."""
    items, most = sentence.items, MOST_OF_DISH * (1 + sentence.is_question)
    verb = next((at for at, item in enumerate(items) if item.word in small_words("holds")), 0)
    dish = [item for item in items[:verb] if not item.kinds & {"link", "article", "of", "emphasis"}]
    foods = items[verb + 1 :]
    is_led = verb > len(dish) and 0 < len(dish) <= most
    if not is_led or not all(map(may_be_dish, dish)) or not all(i.kinds & OF_LIST for i in foods):
        return
    codes = HARDLY_ORDERED if items[verb].word in small_words("having") else MAY_BE_FINE
    yield from (item for item in foods if item.entry.allergens and codes_in(item, codes))


def may_be_dish(item: Item) -> bool:
    """Not “the menu”, “the restaurant”, “the boss”"""
    is_other = any(item.word in small_words(kind) for kind in NO_DISHES)
    return item.kinds <= {"word", "want", "allergen"} and item.word.isalpha() and not is_other


def foods_of_before(items: list[Item]) -> Iterator[Item]:
    """“used to be ok with almonds but now she isn't”, “früher ging Milch, jetzt nicht mehr”"""
    if any(item.kinds & HEADS | item.kinds & {"diet", "love"} for item in items):
        return
    turn = max((n for n, item in enumerate(items) if is_turn(item)), default=0)
    before, behind = items[:turn], items[turn + 1 :]
    is_denied = any(item.kinds & {"no", "past"} or item.word == "t" for item in behind)
    is_short = all(
        item.kinds & {"no", "past", "person", "emphasis"} or item.word in small_words("turned")
        for item in behind
    )
    if is_denied and is_short and any(item.word in small_words("formerly") for item in before):
        yield from (item for item in before if codes_in(item, MAY_BE_FINE) and item.entry.allergens)


def foods_before_inability(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    """“What about eggs? My son can't have them”, “¿tiene leche? El niño no la puede comer”"""
    for sentence, outcome, answer in zip(sentences, outcomes, [*sentences[1:], None], strict=True):
        foods = [sentence.items[at] for at in (*outcome.bare, *outcome.talk)]
        answers = [part_behind(sentence.items), answer.items if answer else []]
        if foods and any(map(is_inability, answers)):
            yield from (item for item in foods if codes_in(item, MAY_BE_FINE))


def part_behind(items: list[Item]) -> list[Item]:
    """“not that he dislikes nuts, he can't have them”"""
    turn = max((at for at, item in enumerate(items) if is_turn(item)), default=len(items))
    return items[turn + 1 :]


def is_inability(items: list[Item]) -> bool:
    """“My son can't have them”; not “we can't have the table before 8”, “he can't eat eggs”"""
    place = next((at for at, item in enumerate(items) if "cannot" in item.kinds), -1)
    behind = items[place + 1 : place + 2]
    is_over = all("sign" in i.kinds or i.word in small_words("objects") for i in behind)
    return place >= 0 and is_over and not any(item.entry.allergens for item in items)


def is_turn(item: Item) -> bool:
    return "but" in item.kinds or item.word in ",;"


def foods_named_for_a_reason(
    text: str, sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    if not any(outcome.bare or outcome.talk or outcome.denied for outcome in outcomes):
        return
    yield from foods_of_persons(text, sentences)
    yield from foods_of_label(text, sentences)
    for sentence in sentences:
        yield from foods_in_dishes(sentence)
        yield from foods_of_dish(sentence)
        yield from foods_of_before(sentence.items)
    yield from foods_before_inability(sentences, outcomes)
    yield from foods_that_matter(text, sentences, outcomes)
    yield from rarities(text, sentences, outcomes)

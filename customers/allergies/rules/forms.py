"""Lists below a heading, and answers for one person each: “Allergies:”, “- nuts”, “Ann: none”."""

from dataclasses import replace
from itertools import takewhile

from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import LABEL_ENDS, SEPARATORS, is_answered_no
from customers.allergies.rules.outcome import (
    HEADS,
    LABEL_SIGNS,
    ORDERED,
    SentenceOutcome,
    SentenceScope,
    connects,
    is_ordered,
)
from customers.allergies.rules.sentences_before import is_list

NAMES = frozenset({"word", "person", "people", "number", "article", "harmless"})
LEAST_FIELDS = 3  # of two foods that are answered, one may be what somebody likes to eat
DINNER = ORDERED | {"crustaceans"}
DASHES = frozenset("-–—")
GRAVITY = frozenset({"severe", "mild", "emphasis"})
MOST_OF_NAME = 3  # words of “Mr Smith:”, “Guest 2:”
MOST_OF_HEADING = 4  # words of “Known food allergies:”


def scope_below(
    sentence: Sentence, before: Sentence, outcome: SentenceOutcome
) -> SentenceScope | None:
    """“Allergies:”, and below it “- nuts”, “Milk: yes” or, perhaps, “Bob: fish”"""
    is_next = outcome.is_form and not outcome.open_heads and is_line(sentence)
    if not is_next or sentence.is_question or is_order_below(sentence, before):
        return None
    name = name_of_line(sentence.items)
    if name and not has_names(before):
        return None  # “Wine: red”
    is_person = all(item.kinds & {"person", "people"} for item in name)
    is_of_names = any(map(is_field, before.items)) and not any(map(is_ordered, sentence.items))
    return SentenceScope("stated", is_maybe=not (is_person or is_of_names), is_form=True)


def is_order_below(sentence: Sentence, before: Sentence) -> bool:
    """“Allergies: nuts”, and below it “2 x fish”: what they eat"""
    is_counted = any(item.number for item in before.items)
    is_dinner = any(map(is_ordered, sentence.items)) and not is_counted
    return is_dinner and any(item.number for item in sentence.items)


def has_names(sentence: Sentence) -> bool:
    """“Allergies:” with nothing behind it, “Allergies: Ann: none”, “Ann: none”"""
    items = sentence.items
    signs = [item for item in items if item.word in LABEL_SIGNS]
    return items[-1].word in LABEL_SIGNS or len(signs) > 1 or bool(name_of_line(items))


def begins_form(sentence: Sentence) -> bool:
    """“Allergies:”, “Known food allergies: nuts”, whose list may go on in the next lines"""
    items = sentence.items
    head = next((at for at, item in enumerate(items[:MOST_OF_HEADING]) if item.kinds & HEADS), -1)
    if head < 0:
        return False
    sign = head + 1
    while sign < len(items) and (items[sign].kinds & GRAVITY or items[sign].word in "()"):
        sign += 1
    is_label = sign < len(items) and items[sign].word in LABEL_SIGNS
    is_heading = not any(item.entry.allergens for item in items[:head])
    rest = items[sign + 1 :]
    return is_label and is_heading and (not rest or is_line(Sentence(rest)))


def is_grave_heading(sentence: Sentence) -> bool:
    """“Severe allergies:”, “Alergias graves:”"""
    heading = takewhile(lambda item: item.word not in LABEL_ENDS, sentence.items)
    is_grave = any("severe" in item.kinds and "mild" not in item.kinds for item in heading)
    return is_grave and begins_form(sentence)


def is_line(sentence: Sentence) -> bool:
    """“- nuts”, “Nuts: yes, milk: no”, “Bob: none”; “no fish” is a line of its own."""
    rest = sentence.items[len(name_of_line(sentence.items)) :]
    is_denial = bool(sentence.items[0].kinds & {"no", "none"})
    answers = all(is_of_answer(item) for item in rest)
    return not is_denial and (answers or is_list(Sentence(rest)))


def is_of_answer(item: Item) -> bool:
    is_answer = item.number is not None or item.kinds & {"no", "none", "sign", "link"}
    is_yes = item.word == TIMES or item.word in small_words("affirms")
    return is_yes or bool(is_answer or item.entry.allergens)


def name_of_line(items: list[Item]) -> list[Item]:
    """“Bob Smith” of “Bob Smith: nuts”"""
    signs = [at for at, item in enumerate(items[: MOST_OF_NAME + 1]) if item.word in LABEL_SIGNS]
    name = items[: signs[0]] if signs else []
    return name if all(item.kinds <= NAMES for item in name) else []


def without_denied_fields(sentences: list[Sentence]) -> list[Sentence]:
    """Of “Allergens: gluten: no, nuts: yes” and of the lines of a form only the nuts.

    Where all is answered with no, a guest may as well refuse it: “Allergies: nuts no, milk no”.
    """
    if not any(is_answer(item) for sentence in sentences for item in sentence.items):
        return sentences
    kept: list[Sentence] = []
    for form in forms_of(sentences):
        is_grid = is_answered_form(form)
        for sentence in form:
            is_own = is_grid and all_answered(sentence.items)
            is_left = is_own or tells_of_answers(sentence.items)
            own = without_fields(sentence) if is_left else sentence
            kept += [own] if own.items else []
    return kept


def is_answered_form(form: list[Sentence]) -> bool:
    """“gluten: no, nuts: yes, milk: no”, “peanut: 1, nuts: 0”; of two foods one may be refused."""
    is_form = len(form) > 1 or begins_form(form[0])
    fields = sum(map(signed_fields, form))
    is_counted = any(map(has_number, form))
    return is_form and any(map(has_yes, form)) and (fields >= LEAST_FIELDS or is_counted)


def signed_fields(sentence: Sentence) -> int:
    """“gluten: no”; a “yes” at the end of a line was cut off before."""
    items = sentence.items
    fields = [at for at, item in enumerate(items) if is_field(item)]
    return sum(end_of_field(items, at) > at + 2 for at in fields) or sentence.is_affirmed


def has_number(sentence: Sentence) -> bool:
    items = sentence.items
    foods = (at for at, item in enumerate(items) if is_field(item))
    return any(items[end_of_field(items, at) - 1].number for at in foods)


def forms_of(sentences: list[Sentence]) -> list[list[Sentence]]:
    """Each heading with its lines, and each other sentence by itself."""
    found: list[list[Sentence]] = []
    is_form = False
    for sentence in sentences:
        is_below = is_form and is_line(sentence)
        is_form = is_below or begins_form(sentence) or is_heading_alone(sentence)
        if is_below:
            found[-1].append(sentence)
        else:
            found.append([sentence])
    return found


def has_yes(sentence: Sentence) -> bool:
    items = sentence.items
    is_yes_cut_off = sentence.is_affirmed and any(map(is_field, items))
    answers = [at for at in yes_fields(items) if is_end(items, end_of_field(items, at))]
    return is_yes_cut_off or bool(answers) or has_number(sentence)


def all_answered(items: list[Item]) -> bool:
    foods = [at for at, item in enumerate(items) if is_field(item)]
    return bool(foods) and all(end_of_field(items, at) > at + 1 for at in foods)


def tells_of_answers(items: list[Item]) -> bool:
    """“nuts yes (allergic), peanuts no”; “allergic to molluscs, prawns yes” allows the prawns."""
    is_of_allergy = any(item.kinds & HEADS for item in items)
    ends = [end_of_field(items, at) for at in denied_fields(items)] if is_of_allergy else []
    if not ends or not all(is_end(items, end) for end in ends):
        return False
    return any(
        is_head_behind(items, end_of_field(items, at)) or is_head_before(items, at)
        for at in yes_fields(items)
    )


def is_head_before(items: list[Item], at: int) -> bool:
    """“allergic to nuts yes”; “Allergies: fish yes” may allow the fish."""
    is_label = at > 0 and items[at - 1].word in LABEL_SIGNS
    return not is_label and is_head_near(items[max(0, at - 2) : at])


def is_end(items: list[Item], at: int) -> bool:
    return at >= len(items) or "sign" in items[at].kinds


def is_head_behind(items: list[Item], at: int) -> bool:
    """“nuts yes (allergic)”, “nuts yes allergic”; not “fish yes, allergic to nuts”"""
    place = at + (at < len(items) and items[at].word == "(")
    return is_head_near(items[place : place + 1]) and is_end(items, place + 1)


def is_head_near(items: list[Item]) -> bool:
    return any(item.kinds & HEADS for item in items)


def without_fields(sentence: Sentence) -> Sentence:
    items = sentence.items
    left_out = {n for at in denied_fields(items) for n in range(at, end_of_field(items, at))}
    left_out |= {n for at in yes_fields(items) for n in range(at + 1, end_of_field(items, at))}
    return replace(sentence, items=[i for at, i in enumerate(items) if at not in left_out])


def is_field(item: Item) -> bool:
    return "allergen" in item.kinds and not item.kinds & HEADS


def denied_fields(items: list[Item]) -> list[int]:
    """“gluten: no”, “peanuts no”"""
    answered = [at for at, item in enumerate(items) if is_field(item) and is_answered_no(items, at)]
    return [at for at in answered if end_of_field(items, at) > at + 1]


def yes_fields(items: list[Item]) -> list[int]:
    """“nuts: yes”, “nuts yes (allergic)”"""
    ends = ((at, end_of_field(items, at)) for at, item in enumerate(items) if is_field(item))
    return [at for at, end in ends if end > at + 1 and is_yes(items, end - 1)]


def is_answer(item: Item) -> bool:
    """Which `end_of_field` may find behind a food."""
    is_yes = item.word in small_words("affirms") or item.word in small_words("affirms_shortly")
    return is_yes or "none" in item.kinds or item.word == "0" or bool(item.number)


def is_yes(items: list[Item], at: int) -> bool:
    """“yes”, and “y” at the end of a field"""
    is_end = at + 1 == len(items) or "sign" in items[at + 1].kinds
    is_short = is_end and items[at].word in small_words("affirms_shortly")
    return items[at].word in small_words("affirms") or is_short


def end_of_field(items: list[Item], at: int) -> int:
    """Behind the answer of “nuts: yes”, “nuts no” and “nuts: 2”, if there is one."""
    is_label = at + 1 < len(items) and items[at + 1].word in LABEL_SIGNS - {"("}
    place = at + 2 if is_label else at + 1
    if place >= len(items):
        return at + 1
    is_number = bool(items[place].number) and is_label
    is_answer = "none" in items[place].kinds or items[place].word == "0" or is_number
    return place + 1 if is_answer or is_yes(items, place) else at + 1


def is_heading_alone(sentence: Sentence) -> bool:
    """“ALLERGIES” above “Gluten: N”"""
    items = sentence.items
    return len(items) <= MOST_OF_HEADING and bool(items[-1].kinds & HEADS) and (
        not any(item.entry.allergens for item in items))  # fmt: skip


def answers_of_one(sentence: Sentence, outcome: SentenceOutcome) -> list[Item]:
    """Foods of one person, or with an answer of their own: “Tom - nuts, milk”, “shellfish: Tom”"""
    items, found = sentence.items, list[int]()
    for at in outcome.bare:
        is_next = bool(found) and all(map(connects, items[found[-1] + 1 : at]))
        is_own = is_behind_name(items, at) or is_answered(items, at)
        if is_next or is_own or is_line(sentence):
            found.append(at)
    return [items[at] for at in found]


def is_behind_name(items: list[Item], at: int) -> bool:
    """“Ann (nuts)”, “Ann has nuts”, “guest 1 nuts”, “nuts for the boy”; not “Cake (nuts)”"""
    before, behind = items[max(0, at - 2) : at], items[at + 1 : at + 3]
    is_for = len(behind) > 1 and behind[0].word in small_words("for_whom")
    if (is_for and "person" in behind[1].kinds) or is_counted_apart(items, at):
        return True
    if len(before) < 2 or before[0].word in small_words("cakes"):
        return False
    is_guest = bool(before[0].kinds & {"people", "person"} and before[1].number)
    is_led = before[1].word in LABEL_SIGNS | small_words("having")
    return is_guest or (is_led and before[0].kinds <= NAMES)


def is_led_behind_name(items: list[Item], at: int) -> bool:
    """“nobody allergic to nuts, Anna to milk”, “…, a minha mulher a leite”"""
    before = items[max(0, at - 5) : at]
    is_led = len(before) > 2 and before[-1].word in small_words("against")
    start = max((n for n, item in enumerate(before) if item.word in ",;/"), default=-1)
    name = before[start + 1 : -1] if is_led and start >= 0 else []
    return bool(name) and name[-1].kinds <= NAMES and all(i.kinds & NAMES for i in name)


def is_counted_apart(items: list[Item], at: int) -> bool:
    """“1 x nuts, 3 x no allergies”, unlike “no allergies, 2 x cheese”"""
    return has_count(items, at) and any(
        "no" in item.kinds and has_count(items, n) for n, item in enumerate(items)
    )


def has_count(items: list[Item], at: int) -> bool:
    before = items[at - 1] if at else items[at]
    return before.word == TIMES or bool(before.number) or before.word == ")"


def is_answered(items: list[Item], at: int) -> bool:
    """“shellfish: Tom”, unlike “fish: no”"""
    is_label = at + 2 < len(items) and items[at + 1].word in LABEL_ENDS
    return is_label and not is_answered_no(items, at)


def denies_of_one(sentence: Sentence) -> bool:
    """“Ann: none”, “Guest 2 - no allergies”"""
    items = sentence.items
    return any(
        items[at].word in LABEL_SIGNS
        and items[at - 1].kinds <= NAMES
        and items[at + 1].kinds & {"no", "none"}
        for at in range(1, len(items) - 1)
    )


def has_nothing_of_one(sentence: Sentence) -> bool:
    """“S2: -”, “Ann ok”, “everyone fine”, “p2 ok p3”; not “nuts ok”, nor “Table 2: - nuts”"""
    return any(is_nothing_of_one(sentence.items, at) for at in range(1, len(sentence.items)))


def is_nothing_of_one(items: list[Item], at: int) -> bool:
    name = before_label(items, at)
    is_dash = items[at].word in DASHES
    is_nothing = is_dash or bool(items[at].kinds & {"ok", "none"})
    if not is_nothing or name < 0 or not items[name].kinds <= NAMES | {"link"}:
        return False
    behind = items[at + 1 : at + 3]
    is_counted = len(behind) > 1 and bool(behind[1].number or (behind[0].number and not is_dash))
    is_next_name = is_counted and behind[0].kinds <= NAMES  # “2: ok 3: ok”
    is_end = not behind or is_next_name or bool(behind[0].kinds & {"but", "except"})
    return is_end or behind[0].word in SEPARATORS


def before_label(items: list[Item], at: int) -> int:
    """Where the name ends of “Tom: nuts”, “seat 1 nuts” and “Ann has nuts”; Ben is one, too."""
    place = at - 1
    while place >= 0 and stands_behind_name(items, place):
        place -= 1
    return place


def stands_behind_name(items: list[Item], at: int) -> bool:
    is_verb = items[at].word in small_words("having") or "emphasis" in items[at].kinds
    is_behind_name = is_verb and at > 0 and items[at - 1].kinds <= NAMES
    return items[at].word in LABEL_SIGNS or is_behind_name


def are_dinner(foods: list[Item]) -> bool:
    """“Tom: prawns, Ann: salmon. No allergies.”"""
    return all(food.entry.allergens.keys() <= DINNER for food in foods)

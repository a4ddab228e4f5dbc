"""Foods that no word for an allergy governs: a danger beside them speaks, or a note of foods."""

from customers.allergies import gravity
from customers.allergies.findings import AllergenFinding
from customers.allergies.items import COELIACS, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.people import people_of
from customers.allergies.rules.outcome import HARDLY_ORDERED, SentenceOutcome, is_bread
from customers.allergies.rules.sentences_before import is_list, stated_by

AFTER_FINE = frozenset({"sign", "but", "allergen", "emphasis"})
COUNTING = frozenset({"number", "people"})
ALWAYS_TELLING = frozenset({"gluten", "lactose", "histamine", "sulphites"})


def read_bare(sentence: Sentence, outcome: SentenceOutcome, *, is_alone: bool) -> None:
    """Foods that no word governs: a danger beside them speaks, so does a note of nothing else."""
    is_warned = any(
        i.kinds & {"warning", "strong_danger"} and "mild" not in i.kinds for i in sentence.items
    )
    is_warned |= any(
        starts_traces(item) and not is_allowed(clause(sentence.items, at))
        for at, item in enumerate(sentence.items)
    )
    is_warned |= any("severe" in i.kinds for i in sentence.items) and is_list(sentence)
    for found, (at, head) in zip(outcome.found, outcome.groups, strict=True):
        # “careful, danger of death with celery”, “Dietary: nuts (severe)”
        if head < 0 and (is_warned or is_called_severe(sentence.items, at)):
            found.state()
    question = question_from(sentence)
    is_talk_meant = danger(sentence) or any(
        i.kinds & {"hospital", "refused"} or {"warning", "severe"} <= i.kinds
        for i in sentence.items
    )
    is_talk_meant = is_talk_meant or question < len(sentence.items)
    talk = [at for at in outcome.talk if is_talk_meant or is_of_guests(sentence.items, at)]
    for at in outcome.bare + talk:
        item = sentence.items[at]
        is_fine = is_warned and is_fine_apart(sentence.items, at)
        if is_fine and is_surely(sentence, at):
            continue
        is_grave = is_called_severe(sentence.items, at)
        is_severe = is_grave or (is_warned and bool(danger(sentence)))
        is_stated = is_warned or is_grave or gravity.is_called_mild(sentence.items, at)
        is_stated &= not is_fine
        findings = stated_by(item, is_severe=is_severe) if is_stated else hints_of(item)
        people = people_of(sentence.items, at, is_diet=False)
        for found in findings:
            found.people = people
            is_hint = at > question or is_in_dish(sentence, at) or is_refused_whole(sentence)
            is_hint |= is_fine or sentence.is_affirmed and is_list(sentence)  # “Peanuts? Yes.”
            is_telling = found.code in ALWAYS_TELLING and is_of_allergies(sentence, at)
            if is_stated or is_alone or is_hint or is_telling:
                outcome.found.append(found)
                outcome.groups.append((at, -1))


def is_of_guests(items: list[Item], at: int) -> bool:
    """“Birthday, 2 gluten”, “happy birthday 2 cel”: nobody wants that many."""
    if items[at].word in COELIACS:
        return True
    near = [item for item in clause(items, at) if item is not items[at]]
    return bool(near) and all(item.kinds & COUNTING for item in near)


def may_stand_alone(sentence: Sentence, at: int) -> bool:
    return is_nothing_else(sentence) or is_at_seat(sentence.items, at)


def is_at_seat(items: list[Item], at: int) -> bool:
    """“seat 4 shellfish, seat 1 wheelchair”; several foods may be their dinner."""
    before, behind = items[max(0, at - 2) : at], items[at + 1 : at + 2]
    is_seat = len(before) > 1 and before[0].word in small_words("seat_words") - {"pax"}
    is_only = sum("allergen" in item.kinds for item in items) == 1
    is_dinner = any(item.kinds & {"want", "love", "ok", "allowed"} for item in behind)
    return is_seat and bool(before[1].number) and is_only and not is_dinner


def is_nothing_else(sentence: Sentence) -> bool:
    """“Table by the window. Peanuts!” is no order, unlike “Champagne. 2 x prawns.”"""
    foods = [item for item in sentence.items if "allergen" in item.kinds]
    is_dish = any(not item.entry.allergens.keys() <= HARDLY_ORDERED for item in foods)
    is_counted = any(item.number is not None for item in sentence.items)
    return is_list(sentence) and not (is_dish or is_counted)


def is_fine_apart(items: list[Item], at: int) -> bool:
    """“mussels send me to hospital, prawns are ok”"""
    near = clause(items, at)
    grave = (item for item in near if item.kinds & {"no", "severe", "warning"})
    is_grave = any("traces" not in item.kinds for item in grave)
    return len(near) < len(items) and not is_grave and any("ok" in item.kinds for item in near)


def is_of_allergies(sentence: Sentence, at: int) -> bool:
    """“gluten”, “wheat”; not “gluten ok” nor “bread right away, please”"""
    is_telling = sentence.is_question or not is_bread(sentence.items[at])
    return is_telling and not is_called_fine(sentence, at)


def is_called_fine(sentence: Sentence, at: int) -> bool:
    """“gluten ok”, “gluten is fine”; not “gluten ok?”"""
    behind = sentence.items[at + 1 : at + 3]
    is_fine = bool(behind) and "ok" in behind[0].kinds
    is_fine &= len(behind) < 2 or bool(behind[1].kinds & AFTER_FINE)  # “ok with the tablet”
    return is_fine and not sentence.is_question and is_surely(sentence, at)


def is_surely(sentence: Sentence, at: int) -> bool:
    """“prawns are ok”, not “prawns might be ok” nor “is sesame ok?”"""
    near = clause(sentence.items, at)
    is_unsure = any(
        i.kinds & {"doubt", "question"} or i.word in small_words("merely") for i in near
    )
    return not (is_unsure or sentence.is_question)


def is_called_severe(items: list[Item], at: int) -> bool:
    """“1x severe sesame”, “nuts (severe)”"""
    near = [items[n].word for n in (at - 1, at + 1, at + 2) if 0 <= n < len(items)]
    near = near if near[-2:-1] in (["("], [":"], ["-"]) else near[:2]
    return any(word in small_words("gravity") for word in near)


def question_from(sentence: Sentence) -> int:
    """“does the soup contain nuts?” asks for what stands after the verb."""
    if any("not_raw" in item.kinds for item in sentence.items):
        return -1  # “can have cooked egg but not raw”
    places = (at for at, item in enumerate(sentence.items) if "contains" in item.kinds)
    is_question = sentence.is_question or sentence.is_affirmed
    return next(places, len(sentence.items)) if is_question else len(sentence.items)


def is_in_dish(sentence: Sentence, at: int) -> bool:
    """“are there nuts in the pesto?”, “¿hay leche en la salsa?”; “fish on the menu?” is hunger."""
    before, after = sentence.items[max(0, at - 4) : at], sentence.items[at + 1 : at + 5]
    is_part = bool(after) and after[0].word in small_words("parts")  # “shellfish stock in the …”
    after = after[1:] if is_part else after[:3]
    is_there = any(item.word in small_words("asks_there") for item in before)
    is_there |= any(item.word == "it" for item in after[1:2])  # “does the cake have nuts in it?”
    is_within = bool(after) and after[0].word in small_words("inside")
    is_menu = any(item.word in small_words("menus") for item in after)
    return sentence.is_question and is_there and is_within and not is_menu


def is_refused_whole(sentence: Sentence) -> bool:
    """“traces of nuts are ok but no whole ones”, “Spuren sind kein Problem, nur keine ganzen”"""
    traces = next((n for n, item in enumerate(sentence.items) if "traces" in item.kinds), -1)
    rest = sentence.items[traces + 1 :] if traces >= 0 else []
    is_whole = any(item.word in small_words("whole") for item in rest)
    return is_whole and any("no" in item.kinds for item in rest)


def is_allowed(items: list[Item]) -> bool:
    return any(item.kinds & {"ok", "mild"} for item in items)


def starts_traces(item: Item) -> bool:
    """“traces of nuts are dangerous” names an allergy without the word."""
    return "traces" in item.kinds and "mild" not in item.kinds


def danger(sentence: Sentence) -> Item | None:
    """“has an EpiPen”, “carries two pens”; not “two pens and paper”"""
    grave = [i for i in sentence.items if "strong_danger" in i.kinds and "mild" not in i.kinds]
    if any(item.word in small_words("writing") for item in sentence.items):
        grave = [item for item in grave if "pen" not in item.kinds]
    return grave[0] if grave else None


def clause(items: list[Item], at: int) -> list[Item]:
    """The words around one of them, from sign to sign."""
    signs = [n for n, item in enumerate(items) if "sign" in item.kinds and item.word != ":"]
    start = max((n for n in signs if n < at), default=-1)
    end = min((n for n in signs if n > at), default=len(items))
    return items[start + 1 : end]


def is_not_fine(near: list[Item]) -> bool:
    """“nuts not fine”, “noix pas ok”"""
    pairs = zip(near, near[1:], strict=False)
    return any("no" in one.kinds and "ok" in other.kinds for one, other in pairs)


def hints_of(item: Item) -> list[AllergenFinding]:
    return [AllergenFinding(code, "maybe", (item.start, item.end)) for code in item.entry.allergens]

"""Words of gravity, bound to the allergy they speak of."""

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import TIMES, Item
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import is_answered_no
from customers.allergies.rules.outcome import HEADS, SentenceOutcome, connects

NEAR = 8  # items between an adjective and its allergy
OF_ANSWER = frozenset({"severe", "mild", "symptom", "unsure"})
MOST_ALONE = 4  # items of a sentence that only says how grave the allergy before it is


def bind(items: list[Item], outcome: SentenceOutcome) -> bool:
    """Mark what is severe; whether a word of gravity found nothing to bind to."""
    marks = [at for at, item in enumerate(items) if item.kinds & {"severe", "mild"}]
    lonely = False
    for at in marks:
        kinds = items[at].kinds
        is_mild = "mild" in kinds or is_tolerated(items, at) or is_denied(items, at)
        if "severe" not in kinds or is_mild or is_of_other_word(items, at):
            continue
        targets = targets_of(items, at, outcome, is_shared=are_one_mark(items, marks))
        for found in targets:
            found.is_severe = True
        is_grave = bool(kinds & {"strong_danger", "warning", "traces"})
        lonely |= not targets and is_grave and not is_other(items, at)
    return lonely


def are_one_mark(items: list[Item], marks: list[int]) -> bool:
    """“severe”, and “très grave”, which are two words of gravity beside each other."""
    between = items[marks[0] : marks[-1] + 1]
    return all(item.kinds & {"severe", "mild", "emphasis"} for item in between)


def targets_of(
    items: list[Item], at: int, outcome: SentenceOutcome, *, is_shared: bool
) -> list[AllergenFinding]:
    """“nut allergy and milk allergy, both severe” is of each, else of what stands nearest."""
    if at and "both" in items[at - 1].kinds:
        return outcome.found
    return nearest(items, at, outcome, is_shared=is_shared)


def is_gravity_only(items: list[Item]) -> bool:
    """“Nut allergy. Very severe!”, “… Beide schwer.”, “… dangerous for my daughter”"""
    words = [item for item in items if not item.kinds & {"sign", "emphasis"}]
    while words and (words[-1].word in small_words("for_whom") or words[-1].kinds == {"person"}):
        words.pop()
    is_short = 0 < len(words) <= MOST_ALONE and "severe" in words[-1].kinds
    return is_short and not any(
        item.kinds & {"mild", "allergen", "diet", "no", "past", "ok"} for item in words
    )


def is_of_other_word(items: list[Item], at: int) -> bool:
    """“allergic to nuts, parents very worried”: very belongs to the word after it."""
    is_degree = items[at].word in small_words("degree") and is_one_word(items[at])
    following = items[at + 1].kinds if at + 1 < len(items) else set()
    return is_degree and bool(following & {"word", "love", "want", "harmless"})


def is_denied(items: list[Item], at: int) -> bool:
    """“no severe nut allergy”; “never without an EpiPen” denies nothing."""
    before = items[at - 1].kinds if at else set()
    is_no = "no" in before and "number" not in before and "traces" not in items[at].kinds
    return is_no and items[at - 1].word not in small_words("lacking")


def is_tolerated(items: list[Item], at: int) -> bool:
    """“can have traces of egg”, “Spuren von Nüssen sind ok”"""
    end = next((n for n in range(at, len(items)) if items[n].word in ",;"), len(items))
    near = items[max(0, at - 2) : at] + items[at + 1 : min(end, at + 7)]
    return "traces" in items[at].kinds and any(
        item.kinds & {"ok", "mild", "allowed"} for item in near
    )


def is_one_word(item: Item) -> bool:
    return item.end - item.start == len(item.word)


def is_other(items: list[Item], at: int) -> bool:
    """“used to carry an EpiPen”, “EpiPen for wasp stings”: over, or of no food."""
    is_past = any("past" in item.kinds for item in items[max(0, at - 4) : at])
    is_past |= is_answered_no(items, at)
    return is_past or any("harmless" in item.kinds for item in items[at + 1 : at + 5])


def nearest(
    items: list[Item], at: int, outcome: SentenceOutcome, *, is_shared: bool
) -> list[AllergenFinding]:
    placed = [(place, head) for place, head in outcome.groups]
    if not placed:
        return []
    opened = bracket_around(items, at)
    if opened >= 0:  # “coeliac x1 (severe) nut allergy”
        within = [
            each for each in placed if each[0] > opened and is_open_until(items, opened, each[0])
        ]
        before = [each for each in placed if each[0] < at or 0 <= each[1] < opened]
        placed = within or before or placed
    place, head = min(placed, key=lambda each: (distance(at, each), each[0] > at))
    if distance(at, (place, head)) > NEAR and not items[at].kinds & {"strong_danger", "warning"}:
        return []
    is_nearer_head = head >= 0 and abs(at - head) < abs(at - place)
    is_own = not (is_shared or is_nearer_head) and place < at and not is_before_head(at, head)
    is_own |= place == at + 1 and is_one_of_counted(items, at)
    if place == at - 2 and is_answer_of(items, at):
        pairs = zip(outcome.found, outcome.groups, strict=True)
        return [found for found, each in pairs if is_of_run(items, each[0], place)]
    return [
        found
        for found, each in zip(outcome.found, outcome.groups, strict=True)
        if each[0] == place
        or (opened >= 0 and is_joined(items, each[0], place))
        or (
            not is_own
            and not is_called_mild(items, each[0])
            and each[1] == head
            and is_same(items, each, placed=place)
        )
    ]


def is_answer_of(items: list[Item], at: int) -> bool:
    """“nuts (anaphylaxis), dairy (bloating)”, “nuts: anaphylaxis; dairy: bloating”"""
    answers = [n for n in range(2, len(items)) if items[n - 1].word in ("(", ":")
               and items[n].kinds & OF_ANSWER and "allergen" in items[n - 2].kinds]  # fmt: skip
    if len(answers) < 2:  # “nuts, sesame, egg (EpiPen)”
        return False
    sign, behind = items[at - 1].word, items[at + 1 : at + 3]
    if sign == "(":
        is_end = [item.word for item in behind[:1]] == [")"]
        return is_end and not any(item.kinds & HEADS for item in behind[1:])
    return sign == ":" and [item.word for item in behind[:1]] in ([","], [";"])


def is_of_run(items: list[Item], first: int, last: int) -> bool:
    """“peanuts, tree nuts (anaphylaxis)”: what has no answer of its own shares the next one."""
    return first <= last and all(item.word not in "(:" for item in items[first:last])


def is_one_of_counted(items: list[Item], at: int) -> bool:
    """“1 x celiac, 1 x severe shellfish”, not “table 4 severe nut and fish allergy”"""
    before = at - 2 if at and items[at - 1].word == TIMES else at - 1
    behind = items[at + 2 :]
    ends = (n for n, item in enumerate(behind) if "allergen" in item.kinds)
    end = next(ends, None)
    is_counted_on = end is None or any(item.number for item in behind[:end])
    return before >= 0 and bool(items[before].number) and is_counted_on


def bracket_around(items: list[Item], at: int) -> int:
    """Where the bracket begins in which a word stands, or −1."""
    opened = next((n for n in range(at - 1, -1, -1) if items[n].word in "()"), -1)
    return opened if opened >= 0 and items[opened].word == "(" else -1


def is_joined(items: list[Item], first: int, last: int) -> bool:
    """“nuts & sesame (severe)”, not “nuts, sesame (severe)”"""
    between = items[first + 1 : last]
    return bool(between) and all(
        connects(one) and one.word not in ",;/()" and "mild" not in one.kinds for one in between
    )


def is_called_mild(items: list[Item], at: int) -> bool:
    """“dairy (mild)”, of which an allergy is all that it can speak"""
    following = items[at + 1 : at + 3]
    return len(following) == 2 and following[0].word == "(" and "mild" in following[1].kinds


def is_open_until(items: list[Item], opened: int, at: int) -> bool:
    return all(item.word != ")" for item in items[opened:at])


def is_same(items: list[Item], each: tuple[int, int], *, placed: int) -> bool:
    """“nuts & peanuts: danger!” has no head: there one list is one allergy."""
    if each[1] >= 0:
        return True
    between = items[min(each[0], placed) + 1 : max(each[0], placed)]
    return all(connects(item) or "allergen" in item.kinds for item in between)


def is_before_head(at: int, head: int) -> bool:
    """“nuts severe allergy”: the word belongs to the allergy, not to the food before it."""
    return 0 < head - at <= 2


def distance(at: int, placed: tuple[int, int]) -> int:
    place, head = placed
    return min(abs(at - place), abs(at - head) if head >= 0 else 99)

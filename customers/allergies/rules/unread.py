"""Causes that no list has, among others: “allergic to peanuts and cumin”.

A hint too many beside an allergy that is stated costs a question; one too few hides an allergy.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import SIGNS as ANSWER_SIGNS
from customers.allergies.rules.answers import is_answered_no, starts_label
from customers.allergies.rules.outcome import CONNECT, HEADS, SentenceOutcome

SEPARATORS = frozenset(",/+&;|•*")
BULLETS = frozenset("-–•*→")
FORM_SIGNS = frozenset(":=(")  # “Allergies: eggs, cumin”, “Allergies (eggs, cumin)”
# “cumin allergy”; in other languages a verb may stand before the word
BEHIND_FOODS = frozenset(
    ["allergy", "allergies", "allergic", "intolerance", "sensitivity", "sensitive"]
)
SENSITIVE = ("sensi", "empfind", "gevoel")
EATEN = frozenset(["essen", "eten"])  # the verb stands behind the food
LEAST = 2  # letters of a word that may name a food: “PN”
MOST = 2  # words of its name
END = ""


@dataclass(slots=True)
class ListPart:
    """What stands between two signs of a list; `words` are without its small ones."""

    opened_by: str
    closed_by: str = END
    size: int = 0
    words: list[Item] = field(default_factory=list)
    is_known: bool = False

    @property
    def names_unknown(self) -> bool:
        is_apart = separates(self.opened_by) and (separates(self.closed_by) or not self.closed_by)
        return is_apart and len(self.words) <= MOST and all(is_unknown(word) for word in self.words)

    @property
    def unknown_beside_known(self) -> list[Item]:
        """“Allergies: eggs cumin”"""
        strays = [word for word in self.words if "allergen" not in word.kinds]
        is_list = len(self.words) == self.size and all(is_unknown(word) for word in strays)
        return strays if is_list and self.is_known else []


def unread_causes(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[AllergenFinding]:
    """A hint at each unknown word that an allergy is against, alone or in a list."""
    is_list = False
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        is_line = is_list and sentence.items[0].word in BULLETS
        words = list(unread_words(sentence.items, outcome))
        words += unknown_line(sentence.items[1:]) if is_line else []
        for word in words:
            yield AllergenFinding("unspecified", "maybe", (word.start, word.end))
        is_list = is_line or any(item.kinds & HEADS for item in sentence.items)


def unnamed_needs(sentences: list[Sentence]) -> Iterator[AllergenFinding]:
    """In a note that names nothing: “has dietary requirements”, “cumin = hospital”"""
    for sentence in sentences:
        for at, item in enumerate(sentence.items):
            is_need = "needs" in item.kinds and is_needed(sentence.items, at)
            is_grave = bool(item.kinds & {"warning", "hospital"}) and at > 0
            is_danger = is_grave and is_unknown(
                sentence.items[at - 1 - is_verb(sentence.items, at - 1)]
            )
            if (is_need or is_danger) and not sentence.is_question:
                yield AllergenFinding("unspecified", "maybe", (item.start, item.end))


def is_verb(items: list[Item], at: int) -> bool:
    """“cumin is deadly”"""
    return at > 0 and "emphasis" in items[at].kinds


def is_needed(items: list[Item], at: int) -> bool:
    is_denied = any(item.kinds & {"no", "none"} for item in items[:at])
    if is_denied or is_answered_no(items, at):
        return False
    if at + 1 == len(items) or items[at + 1].word not in ANSWER_SIGNS:
        return True
    answer = [item for item in items[at + 2 :] if "sign" not in item.kinds]
    is_other = at + 2 < len(items) and starts_label(items, at + 2)
    return bool(answer) and not is_other and not answer[0].kinds & {"no", "none", "harmless"}


def unknown_line(items: list[Item]) -> list[Item]:
    """“Allergies:”, then a line for each: “- cumin”"""
    return items if len(items) <= MOST and all(is_unknown(item) for item in items) else []


def unread_words(items: list[Item], outcome: SentenceOutcome) -> Iterator[Item]:
    governing = {place for group in outcome.groups for place in group}
    for head in set(outcome.open_heads) - governing:
        yield from unknown_beside(items, head)
    for at, item in enumerate(items):
        if "cannot" in item.kinds and at not in governing:
            yield from uneaten(items, at)
    for at, head in outcome.groups:
        yield from unknown_joined(items, at) if at < head else ()
    listed = {at for at, head in outcome.groups if 0 <= head < at}
    for head in {head for at, head in outcome.groups if at in listed}:
        yield from unknown_listed(items, head, listed)


def is_unknown(item: Item) -> bool:
    is_name = item.kinds == {"word"} and len(item.word) >= LEAST
    return is_name and item.word not in small_words("no_foods")


def unknown_beside(items: list[Item], head: int) -> list[Item]:
    """“allergic to cumin”, “cumin allergy”: it counts where another allergy is named, too."""
    is_symptom = "symptom" in items[head].kinds and not is_against(items, head)
    if is_symptom or "cannot" in items[head].kinds:
        return []
    after = behind_small_words(items, head)
    places = [after]
    if items[head].word in BEHIND_FOODS:  # “allergy card”
        places = [head - 1, *([after] if after > head + 1 or is_against(items, head) else [])]
    near = [items[at] for at in places if 0 <= at < len(items)]
    return [item for item in near if is_unknown(item)]


def is_against(items: list[Item], head: int) -> bool:
    """“sensitive to cumin”, “a reaction to cumin”; what comes with hives may stand anywhere."""
    is_to = head + 1 < len(items) and items[head + 1].word == "to"
    return is_to or items[head].word.startswith(SENSITIVE)


def behind_small_words(items: list[Item], at: int) -> int:
    after = at + 1
    while after < len(items) and (items[after].kinds & CONNECT or items[after].word in FORM_SIGNS):
        after += 1
    return after


def uneaten(items: list[Item], at: int) -> list[Item]:
    """“can't eat cumin”, “darf keinen Kümmel essen”; “can't have stairs” is no food."""
    after = behind_small_words(items, at)
    is_verb_behind = after + 1 < len(items) and items[after + 1].word in EATEN
    is_eaten = "uneaten" in items[at].kinds or is_verb_behind
    return [item for item in items[after : after + 1] if is_eaten and is_unknown(item)]


def unknown_joined(items: list[Item], at: int) -> list[Item]:
    """“cumin and egg allergy”"""
    is_joined = at > 1 and (
        items[at - 1].word in "/+&" or items[at - 1].word in small_words("joins")
    )
    return [items[at - 2]] if is_joined and is_unknown(items[at - 2]) else []


def unknown_listed(items: list[Item], head: int, listed: set[int]) -> Iterator[Item]:
    """Those before a known one, and those behind: there a sentence may go on to other things."""
    is_form = head + 1 < len(items) and items[head + 1].word in FORM_SIGNS
    parts = parts_after(items, head, listed)
    last = max((at for at, part in enumerate(parts) if part.is_known), default=-1)
    for part in parts[: last + 1]:
        if not part.is_known and part.names_unknown:
            yield from part.words
        elif is_form:
            yield from part.unknown_beside_known
    for part in parts[last + 1 :]:
        if not part.names_unknown or (part.size > 1 and not is_form):
            break
        yield from part.words


def parts_after(items: list[Item], head: int, listed: set[int]) -> list[ListPart]:
    parts = [ListPart(opened_by=",")]
    for at, item in enumerate(items[head + 1 :], start=head + 1):
        if item.kinds & HEADS or "but" in item.kinds:
            parts.pop()
            break
        if item.word == ")":
            break
        if separates(item.word) or item.word in FORM_SIGNS or "link" in item.kinds:
            add_sign(parts, item.word)
            continue
        parts[-1].size += 1
        if not item.kinds & CONNECT:
            parts[-1].words.append(item)
            parts[-1].is_known |= at in listed
    return [part for part in parts if part.words]


def add_sign(parts: list[ListPart], sign: str) -> None:
    """“, and”, “allergies: eggs” and “and to” are one sign of several words."""
    is_next = not parts[-1].size and separates(parts[-1].opened_by)
    parts[-1].closed_by = sign
    parts.append(ListPart(parts[-1].opened_by if is_next else sign))


def separates(word: str) -> bool:
    return word in SEPARATORS or word in small_words("joins")

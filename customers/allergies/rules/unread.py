"""Causes that no list has, among others: “allergic to peanuts and jicama”.

A hint too many beside an allergy that is stated costs a question; one too few hides an allergy.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import CONNECT, HEADS, SentenceOutcome, ends_clause

SEPARATORS = frozenset(",;|•")
PLUS = frozenset("+&")
ALLERGY = frozenset({"allergy", "intolerance"})
BULLETS = frozenset("-–•*→")
FORM_SIGNS = frozenset(":=(")  # “Allergies: eggs, jicama”, “Allergies (eggs, jicama)”
# “jicama allergy”; in other languages a verb may stand before the word
BEHIND_FOODS = frozenset(["allergy", "allergies", "allergic", "intolerance", "sensitivity"])
SENSITIVE = ("sensi", "empfind", "gevoel")
EATING = frozenset(["essen", "eten"])  # the verb stands behind the food
LEAST = 2  # letters of a word that may name a food: “PN”
MOST = 2  # words of its name
NOTHING = ""  # in place of a sign: no part of a list begins here, or its sentence ends


@dataclass(slots=True)
class ListPart:
    """What stands between two signs of a list; `words` are without its small ones."""

    opened_by: str
    closed_by: str = NOTHING
    size: int = 0
    words: list[Item] = field(default_factory=list)
    is_known: bool = False

    @property
    def names_unknown(self) -> bool:
        is_apart = separates(self.opened_by) and (separates(self.closed_by) or not self.closed_by)
        return is_apart and len(self.words) <= MOST and all(is_unknown(word) for word in self.words)

    @property
    def unknown_beside_known(self) -> list[Item]:
        """“Allergies: eggs jicama”"""
        strays = [word for word in self.words if "allergen" not in word.kinds]
        is_list = len(self.words) == self.size and all(is_unknown(word) for word in strays)
        is_label_next = self.closed_by in (":", "=")  # “dairy / Occasion: birthday”
        return strays if is_list and self.is_known and not is_label_next else []


def unread_causes(
    text: str, sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[AllergenFinding]:
    """A hint at each unknown word that an allergy is against, alone or in a list."""
    is_open = False
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        capitals = {item.start for item in items if is_capital(text[item.start : item.end])}
        is_line = is_open and items[0].word in BULLETS
        words = list(unread_words(items, outcome, capitals))
        words += unknown_line(items[1:]) if is_line else []
        for word in words:
            yield AllergenFinding("unspecified", "maybe", (word.start, word.end))
        is_open = is_line or opens_list(items)


def is_capital(word: str) -> bool:
    """“Margaret”, not “PN”"""
    return word[:1].isupper() and not word.isupper()


def opens_list(items: list[Item]) -> bool:
    """“Allergies:”, before a line for each; not “- no allergies” and not “- nut allergy”"""
    if items[0].word in BULLETS or any(item.kinds & {"no", "none"} for item in items):
        return False
    heads = (at for at, item in enumerate(items) if item.kinds & HEADS)
    return any(at + 1 == len(items) or items[at + 1].word in FORM_SIGNS for at in heads)


def unknown_line(items: list[Item]) -> list[Item]:
    """“Allergies:”, then a line for each: “- jicama”"""
    return items if len(items) <= MOST and all(is_unknown(item) for item in items) else []


def unread_words(items: list[Item], outcome: SentenceOutcome, capitals: set[int]) -> Iterator[Item]:
    """A group is the place of a food and that of the word that governs it, or −1."""
    governing = {place for group in outcome.groups for place in group}
    for head in sorted(set(outcome.open_heads) - governing):
        yield from unknown_beside(items, head)
    for at, item in enumerate(items):
        if "cannot" in item.kinds and at not in governing:
            yield from uneaten(items, at)
        if "except" in item.kinds and any(one.kinds & ALLERGY for one in items[:at]):
            yield from excepted(items, at)
    for at, head in outcome.groups:
        yield from unknown_joined(items, at) if at < head else ()
    listed = {at for at, head in outcome.groups if 0 <= head < at or is_compound(items, at, head)}
    for head in sorted({head for at, head in outcome.groups if at in listed}):
        yield from unknown_listed(items, head, listed, capitals)


def is_compound(items: list[Item], at: int, head: int) -> bool:
    """“Nussallergie”, before “und Kudzu”"""
    return at == head and "compound" in items[at].kinds


def excepted(items: list[Item], at: int) -> list[Item]:
    """“no allergies except jicama”"""
    after = behind_small_words(items, at)
    is_but = items[at].word not in small_words("merely")  # “no allergies, just hungry”
    return [item for item in items[after : after + 1] if is_but and is_unknown(item)]


def is_unknown(item: Item) -> bool:
    is_name = item.kinds == {"word"} and len(item.word) >= LEAST
    return is_name and item.word not in small_words("no_foods") | small_words("affirms")


def unknown_beside(items: list[Item], head: int) -> list[Item]:
    """“allergic to jicama”, “jicama allergy”: it counts where another allergy is named, too."""
    is_symptom = "symptom" in items[head].kinds and not is_against(items, head)
    if is_symptom or "cannot" in items[head].kinds:
        return []
    if items[head].kinds == {"allergy", "unsure"} and "allerg" in items[head].word:
        return [items[head]]  # “Jicamaallergie”
    after = behind_small_words(items, head)
    places = [after]
    if items[head].word in BEHIND_FOODS:  # “allergy card”
        places = [head - 1, *([after] if after > head + 1 or is_against(items, head) else [])]
    near = [items[at] for at in places if 0 <= at < len(items)]
    return [item for item in near if is_unknown(item)]


def is_against(items: list[Item], head: int) -> bool:
    """“sensitive to jicama”, “a reaction to jicama”; what comes with hives may stand anywhere."""
    item = items[head]
    is_phrase = item.word.startswith(SENSITIVE) and item.end - item.start > len(item.word)
    is_to = head + 1 < len(items) and items[head + 1].word == "to"
    return is_phrase or is_to or item.word == "sensitivity"


def behind_small_words(items: list[Item], at: int) -> int:
    after = at + 1
    while after < len(items) and (items[after].kinds & CONNECT or items[after].word in FORM_SIGNS):
        after += 1
    return after


def uneaten(items: list[Item], at: int) -> list[Item]:
    """“can't eat jicama”, “darf keinen Jicama essen”; “can't have stairs” is no food."""
    after = behind_small_words(items, at)
    is_verb_behind = after + 1 < len(items) and items[after + 1].word in EATING
    is_last = after + 1 >= len(items) or ends_clause(items[after + 1])
    is_eaten = ("uneaten" in items[at].kinds and is_last) or is_verb_behind
    return [item for item in items[after : after + 1] if is_eaten and is_unknown(item)]


def unknown_joined(items: list[Item], at: int) -> list[Item]:
    """“jicama and egg allergy”"""
    is_joined = at > 1 and joins(items[at - 1].word)
    return [items[at - 2]] if is_joined and is_unknown(items[at - 2]) else []


def unknown_listed(
    items: list[Item], head: int, listed: set[int], capitals: set[int]
) -> Iterator[Item]:
    """Those before a known one, and those behind: there a sentence may go on to other things."""
    is_form = head + 1 < len(items) and items[head + 1].word in FORM_SIGNS
    parts = parts_after(items, head, listed)
    last = max((at for at, part in enumerate(parts) if part.is_known), default=-1)
    for part in parts[: last + 1]:
        if not part.is_known and part.names_unknown:
            yield from part.words
        elif is_form:
            yield from part.unknown_beside_known
    known = [items[at].start in capitals for at in sorted(listed) if at >= head]
    for part in parts[last + 1 :]:
        is_like = known[-1] == (part.words[0].start in capitals) and head not in listed
        is_next = is_form or (part.size == 1 and (is_like or joins(part.opened_by)))
        if not part.names_unknown or not is_next:
            break
        yield from part.words


def parts_after(items: list[Item], head: int, listed: set[int]) -> list[ListPart]:
    """The list begins with the word for an allergy; the next such word takes what is before it."""
    parts = [ListPart(opened_by=NOTHING if head in listed else ",")]
    for at, item in enumerate(items[head + 1 :], start=head + 1):
        if "copula" in item.kinds and parts[-1].words:
            parts.pop()  # “noci e Giulia è vegana”
            break
        if item.kinds & HEADS or "but" in item.kinds:
            parts.pop()
            break
        if item.word == ")":
            break
        if separates(item.word) or item.word in FORM_SIGNS or "link" in item.kinds:
            add_sign(parts, item.word)
            continue
        parts[-1].size += 1
        if item.number is not None and parts[-1].words:
            parts[-1].opened_by = NOTHING  # “Table 14”
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
    return word in SEPARATORS or joins(word)


def joins(word: str) -> bool:
    return word in PLUS or word in small_words("joins")

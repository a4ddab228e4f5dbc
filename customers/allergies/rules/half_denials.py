"""Words of denial that are about something else: “I never mentioned my nut allergy”.

What they leave of an allergy is a hint, as nobody is hurt by a question.
"""

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import HEADS, SentenceScope, ends_clause

OTHER_CLAUSE = frozenset({"but", "neutral", "except", "diet", "person"})
BREAKS = frozenset(",:;(|•-–—/&")
LABEL_ENDS = frozenset(":=")
ENDS = frozenset({"sign", "but", "except"})
NOT_DENIED = frozenset({"no", "mild", "severe", "cured", "past"})  # “not mild”, “never went away”
OTHER = frozenset({"question", "word", "want", "love", "dislike"})
REACH = 7  # words between a denial and what it denies


def is_other_word(item: Item) -> bool:
    """A verb or thing that a denial before it is about: “no high chair”"""
    is_other = item.kinds <= OTHER or "ignore" in item.kinds
    return is_other and item.word not in small_words("having")


def goes_on(item: Item) -> bool:
    """“not to be taken lightly”, “none in any dish”, unlike “none and no others”"""
    is_link = "link" in item.kinds and item.word not in small_words("joins")
    return is_link or item.word in small_words("within")


def is_about_other(between: list[Item]) -> bool:
    """“no high chair”, “no children”; “nobody here has a nut allergy” is about the allergy."""
    return any(is_other_word(item) for item in between) or is_of_people(between)


def is_of_people(between: list[Item]) -> bool:
    is_first = bool(between) and bool(between[0].kinds & {"people", "harmless"})
    with_them = between[1:2]
    return is_first and not any(
        item.word in small_words("having") | small_words("with") for item in with_them
    )


def is_of_first(between: list[Item]) -> bool:
    """“no alcohol and nut allergy”: the second food is not denied, unlike after “or”."""
    foods = sum("allergen" in item.kinds for item in between)
    return foods > 1 and not any(item.word in small_words("or") for item in between)


def is_answer(between: list[Item]) -> bool:
    """“No he has a nut allergy”"""
    first = [item.word for item in between[:2]]
    pairs = zip(first, ("pronouns", "with_pronouns"), strict=False)
    return len(first) == 2 and all(word in small_words(kind) for word, kind in pairs)


class SentenceHalfDenials:
    def __init__(self, sentence: Sentence, scope: SentenceScope | None = None) -> None:
        self.items = sentence.items
        self.is_question = sentence.is_question
        self.scope = scope or SentenceScope()

    def is_half_denied_before(self, at: int) -> bool:
        """“no severe nut allergy” may have a mild one; “never mentioned my allergy” has one."""
        place = self.denial_before(at)
        if place < 0 and self.kinds_at(at - 1) & HEADS:  # “sin intolerancias, alergia a …”
            return self.names_food(at, at)
        between = self.items[place + 1 : at] if place >= 0 else []
        if not [item for item in between if item.word not in small_words("joins")]:
            return self.ends_past(place) and self.names_food(at, at)
        if "past" in self.items[place].kinds:  # “hasn't outgrown her allergy”, “was here last year”
            is_half = "no" in self.kinds_at(place - 1) or is_about_other(between)
            return is_half and self.names_food(place, at)
        is_grave = any(item.kinds & {"severe", "cured"} for item in between)
        is_known = any(item.word in small_words("the") for item in between)
        is_other = is_about_other(between) or is_of_first([*between, self.items[at]])
        is_half = is_other or is_grave or is_known or is_answer(between)
        return between[-1].word in small_words("my") or (is_half and self.names_food(place, at))

    def ends_past(self, at: int) -> bool:
        """“schon mal da gewesen”, “ya vinimos antes”: the past of other words"""
        is_past = at > 0 and "past" in self.kinds_at(at)
        return is_past and not self.items[at - 1].kinds & {"person", "people", "sign", "but"}

    def is_half_denied_after(self, at: int) -> bool:
        """“nut allergy was ignored last time”, “die Nussallergie nicht eingetragen”"""
        place = at + 2 if self.word_at(at + 1) == "=" else self.after_breaks(at)
        first, rest = self.items[place : place + 1], self.items[place + 1 : place + 2]
        if not first or not self.names_food(max(0, at - 2), at):
            return False
        is_word = first[0].end - first[0].start == len(first[0].word)
        if is_word and rest and first[0].word in small_words("not_denying"):
            return goes_on(rest[0]) or is_other_word(rest[0])
        if first[0].kinds & {"past", "no"} and rest:
            is_half = rest[0].kinds & NOT_DENIED or is_other_word(rest[0]) or goes_on(rest[0])
            return bool(is_half) and (is_word or "past" in first[0].kinds)  # “cancel the cake”
        if is_word and rest and "none" in first[0].kinds and goes_on(rest[0]):
            return True
        return first[0].word in small_words("late") and is_about_other(self.clause_before(at))

    def after_breaks(self, at: int) -> int:
        place = at + 1
        while self.word_at(place) in BREAKS or self.kinds_at(place) & {"link", "emphasis"}:
            place += 1
        return place

    def clause_before(self, at: int) -> list[Item]:
        signs = [n for n in range(at) if ends_clause(self.items[n])]
        return self.items[max(signs, default=-1) + 1 : at]

    def names_food(self, place: int, at: int) -> bool:
        """Whether a food stands within or right behind this mention of an allergy."""
        is_label = self.word_at(at + 1) in LABEL_ENDS
        behind = self.items[at + 1 + is_label : at + 6]
        ends = (n for n, item in enumerate(behind) if item.kinds & ENDS or item.kinds & HEADS)
        end = next(ends, len(behind))
        return any(item.entry.allergens for item in self.items[place : at + 1] + behind[:end])

    def denial_before(self, at: int) -> int:
        """The place of a word that denies, or −1 where none does."""
        for place in range(at - 1, max(-1, at - REACH), -1):
            item = self.items[place]
            if item.kinds & {"no", "past"} and "number" not in item.kinds:
                return place
            if item.word in ",:;(" or item.kinds & (OTHER_CLAUSE | HEADS):
                return -1
        return -1

    def word_at(self, at: int) -> str:
        return self.items[at].word if 0 <= at < len(self.items) else ""

    def kinds_at(self, at: int) -> set[str]:
        return self.items[at].kinds if 0 <= at < len(self.items) else set()

"""Whether a sentence denies an allergy that it names, or leaves it open.

One question decides: what is a word of denial about? `DenialsBefore` and `DenialsAfter` answer it.
"""

from collections.abc import Iterator
from itertools import dropwhile, takewhile

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import is_thanks
from customers.allergies.rules.denials.after import OF_LIST, DenialsAfter
from customers.allergies.rules.denials.before import DenialsBefore
from customers.allergies.rules.denials.words import BREAKS, About, is_head
from customers.allergies.rules.outcome import asks
from customers.allergies.rules.words_around import NOT

ENDS = BREAKS - set(",:(")
OF_OTHERS = frozenset({"allergen", "diet", "dislike", "allergy", "intolerance", "cannot"})
LEADS = frozenset(",:(-–—")


def past_illnesses(sentences: list[Sentence]) -> Iterator[Item]:
    """“no longer coeliac”, “keine Zöliakie mehr”: hardly ever outgrown, so a hint: ask."""
    for sentence in sentences:
        if any("past" in item.kinds for item in sentence.items):
            denials = SentenceDenials(sentence)
            places = filter(denials.is_past_illness, range(len(sentence.items)))
            yield from (sentence.items[at] for at in places)


class SentenceDenials:
    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.items = sentence.items
        self.before = DenialsBefore(sentence)
        self.after = DenialsAfter(sentence)
        self.questioned: dict[int, bool] = {}  # each allergy leads to several foods

    def is_denied(self, at: int) -> bool:
        kinds = self.items[at].kinds
        if "cannot" in kinds and not kinds & {"allergy", "intolerance"}:
            return False
        return self.is_denied_for_most(at) and not self.spares_somebody(at)

    def is_denied_for_most(self, at: int) -> bool:
        is_before = self.is_denied_before(at) and not self.after.is_void(at)
        return is_before or self.is_denied_after(at)

    def is_denied_before(self, at: int) -> bool:
        head = self.before.list_from(at)
        is_listed = head >= 0 and self.is_denied(head)
        is_denied = is_listed or self.before.about(at) is About.ALLERGY
        return is_denied or self.before.is_zero_before(at)

    def is_past_illness(self, at: int) -> bool:
        place = self.before.place_before(at) if "cause" in self.items[at].kinds else -1
        if place < 0 or is_head(self.items[place]) or not self.is_denied(at):
            return False
        return "past" in self.items[place].kinds | self.before.kinds_at(at + 1)

    def is_denied_after(self, at: int) -> bool:
        return self.after.about(at) is About.ALLERGY or self.after.is_list_answered_no(at)

    def is_denied_in_part(self, at: int) -> bool:
        return About.PART in (self.before.about(at), self.after.about(at))

    def spares_somebody(self, at: int) -> bool:
        """“none of us has a nut allergy apart from my son”"""
        kinds = self.excepted(at)
        return bool(kinds) and kinds <= {"person", "people", "word"}

    def excepted(self, at: int) -> set[str]:
        """The kinds of what stands behind “except”."""
        place = self.exception_from(at)
        return self.before.kinds_at(place) if place > 0 else set()

    def exception_from(self, at: int) -> int:
        """Where it begins that is excepted: “nobody is allergic to fish except my son”, or 0."""
        place = at + 1
        while self.is_of_list(place):
            place += 1
        is_except = "except" in self.before.kinds_at(place)
        is_except = is_except and self.before.word_at(place) not in small_words("merely")
        return place + 1 if is_except or self.turns_to_one(place) else 0

    def is_of_list(self, at: int) -> bool:
        kinds = self.before.kinds_at(at)
        return self.before.word_at(at) == "," or bool(
            kinds & (OF_LIST | {"people"}) and "but" not in kinds
        )

    def turns_to_one(self, at: int) -> bool:
        """“nobody is allergic to fish but my son”, “… mais mon fils si”"""
        behind = self.items[at + 1 : at + 5]
        words = list(dropwhile(lambda item: "link" in item.kinds, behind))
        is_person = "but" in self.before.kinds_at(at) and words and "person" in words[0].kinds
        yes = words[1:2] if words[1:] and words[1].word in small_words("does_so") else []
        start = words[len(yes)].start if words else 0
        rest = [item for item in self.items[at + 1 :] if item.start > start]
        if yes:  # “… but my wife is, just so you know”
            return bool(is_person) and not any(item.kinds & OF_OTHERS for item in rest)
        ends = {"sign", "severe", "emphasis"}
        return bool(is_person) and all(item.kinds & ends or is_thanks(item) for item in rest)

    def spares_unknown(self, at: int) -> bool:
        """“no allergies except jicama”, “except we don't eat pork”; “except Tom (nuts)” is sure."""
        if not self.spares_somebody(at) or self.before.is_named(at):
            return False
        place = self.exception_from(at)
        clause = takewhile(lambda item: item.word not in ENDS, self.items[place : place + 8])
        is_naming = any(item.entry.allergens for item in clause)
        is_name = self.excepted(at) == {"word"}
        return not self.names_at_once(place) if is_naming else is_name

    def names_at_once(self, place: int) -> bool:
        """“Tom (nuts)”, “my wife: nuts”, “mi hija con los cacahuetes”"""
        behind = self.items[place + 1 : place + 5]
        words = list(dropwhile(lambda item: item.word in LEADS or "link" in item.kinds
                               or item.word in small_words("with"), behind))  # fmt: skip
        return bool(words) and "allergen" in words[0].kinds

    # What leaves a hint, as nobody is hurt by a question

    def is_in_question(self, at: int) -> bool:
        if at not in self.questioned:
            self.questioned[at] = self.is_questioned(at)
        return self.questioned[at]

    def is_questioned(self, at: int) -> bool:
        before = self.items[max(0, at - 8) : at]
        is_for_some = self.spares_unknown(at) and self.is_denied_for_most(at)
        is_in_part = self.is_denied_in_part(at) or is_for_some
        own = [*self.not_of_other(at)]
        is_doubted = any("doubt" in item.kinds for item in own)
        if is_doubted or is_in_part or self.is_cured(at):
            return True
        following = self.items[at + 1 : at + 4]
        ends = (n for n, item in enumerate(following) if item.word in BREAKS or "but" in item.kinds)
        end = next(ends, len(following))
        is_asking = at >= len(self.items) - 2 or any("question" in i.kinds for i in before)
        is_question = self.sentence.is_question and is_asking
        near = [*own, *following[:end]]
        return not self.sentence.is_affirmed and (is_question or any(asks(item) for item in near))

    def not_of_other(self, at: int) -> Iterator[Item]:
        """“maybe a nut allergy”, “not sure, nut allergy”; not “perhaps outside, nut allergy”, nor
        “can we have a window seat, nut allergy”: those words are about what ends with the comma.
        """
        for place in range(max(0, at - 8), at):
            between = self.items[place + 1 : at]
            end = next((n for n, item in enumerate(between) if item.word in BREAKS), 0)
            if not any(item.kinds & {"word", "want"} or item.number for item in between[:end]):
                yield self.items[place]

    def is_cured(self, at: int) -> bool:
        """“our son's allergy to milk is gone”"""
        before = (n for n in range(max(0, at - 2), at) if "cured" in self.items[n].kinds)
        is_outgrown = any(
            self.after.word_at(n - 1) not in NOT and not self.is_of_thing_before(n, at)
            for n in before
        )
        if is_outgrown or self.after.is_void(at):
            return True
        if self.after.is_cancelled(at) or self.after.is_ended(at):
            return True
        for item in self.items[at + 1 : at + 10]:
            if item.kinds & {"no", "sign"} or (is_head(item) and "cured" not in item.kinds):
                return False
            if "cured" in item.kinds:
                return True
        return False

    def is_of_thing_before(self, over: int, at: int) -> bool:
        """“cake cancelled, nut allergy”; not “cancelled, nut allergy”, “old note cancelled, …”"""
        word = self.items[over - 1].word if over else ""
        is_apart = any(item.word in BREAKS for item in self.items[over + 1 : at])
        return bool(word) and is_apart and word not in small_words("cancels_of")

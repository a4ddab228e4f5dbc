"""Words of denial behind an allergy: “Nut allergy: none”, “nut allergy, no high chair”."""

from itertools import dropwhile, takewhile

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import is_answered_no, is_more, refuses_food
from customers.allergies.rules.denials.words import (
    About,
    goes_on,
    is_about_other,
    is_other_word,
    is_word,
)
from customers.allergies.rules.outcome import HEADS, ends_clause
from customers.allergies.rules.words_around import LABEL_ENDS, WordsAround

OF_LIST = frozenset({"allergen", "link", "of", "article", "severe", "mild"})
OTHERS = frozenset(
    {"allergy", "intolerance", "needs", "header", "diet", "people", "person", "harmless"}
)
LABEL_WORDS = frozenset({"word", "people", "link", "want"})
LABELS = frozenset({"emphasis", "link", "header"})
ASIDE = frozenset("([-–—")
MOST_BEFORE_END = 6  # items between an allergy and “not resolved”
OF_ALL = frozenset({"us", "them", "above", "these", "those", "that"})  # “none of the above”
CROSSES = frozenset("-–—/x0")
NOT_DENIED = frozenset({"no", "mild", "severe", "cured", "past"})  # “not mild”, “never went away”


class DenialsAfter(WordsAround):
    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.known: dict[int, About] = {}  # each allergy leads to several foods

    def about(self, at: int) -> About:
        """What the words of denial behind this allergy are about."""
        if at not in self.known:
            self.known[at] = self.read_about(at)
        return self.known[at]

    def read_about(self, at: int) -> About:
        following = self.head_after_answer(at)
        if following and self.is_answered_yes(following):
            return About.PART if "link" in self.kinds_at(at + 1) else About.ALLERGY  # “aux noix”
        if following and self.is_denied_at_end(following):
            return About.PART
        if (
            self.is_answered_yes(at)
            or self.is_next_denied(at)
            or self.is_of_earlier(at)
            or not self.is_followed_by_denial(at)
            or self.is_not_over(at)
        ):
            return About.OTHER
        is_part = self.is_part(at) or self.is_led_by_earlier(at)
        is_part = is_part or self.is_of_preparation(at) or self.is_grave_denial(at)
        is_part = is_part or self.goes_on_otherwise(at)
        return About.PART if is_part else About.ALLERGY

    def is_of_preparation(self, at: int) -> bool:
        """“Egg allergy: raw no, cooked ok”"""
        return any(item.word in small_words("part_words") for item in self.items[at + 1 : at + 4])

    def goes_on_otherwise(self, at: int) -> bool:
        """“nut allergy - never been tested”, “nut allergy: none of the desserts” may deny another
        thing; “nut allergy: none”, “none of us”, “none reported” do not."""
        near = range(at + 1, min(at + MOST_BEFORE_END, len(self.items)))
        place = next((n for n in near if self.kinds_at(n) & {"no", "none"}), len(self.items))
        behind = [i for i in self.items[place + 1 : place + 6] if "article" not in i.kinds]
        is_so_far = [i.word for i in behind[:2]] == ["so", "far"]  # “none so far on the menu”
        behind = behind[2:] if is_so_far else behind[:3]
        if behind and "of" in behind[0].kinds:
            is_of_all = any(i.kinds & {"people", "person"} or i.word in OF_ALL for i in behind)
            return self.is_named(at) and not is_of_all
        is_other = bool(behind) and (behind[0].kinds == {"word"} or "severe" in behind[0].kinds)
        is_other |= is_so_far and bool(behind) and goes_on(behind[0])
        is_report = is_other and behind[0].word in small_words("reported")
        is_end = is_report and "none" in self.kinds_at(place)  # not “never reported”
        return is_other and not is_end and self.is_named(at)

    def is_grave_denial(self, at: int) -> bool:
        """“Milk allergy: no (severe)”, “Nut allergy: no, not even traces” refuse the food."""
        behind = self.items[at + 1 :]
        is_grave = any("severe" in i.kinds and "mild" not in i.kinds for i in behind)
        is_grave |= self.sentence.is_loud  # “Nut allergy: NO!!”
        return self.word_at(at + 1) in LABEL_ENDS and self.is_named(at) and is_grave

    def is_not_over(self, at: int) -> bool:
        """“nut allergy not resolved”, “l'allergie aux noix n'est pas guérie”: it is stated."""
        behind = range(at + 1, min(at + MOST_BEFORE_END, len(self.items)))
        place = next((n for n in behind if "no" in self.kinds_at(n)), -1)
        return place > 0 and self.word_at(place + 1) in small_words("ended")

    # About this allergy

    def head_after_answer(self, at: int) -> int:
        """“nut allergy no milk allergy yes”: each answer stands behind its allergy."""
        place = self.after_foods(at)
        is_no = "none" in self.kinds_at(place) and is_word(self.items[place])
        following = range(place + 1, min(place + 4, len(self.items)))
        return next((n for n in following if is_no and self.kinds_at(n) & HEADS), 0)

    def is_denied_at_end(self, at: int) -> bool:
        """“nut allergy no milk allergy no” may refuse the nuts as well."""
        place = self.after_foods(at)
        is_end = place + 1 == len(self.items)
        return is_end and bool(self.kinds_at(place) & {"no", "none"})

    def is_of_earlier(self, at: int) -> bool:
        """“nut allergy (was: none)”: an answer of before, which this one replaces."""
        place = self.after_foods(at)
        answer = place + 2 + (self.word_at(place + 2) in LABEL_ENDS)
        is_over = answer + 1 >= len(self.items) or "sign" in self.kinds_at(answer + 1)
        is_none = "none" in self.kinds_at(answer) and is_over
        return is_none and self.is_led_by_earlier(at) and self.is_named(at)

    def is_led_by_earlier(self, at: int) -> bool:
        """“nut allergy - was no problem last time”"""
        place = self.after_foods(at)
        is_was = self.word_at(place + 1) in small_words("earlier")
        return is_was and self.word_at(place) in ASIDE

    def is_followed_by_denial(self, at: int) -> bool:
        place = at + 1
        while self.is_of_heading(at, place):
            place += 1
        following = self.items[place : place + 5]
        if self.is_none_at_end(following):
            following = following[1:]
        is_label = self.word_at(at + 1) in LABEL_ENDS
        if (is_label and is_answered_no(self.items, at)) or self.is_crossed_out(following):
            return True
        if self.is_none_after_verb(following):
            return True
        while following and self.stands_before_denial(following):
            following = following[1:]
        if not following or self.is_of_one_person(at):
            return False
        is_past = "past" in following[0].kinds
        return not self.is_void(at) if is_past else is_denial(following[0], following[1:4])

    def is_of_heading(self, at: int, place: int) -> bool:
        """“Allergies checked, none”, “Allergies / Alergias: no” of a form in several languages"""
        word = self.word_at(place)
        is_again = word in ("|", "/") and bool(self.kinds_at(place + 1) & HEADS)
        is_head = self.word_at(place - 1) in ("|", "/") and bool(self.kinds_at(place) & HEADS)
        is_part = is_again or is_head or word in small_words("verified")
        return is_part and not self.is_named(at)

    def is_of_one_person(self, at: int) -> bool:
        """“Allergies: Ann: none, Bob: nuts”"""
        labels = [n for n in range(at + 1, len(self.items)) if self.word_at(n) == ":"]
        is_list = len(labels) > 2 and labels[:2] == [at + 1, at + 3]
        return is_list and any(self.names_one_behind(label) for label in labels[2:])

    def names_one_behind(self, label: int) -> bool:
        """“Bob: nuts”, “Bob: severe nuts”"""
        behind = dropwhile(
            lambda item: item.kinds & {"severe", "emphasis", "article"}, self.items[label + 1 :]
        )
        return any("allergen" in item.kinds for item in [*behind][:1])

    def stands_before_denial(self, items: list[Item]) -> bool:
        """What stands between an allergy and its denial: “Allergies / intolerances: none”"""
        if items[0].word == "|" and any("header" in item.kinds for item in items[1:2]):
            return True
        words = list(takewhile(lambda item: item.kinds & LABEL_WORDS, items))
        is_led = bool(words) and [item.word for item in items[len(words) :]][:1] == [":"]
        is_named = bool(items[0].kinds & (HEADS - {"cannot"})) or is_led
        return is_named or items[0].word in ":-–=(&+" or bool(items[0].kinds & LABELS)

    def is_none_at_end(self, following: list[Item]) -> bool:
        """“tutto ok con le allergie, nessuna”"""
        is_end = len(following) == 2 or (len(following) > 2 and ends_clause(following[2]))
        is_none = is_end and following[0].word == "," and "none" in following[1].kinds
        return is_none and not refuses_food(following[1])

    def is_none_after_verb(self, following: list[Item]) -> bool:
        """“Allergien haben wir keine”, “allergies we have none”; not “Mrs Jones none”"""
        place = next((n for n, item in enumerate(following) if item.kinds & {"none", "no"}), 0)
        between, rest = following[:place], following[place + 1 : place + 2]
        is_end = not rest or rest[0].word in ",;)-" or "emphasis" in rest[0].kinds
        return (
            bool(between)
            and is_end
            and all(i.kinds & {"word", "link", "person"} for i in between)
            and not any(item.word in small_words("titles") for item in between)
        )

    def is_crossed_out(self, following: list[Item]) -> bool:
        """“Allergies: -”, “Allergies: 0” of a form"""
        while following and following[0].word != ":" and self.stands_before_denial(following):
            following = following[1:]
        words = [item.word for item in following]
        return len(words) == 2 and words[0] == ":" and words[1] in CROSSES

    def is_list_answered_no(self, at: int) -> bool:
        """“Allergic to nuts: no”, “Alergia a frutos secos: no”"""
        place, last = at + 1, -1
        while self.kinds_at(place) & OF_LIST or self.word_at(place) in ("(", ")", ","):
            last = place if "allergen" in self.kinds_at(place) else last
            place += 1
        is_label = last > 0 and self.word_at(place) in LABEL_ENDS
        return is_label and is_answered_no(self.items, place - 1)

    # About something else

    def is_next_denied(self, at: int) -> bool:
        """“nut allergy, no intolerances”, “nut allergy, others none”: another is denied."""
        place = self.after_breaks(at)
        if self.word_at(place) in small_words("others"):
            return self.is_named(at)
        if not self.kinds_at(place) & {"no", "none"}:
            return False
        is_of_others = any(
            is_more(self.items, n) for n in range(place + 1, min(place + 4, len(self.items)))
        )
        following = place + 2 if "article" in self.kinds_at(place + 1) else place + 1
        is_other = bool(self.kinds_at(following) & HEADS) or is_of_others
        if self.word_at(at + 1) not in LABEL_ENDS:  # where an answer stands
            is_other |= bool(self.kinds_at(following) & OTHERS) or self.is_no_thing(place)
        return is_other and self.is_named(at)

    def is_no_thing(self, at: int) -> bool:
        """“no highchair”, unlike “not noted” and “no problem”"""
        is_unknown = self.kinds_at(at + 1) == {"word"}
        is_matter = self.word_at(at + 1) in small_words("no_matter")
        return self.word_at(at) in small_words("without") and is_unknown and not is_matter

    # About a part

    def is_part(self, at: int) -> bool:
        """“nut allergy was ignored last time”, “die Nussallergie nicht eingetragen”"""
        place = at + 2 if self.word_at(at + 1) == "=" else self.after_breaks(at)
        first, rest = self.items[place : place + 1], self.items[place + 1 : place + 2]
        if not first or not self.names_food(max(0, at - 2), at):
            return False
        word = first[0]
        if is_word(word) and rest and word.word in small_words("not_denying"):
            return goes_on(rest[0]) or is_other_word(rest[0])
        if word.kinds & {"past", "no"} and rest:
            is_part = rest[0].kinds & NOT_DENIED or is_other_word(rest[0]) or goes_on(rest[0])
            return bool(is_part) and (is_word(word) or "past" in word.kinds)  # “cancel the cake”
        if is_word(word) and rest and "none" in word.kinds and goes_on(rest[0]):
            return True
        return word.word in small_words("late") and is_about_other(self.clause_before(at))


def is_denial(first: Item, rest: list[Item]) -> bool:
    """“Nut allergy: none”, not “nut allergy: no fish”"""
    if not first.kinds & {"none", "no"} or refuses_food(first) or is_for_one(rest):
        return False
    if first.word == "no" and is_word(first) and rest and not ends_clause(rest[0]):
        return False
    is_exception = bool(rest) and "except" in rest[0].kinds
    return is_exception or not any(item.kinds & {"allergen", "cause"} for item in rest)


def is_for_one(behind: list[Item]) -> bool:
    """“Allergies: none for me, wife: nuts”"""
    is_for = bool(behind) and behind[0].word in small_words("for_whom") - {"("}
    return is_for and len(behind) > 1 and not behind[1].kinds & {"people", "both"}

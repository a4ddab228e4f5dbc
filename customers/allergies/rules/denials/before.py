"""Words of denial before an allergy: “no nut allergy”, “no high chair, nut allergy”."""

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import (
    NAMED,
    counts_first,
    is_answer_before,
    is_more,
    is_zero,
)
from customers.allergies.rules.denials.words import (
    BREAKS,
    OTHER_CLAUSE,
    About,
    denies,
    is_about_other,
    is_head,
    is_joined_by_or,
    is_word,
)
from customers.allergies.rules.outcome import HEADS
from customers.allergies.rules.words_around import LABEL_ENDS, WordsAround

REACH = 6  # items between the two
MOST_WORDS = 4  # of them that are no foods
MOST_IN_LIST = 2  # “no allergies or known intolerances”
PURPOSES = frozenset({"per", "pour", "par", "por", "para", "for", "fur", "aus", "uit"})
ALLERGIC = ("allergic", "allergiq", "allergisch", "alergic", "intoleran", "intolleran")
SPANISH = ("alergic", "intoleran")  # before which “soy” is “I am”
I_AM_NOT = (*SPANISH, "celiac", "seliac", "celiak")
SANS = frozenset({"sans", "pas", "rien", "sin", "nada", "senza", "niente", "sem"})
ILLNESS = frozenset({"allergie", "alergia", "allergia"})  # not compounds, as in “no nut allergy”
GERMAN = frozenset({"keine", "kein", "ohne"})
PLURALS = frozenset({"nuesse", "nusse", "erdnusse", "erdnuesse", "eier"})
BEFORE_NOUN = frozenset({"allergen", "emphasis", "link", "article"})
PEOPLE = frozenset({"people", "person"})


class DenialsBefore(WordsAround):
    def __init__(self, sentence: Sentence) -> None:
        super().__init__(sentence)
        self.known: dict[int, About] = {}  # each allergy leads to several foods

    def about(self, at: int) -> About:
        """What the nearest word of denial before this allergy is about."""
        if at not in self.known:
            self.known[at] = self.read_about(at)
        return self.known[at]

    def read_about(self, at: int) -> About:
        place = self.place_before(at)
        if place < 0 or is_head(self.items[place]):
            return About.OTHER
        between = self.items[place + 1 : at]
        if self.is_other(place, at, between):
            return About.OTHER
        return About.PART if self.is_part(place, at, between) else About.ALLERGY

    def place_before(self, at: int) -> int:
        """Of a word of denial or another allergy, whichever is nearer, or −1."""
        passed = 0
        for place in range(at - 1, max(-1, at - 1 - REACH), -1):
            item = self.items[place]
            if denies(item):
                return -1 if self.is_verb_of_question(place) else place
            if is_head(item):
                return place if passed <= MOST_IN_LIST else -1
            passed += "allergen" not in item.kinds
            if self.ends_reach(place) or passed > MOST_WORDS:
                return -1
        return -1

    def is_verb_of_question(self, at: int) -> bool:
        """“Was the nut allergy confirmed? Yes”"""
        is_question = self.sentence.is_question or self.sentence.is_affirmed
        is_was = "past" in self.kinds_at(at) and is_word(self.items[at])  # not “no longer …?”
        return at == 0 and is_question and is_was

    def ends_reach(self, at: int) -> bool:
        item, before = self.items[at], self.kinds_at(at - 1)
        is_next = bool(item.number) and bool(before & {"link", *HEADS})  # “and 1 coeliac”
        is_over = item.word in BREAKS or item.word in small_words("thanks")
        is_other = item.kinds & OTHER_CLAUSE and not is_more(self.items, at)
        return is_next or is_over or bool(is_other)

    def list_from(self, at: int) -> int:
        """The allergy that this one goes on: “no allergies or nut intolerance”, or −1."""
        place = self.place_before(at)
        if place < 0 or not is_head(self.items[place]):
            return -1
        is_joined = is_joined_by_or(self.items[place + 1 : at])
        return place if is_joined or not self.names_food(place + 1, at) else -1

    def is_zero_before(self, at: int) -> bool:
        """“0 nut allergies”, unlike “vegan 0 coeliac 1”"""
        place = at - 1
        while place > 0 and "allergen" in self.items[place].kinds:
            place -= 1
        is_named = bool(self.kinds_at(place - 1) & {"allergen", *NAMED})
        is_label = is_named or self.word_at(place - 1) in LABEL_ENDS
        is_of_label = is_label and not counts_first(self.items)
        return place >= 0 and is_zero(self.items[place]) and not is_of_label

    # About something else

    def is_other(self, place: int, at: int, between: list[Item]) -> bool:
        is_reaction = "past" in self.items[place].kinds and self.is_reaction(at)
        is_of_other = is_reaction or is_answer_before(self.items, place, at)
        is_of_other |= place > 0 and self.is_answered_yes(at)
        is_reason = self.is_request_of_allergic(place, at) or self.is_reason(at, between)
        return is_of_other or is_reason or self.is_apart(at, between)

    def is_reaction(self, at: int) -> bool:
        """“had an allergic reaction” tells of an allergy that is not over."""
        near = self.kinds_at(at - 1) | self.kinds_at(at + 1)
        return "symptom" in near or bool(self.items[at].kinds & {"unsure", "reaction"})

    def is_reason(self, at: int, between: list[Item]) -> bool:
        """“no coriander, it makes me ill”, “no nuts for allergy”, “no nuts + allergy”"""
        is_food = any("allergen" in item.kinds for item in between)
        is_ill = is_food and "unsure" in self.items[at].kinds
        is_for = is_food and between[-1].word in PURPOSES
        is_named = any(item.word in small_words("reasons") | {"+"} for item in between)
        return is_ill or is_for or is_named

    def is_request_of_allergic(self, place: int, at: int) -> bool:
        """“no nuts allergic”, “sans noix allergie”, not “no nut allergic guests”, “no longer …”"""
        is_without = self.items[place].word in small_words("without")
        is_without &= "past" not in self.kinds_at(place)
        is_noun = self.items[place].word in SANS and self.items[at].word in ILLNESS
        is_person = (
            is_noun
            or self.items[at].word.startswith(ALLERGIC)
            and not self.kinds_at(at + 1) & PEOPLE
        )
        is_verb = self.word_at(place + 1) == "soy" and self.items[at].word.startswith(SPANISH)
        return is_without and is_person and not is_verb and "allergen" in self.kinds_at(place + 1)

    def is_past_or_refused(self, place: int, at: int) -> bool:
        """“no longer lactose intolerant”, “no more nuts allergic”: a hint serves both."""
        is_past = "past" in self.kinds_at(place) and "allergen" in self.kinds_at(place + 1)
        is_request = self.items[place].word in small_words("without")
        return is_past and is_request and self.items[at].word.startswith(ALLERGIC)

    def is_apart_noun(self, place: int, at: int) -> bool:
        """“keine Nüsse Allergie” may refuse the nuts, unlike “keine Nuss-Allergie”."""
        is_german = self.items[place].word in GERMAN and self.items[at].word == "allergie"
        return is_german and self.word_at(at - 1) in PLURALS and at == place + 2

    def is_apart(self, at: int, between: list[Item]) -> bool:
        """“no diet, nut allergy”, “no nuts, coeliac”, not “no diets or nut allergies”"""
        if not between or is_joined_by_or(between):
            return False
        first, last = between[0], between[-1]
        if first.kinds & {"needs", "header"} and self.is_named(at):
            return True
        is_verb = first.word == "soy" and self.items[at].word.startswith(I_AM_NOT)
        if "allergen" not in first.kinds or is_verb:  # “no soy celíaco”, “no soy alérgico al …”
            return False
        is_cause = "cause" in self.kinds_at(at)
        is_counted = len(between) > 1 and last.number is not None  # “no fish, 1 allergy to nuts”
        return is_cause or is_counted or self.has_list_behind(at)  # “no fish, allergy to nuts”

    # About a part

    def is_part(self, place: int, at: int, between: list[Item]) -> bool:
        if all(item.word in small_words("joins") for item in between):
            return self.ends_past(place) and self.names_food(at, at)
        if self.is_past_or_refused(place, at):
            return True
        if "past" in self.items[place].kinds:
            return self.is_past_of_other(place, between) and self.names_food(place, at)
        if self.is_apart_noun(place, at) or self.is_of_verb(place, between):
            return True
        is_mine = between[-1].word in small_words("my")
        return is_mine or (self.is_less(at, between) and self.names_food(place, at))

    def is_of_verb(self, place: int, between: list[Item]) -> bool:
        """“nadie avisó alergia a nueces”, unlike “nobody is allergic” and “nobody nut allergy”"""
        is_nobody = self.items[place].word in small_words("nobody") and is_word(self.items[place])
        return is_nobody and not all(
            item.kinds & BEFORE_NOUN or item.word in small_words("having") for item in between
        )

    def ends_past(self, at: int) -> bool:
        """“schon mal da gewesen”, “ya vinimos antes”: the past of other words"""
        is_past = at > 0 and "past" in self.kinds_at(at)
        return is_past and not self.items[at - 1].kinds & {"person", "people", "sign", "but"}

    def is_past_of_other(self, place: int, between: list[Item]) -> bool:
        """“hasn't outgrown her allergy”, “was here last year”"""
        return "no" in self.kinds_at(place - 1) or is_about_other(between)

    def is_less(self, at: int, between: list[Item]) -> bool:
        """“no severe nut allergy” may have a mild one, “not a mild nut allergy” is a severe one;
        “never noted the nut allergy” has one."""
        is_grave = any(item.kinds & {"severe", "mild", "cured"} for item in between)
        is_grave |= "mild" in self.kinds_at(at + 1)  # “no es una alergia leve”
        is_known = any(item.word in small_words("the") for item in between)
        is_other = is_about_other(between) or is_of_first([*between, self.items[at]])
        return is_other or is_grave or is_known or is_answer(between)


def is_of_first(items: list[Item]) -> bool:
    """“no alcohol and nut allergy”: the second food is not denied, unlike after “or”."""
    return sum("allergen" in item.kinds for item in items) > 1 and not is_joined_by_or(items)


def is_answer(between: list[Item]) -> bool:
    """“No he has a nut allergy”"""
    pairs = zip(between, ("pronouns", "with_pronouns"), strict=False)
    return len(between) > 1 and all(item.word in small_words(kind) for item, kind in pairs)

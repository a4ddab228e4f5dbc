"""Whether a sentence denies an allergy that it names, or asks about it."""

from customers.allergies.items import Item
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import is_answer_before, is_answered_no, is_more, is_zero
from customers.allergies.rules.half_denials import BREAKS, OTHER_CLAUSE, SentenceHalfDenials
from customers.allergies.rules.outcome import HEADS, asks, ends_clause

PURPOSES = frozenset({"per", "pour", "par", "por", "para", "for", "fur", "aus", "uit"})
OF_LIST = frozenset({"allergen", "link", "of", "article", "severe", "mild"})
ALLERGIC = ("allergic", "allergiq", "allergisch", "alergic", "intoleran", "intolleran")
OTHERS = frozenset(
    {"allergy", "intolerance", "needs", "header", "diet", "people", "person", "harmless"}
)
PEOPLE = frozenset({"people", "person"})
LABELS = frozenset({"emphasis", "link", "header"})
CROSSES = frozenset("-–—/x0")


class SentenceDenials(SentenceHalfDenials):
    def is_denied(self, at: int) -> bool:
        if "cannot" in self.items[at].kinds and not self.items[at].kinds & {
            "allergy",
            "intolerance",
        }:
            return False
        return (self.is_denied_before(at) and not self.is_void(at)) or self.is_denied_after(at)

    def is_void(self, at: int) -> bool:
        """“I was down as nut allergic, that's a mistake”: a hint, as one asks about a mistake."""
        is_after = any("void" in item.kinds for item in self.items[at + 1 : at + 5])
        return is_after or any("ignore" in item.kinds for item in self.items[max(0, at - 7) : at])

    def is_cured(self, at: int) -> bool:
        """“our son's allergy to milk is gone”: a hint, as nobody is hurt by a question."""
        if any("cured" in item.kinds for item in self.items[max(0, at - 2) : at]):
            return True
        if self.is_void(at):
            return True
        for item in self.items[at + 1 : at + 10]:
            if item.kinds & {"no", "sign"} or (item.kinds & HEADS and "cured" not in item.kinds):
                return False
            if "cured" in item.kinds:
                return True
        return False

    def is_denied_before(self, at: int) -> bool:
        is_denied = self.has_denial_before(at) and not self.is_half_denied_before(at)
        return is_denied or self.has_zero_before(at)

    def has_zero_before(self, at: int) -> bool:
        """“0 nut allergies”"""
        place = at - 1
        while place > 0 and "allergen" in self.items[place].kinds:
            place -= 1
        return place >= 0 and is_zero(self.items[place])

    def has_denial_before(self, at: int) -> bool:
        passed = 0
        for place in range(at - 1, max(-1, at - 7), -1):
            item = self.items[place]
            if "past" in item.kinds and self.is_reaction(at):
                return False
            if item.kinds & {"no", "past"} and "number" not in item.kinds:
                is_answer = is_answer_before(self.items, place, at)
                return not is_answer and self.denies_list(place, at)
            if item.kinds & HEADS:
                is_same = self.scope.mode == "negated" and passed <= 2
                return is_same and not self.is_named_anew(place, at)
            before = self.kinds_at(place - 1)
            is_next = bool(item.number) and bool(before & {"link", *HEADS})  # “and 1 coeliac”
            is_over = item.word in BREAKS or item.word in small_words("thanks")
            is_other = item.kinds & OTHER_CLAUSE and not is_more(self.items, place)
            if is_next or is_over or is_other:
                return False
            passed += "allergen" not in item.kinds
            if passed > 4:
                return False
        return False

    def is_named_anew(self, denied: int, at: int) -> bool:
        """“no intolerances and nut allergy”, not “no allergies or nut intolerance”"""
        between = self.items[denied + 1 : at]
        is_joined = any(item.word in small_words("or") for item in between)
        is_new = bool(between) or self.items[at].word.startswith(ALLERGIC)
        return is_new and self.names_food(denied + 1, at) and not is_joined

    def is_reaction(self, at: int) -> bool:
        """“had an allergic reaction” tells of an allergy that is not over."""
        near = self.kinds_at(at - 1) | self.kinds_at(at + 1)
        return "symptom" in near or bool(self.items[at].kinds & {"unsure", "reaction"})

    def denies_list(self, place: int, at: int) -> bool:
        """“no nut allergy” denies; “no nuts: allergy” asks for care."""
        between = self.items[place + 1 : at]
        if "unsure" in self.items[at].kinds and any("allergen" in i.kinds for i in between):
            return False  # “no coriander, it makes me ill”
        if self.is_request_of_allergic(place, at) or self.is_of_others(between, at):
            return False
        is_for = any("allergen" in i.kinds for i in between) and between[-1].word in PURPOSES
        is_reason = any(i.word == "+" or i.word in small_words("reasons") for i in between)
        return not (is_for or is_reason)

    def is_of_others(self, between: list[Item], at: int) -> bool:
        """“no diet, nut allergy”, “no nuts, coeliac”, not “no diets or nut allergies”"""
        kinds = between[0].kinds if between else set()
        is_joined = any(item.word in small_words("or") for item in between)
        is_verb = bool(between) and between[0].word == "soy"  # “no soy celíaco”
        is_cause = "cause" in self.kinds_at(at) and "allergen" in kinds and not is_verb
        is_need = bool(kinds & {"needs", "header"}) and self.is_named(at)
        is_apart = "allergen" in kinds and self.has_list_behind(at)  # “no fish, allergy to nuts”
        is_counted = len(between) > 1 and between[-1].number is not None
        is_apart |= "allergen" in kinds and is_counted  # “no fish, 1 allergy to nuts”
        return (is_cause or is_need or is_apart) and not is_joined

    def has_list_behind(self, at: int) -> bool:
        is_led = self.word_at(at + 1) in (":", "=") or self.word_at(at + 1) in small_words(
            "against"
        )
        return is_led and self.names_food(at, at)

    def is_request_of_allergic(self, place: int, at: int) -> bool:
        """“no nuts allergic”, “keine Nüsse allergisch”, not “no nut allergic guests”"""
        is_without = self.items[place].word in small_words("without")
        is_person = self.items[at].word.startswith(ALLERGIC) and not self.kinds_at(at + 1) & PEOPLE
        return is_without and is_person and "allergen" in self.kinds_at(place + 1)

    def is_denied_after(self, at: int) -> bool:
        is_denied = self.has_denial_after(at) and not self.is_half_denied_after(at)
        return is_denied or self.is_list_answered_no(at)

    def is_half_denied(self, at: int) -> bool:
        is_before = self.has_denial_before(at) and self.is_half_denied_before(at)
        return is_before or (self.has_denial_after(at) and self.is_half_denied_after(at))

    def has_denial_after(self, at: int) -> bool:
        return not self.is_next_denied(at) and self.is_followed_by_denial(at)

    def is_followed_by_denial(self, at: int) -> bool:
        place = at + 1
        following = self.items[place : place + 5]
        if self.is_none_at_end(following):
            following, place = following[1:], place + 1
        if self.is_none_after_verb(following) or self.is_crossed_out(following):
            return True
        while following and self.is_label(following):
            following = following[1:]
            place += 1
        if not following:
            return False
        first = following[0]
        if "past" in first.kinds:
            return not self.is_void(at)
        if not first.kinds & {"none", "no"}:
            return False
        rest = following[1:4]
        is_bare = first.end - first.start == len(first.word)
        if first.word == "no" and is_bare and rest and not ends_clause(rest[0]):
            return False
        return not any(item.kinds & {"allergen", "cause"} for item in rest) or "except" in (
            rest[0].kinds if rest else ()
        )

    def is_next_denied(self, at: int) -> bool:
        """“nut allergy, no intolerances”, “nut allergy, others none”: another is denied."""
        place = self.after_breaks(at)
        if self.word_at(place) in small_words("others"):
            return self.is_named(at)
        if not self.kinds_at(place) & {"no", "none"}:
            return False
        is_of_others = any(is_more(self.items, n) for n in range(place + 1, self.end(place + 4)))
        following = place + 2 if "article" in self.kinds_at(place + 1) else place + 1
        is_other = bool(self.kinds_at(following) & HEADS) or is_of_others
        if self.word_at(at + 1) not in (":", "="):  # where an answer stands
            is_other |= bool(self.kinds_at(following) & OTHERS) or self.is_no_thing(place)
        return is_other and self.is_named(at)

    def end(self, place: int) -> int:
        return min(place, len(self.items))

    def is_no_thing(self, at: int) -> bool:
        """“no highchair”, unlike “not noted” and “no problem”"""
        is_word = self.kinds_at(at + 1) == {"word"}
        is_matter = self.word_at(at + 1) in small_words("no_matter")
        return self.word_at(at) in small_words("without") and is_word and not is_matter

    def is_named(self, at: int) -> bool:
        return self.names_food(max(0, at - 2), at) or "cause" in self.kinds_at(at)

    def is_list_answered_no(self, at: int) -> bool:
        """“Allergic to nuts: no”, “Alergia a frutos secos: no”"""
        place, last = at + 1, -1
        while self.kinds_at(place) & OF_LIST or self.word_at(place) in ("(", ")", ","):
            last = place if "allergen" in self.kinds_at(place) else last
            place += 1
        is_label = last > 0 and self.word_at(place) in (":", "=")
        return is_label and is_answered_no(self.items, place - 1)

    def is_none_at_end(self, following: list[Item]) -> bool:
        """“tutto ok con le allergie, nessuna”"""
        is_end = len(following) == 2 or (len(following) > 2 and ends_clause(following[2]))
        return is_end and following[0].word == "," and "none" in following[1].kinds

    def is_none_after_verb(self, following: list[Item]) -> bool:
        """“Allergien haben wir keine”, “allergies we have none”"""
        place = next((n for n, item in enumerate(following) if item.kinds & {"none", "no"}), 0)
        between, rest = following[:place], following[place + 1 : place + 2]
        is_end = not rest or rest[0].word in ",;)-" or "emphasis" in rest[0].kinds
        return (
            bool(between) and is_end and all(i.kinds & {"word", "link", "person"} for i in between)
        )

    def is_crossed_out(self, following: list[Item]) -> bool:
        """“Allergies: -”, “Allergies: 0” of a form"""
        while following and following[0].word != ":" and self.is_label(following):
            following = following[1:]
        words = [item.word for item in following]
        return len(words) == 2 and words[0] == ":" and words[1] in CROSSES

    def is_label(self, items: list[Item]) -> bool:
        """What stands between an allergy and its denial: “Allergies / intolerances: none”"""
        is_named = bool(items[0].kinds & (HEADS - {"cannot"})) or (
            "word" in items[0].kinds and len(items) > 1 and items[1].word == ":"
        )
        return is_named or items[0].word in ":-–=(&+" or bool(items[0].kinds & LABELS)

    def is_in_question(self, at: int) -> bool:
        before = self.items[max(0, at - 8) : at]
        if any(item.kinds & {"doubt"} for item in before) or self.is_cured(at):
            return True
        if self.is_half_denied(at):
            return True
        following = self.items[at + 1 : at + 4]
        end = next((n for n, item in enumerate(following) if item.word == ","), len(following))
        near = before + following[:end]
        if self.is_question and (
            at >= len(self.items) - 2 or any("question" in i.kinds for i in before)
        ):
            return True
        return any(asks(item) for item in near)

"""One sentence, and the words around a place in it."""

from itertools import takewhile

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import is_left_empty
from customers.allergies.rules.denials.words import BREAKS, is_head
from customers.allergies.rules.outcome import ends_clause

LABEL_ENDS = frozenset(":=")
ENDS = frozenset({"sign", "but", "except"})
REACH = 10  # items between an allergy and that it is over
ENDED_BEHIND = frozenset("-–—:(,;=")
NOT = frozenset({"t", "not", "no", "never", "non", "ne", "n", "nicht", "niet", "nao"})
NOT_IN_NAME = frozenset({"no", "sign", "but"})
IN_NAME = frozenset({"allergen", "link", "of", "article", "emphasis"})


class WordsAround:
    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.items = sentence.items

    def word_at(self, at: int) -> str:
        return self.items[at].word if 0 <= at < len(self.items) else ""

    def kinds_at(self, at: int) -> set[str]:
        return self.items[at].kinds if 0 <= at < len(self.items) else set()

    def clause_before(self, at: int) -> list[Item]:
        signs = [n for n in range(at) if ends_clause(self.items[n])]
        return self.items[max(signs, default=-1) + 1 : at]

    def after_breaks(self, at: int) -> int:
        place = at + 1
        while self.word_at(place) in BREAKS or self.kinds_at(place) & {"link", "emphasis"}:
            place += 1
        return place

    def names_food(self, place: int, at: int) -> bool:
        """Whether a food stands from `place` on, up to right behind the mention at `at`."""
        is_label = self.word_at(at + 1) in LABEL_ENDS
        behind = self.items[at + 1 + is_label : at + 6]
        ends = (n for n, item in enumerate(behind) if item.kinds & ENDS or is_head(item))
        end = next(ends, len(behind))
        return any(item.entry.allergens for item in self.items[place : at + 1] + behind[:end])

    def is_named(self, at: int) -> bool:
        return self.names_food(max(0, at - 2), at) or "cause" in self.kinds_at(at)

    def is_answered_yes(self, at: int) -> bool:
        """“no milk allergy yes”: the “no” answers what stands before it."""
        place = self.after_foods(at)
        following = self.items[place + 2 : place + 4]
        is_next = len(following) > 1 and is_head(following[0])  # “… yes egg allergy no”
        is_over = is_next or not self.kinds_at(place + 1) & {"allergen", "link"}
        return is_over and self.word_at(place) in small_words("affirms")

    def after_foods(self, at: int) -> int:
        """Behind the foods of “allergie aux noix non”, else right behind the allergy."""
        place = end = at + 1
        while self.kinds_at(place) & {"allergen", "link", "of", "article"}:
            place += 1
            end = place if "allergen" in self.kinds_at(place - 1) else end
        return end

    def has_list_behind(self, at: int) -> bool:
        is_led = self.word_at(at + 1) in LABEL_ENDS or self.word_at(at + 1) in small_words(
            "against"
        )
        return is_led and self.names_food(at, at)

    def end_of_object(self, at: int) -> int:
        """Behind “allergic to them”, whose word names what stands before."""
        is_object = self.word_at(at + 2) in small_words("objects")
        return at + 3 if is_object and self.word_at(at + 1) in small_words("against") else at + 1

    def is_left_empty(self, at: int) -> bool:
        """“Allergies:”; “Allergies: ?” is a question to the guest."""
        is_question = self.sentence.is_question and self.items[-1].word in LABEL_ENDS
        return is_left_empty(self.items, at) and not is_question

    def is_void(self, at: int) -> bool:
        """“I was down as nut allergic, that's a mistake”: a hint, as one asks about a mistake."""
        is_after = any("void" in item.kinds for item in self.items[at + 1 : at + 5])
        before = (n for n in range(max(0, at - 7), at) if "ignore" in self.items[n].kinds)
        return is_after or any(self.word_at(n - 1) not in NOT for n in before)  # “don't remove the”

    def is_cancelled(self, at: int) -> bool:
        """“remove the nut allergy”, “removed: nut allergy”, “avant : allergie aux noix”"""
        place = at - 1
        while self.may_stand_in_name(place) or self.word_at(place) in small_words("cancels_of"):
            place -= 1
        is_label = self.word_at(place) == ":"
        place -= is_label
        word = self.word_at(place)
        is_over = self.is_word_of_end(place) or (is_label and word in small_words("earlier"))
        is_kept = "neutral" in self.kinds_at(place) or self.word_at(place - 1) in NOT  # “don't …”
        return (is_over or word in small_words("cancels")) and not is_kept

    def is_ended(self, at: int) -> bool:
        """“nut allergy - resolved”, “allergie aux noix, guérie”; not “…, dinner finished by 9”"""
        if at + 1 == len(self.items):
            return False
        place = at + 1
        while self.may_stand_in_name(place) or self.is_verb_before_end(place):
            place += 1
        is_past = "allergy" in self.kinds_at(at) and self.is_past_at_end(place)
        if is_past or self.is_word_of_end(place):
            return True
        end = min(at + REACH, len(self.items))
        signs = [n for n in range(place, end) if self.items[n].word in ENDED_BEHIND]
        return any(map(self.is_ended_behind, signs))

    def is_past_at_end(self, place: int) -> bool:
        """“alergia a las nueces ya no”, “nut allergy, but no longer”"""
        turn = place + (self.word_at(place) == ",")
        is_turned = "but" in self.kinds_at(turn)
        place = turn + 1 if is_turned else place
        while is_turned and self.word_at(place) in small_words("fillers"):
            place += 1
        behind = self.word_at(place + 1)
        is_end = not behind or (is_turned and behind in ENDED_BEHIND)
        return is_end and "past" in self.kinds_at(place)

    def is_word_of_end(self, place: int) -> bool:
        """“resolved in hospital”; not “ended up in hospital”, “fini aux urgences”"""
        word = self.word_at(place)
        if word not in small_words("ended") or word not in small_words("ends_up"):
            return word in small_words("ended")
        near = takewhile(lambda item: item.word != ",", self.items[place : place + 3])
        return not any("hospital" in item.kinds for item in near)

    def is_verb_before_end(self, at: int) -> bool:
        """“is”, “has been”, “a été”, “ha sido”; not “c'est fini”, “ya no”"""
        is_verb = self.word_at(at) in small_words("has_been")
        return is_verb and not self.kinds_at(at) & {"cured", "past"}

    def is_ended_behind(self, at: int) -> bool:
        label = at - 1
        while self.kinds_at(label) == {"word"}:
            label -= 1
        is_next = label < at - 1 and "sign" in self.kinds_at(label)
        if is_next and self.word_at(at + 1) == "false":
            return False  # “"allergies": ["nuts"], "highchair": false”
        place = at + 1
        while self.is_verb_before_end(place):
            place += 1
        is_ended = self.is_word_of_end(place) or "cured" in self.kinds_at(place)
        behind = self.kinds_at(place + 1)
        is_over = place + 1 >= len(self.items) or bool(behind & {"sign", "number"})
        is_over |= self.word_at(place + 1) in small_words("since")
        return is_ended and is_over

    def may_stand_in_name(self, at: int) -> bool:
        """Between “remove” or “resolved” and the allergy: its food, small words"""
        kinds = self.kinds_at(at)
        if not kinds or kinds & NOT_IN_NAME:
            return False
        return bool(kinds & IN_NAME) or self.items[at].word in small_words("my")

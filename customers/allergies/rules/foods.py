"""Whether a word that names a food means one here, and what the words around it make of it."""

from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.words import BREAKS, is_word
from customers.allergies.rules.outcome import (
    HEADS,
    SentenceScope,
    connects,
    ends_clause,
    is_named_free,
)
from customers.allergies.rules.words_around import LABEL_ENDS, WordsAround

PLANTS = frozenset(
    ["coconut", "nuts", "soybeans", "rice", "maize", "legumes", "buckwheat", "chocolate", "peanuts"]
    + ["potato", "pine_nut", "lupin", "sesame"]
)

ILL = frozenset({"allergy", "intolerance"})
PASSED = frozenset({"word", "link", "of", "allergen", "emphasis"})  # “in the coffee it is” ok


class SentenceFoods(WordsAround):
    def __init__(self, sentence: Sentence, scope: SentenceScope | None = None) -> None:
        super().__init__(sentence)
        self.scope = scope or SentenceScope()
        self.places = {
            at
            for at, item in enumerate(self.items)
            if "allergen" in item.kinds and self.is_place(at)
        }

    def is_place(self, at: int) -> bool:
        """“bread” in “no sesame on the bread”"""
        if self.items[at].kinds & HEADS:
            return False
        place = at - 1
        while place > 0 and "link" in self.items[place].kinds - {"no"}:
            if self.is_where(place):
                break
            place -= 1
        is_after = place > 0 and self.is_where(place)
        return is_after and "allergen" in self.items[place - 1].kinds

    def is_where(self, at: int) -> bool:
        """“on the”; “en el café”, which is “and” in Dutch"""
        is_in_the = self.items[at].word == "en" and self.word_at(at + 1) in ("el", "la", "los")
        is_one = is_word(self.items[at])  # not “on arrival”
        return is_in_the or (is_one and self.items[at].word in small_words("where"))

    def is_but(self, at: int) -> bool:
        """French and Portuguese “mais” turns a sentence; after “gegen” it is maize."""
        is_named = self.scope.mode == "stated" and "link" in self.kinds_at(at - 1)
        return "but" in self.items[at].kinds and not is_named

    def is_no_food(self, at: int) -> bool:
        is_named = self.is_verb_soy(at) or at in self.places or self.is_but(at)
        is_other = self.is_fine(at) or self.is_of_animal(at) or self.is_of_plant(at)
        return is_named or is_other or self.is_surname(at)

    def is_surname(self, at: int) -> bool:
        """“Mme Colin est allergique au lait”; “Mrs nut allergy”, “Mrs nuts is allergic” are not."""
        is_titled = self.word_at(at - 1) in small_words("titles")
        return is_titled and says_what_person_lacks(self.items[at + 1 : at + 5])

    def is_corrected(self, at: int) -> bool:
        """“not nuts, it's sesame”, “nicht Soja, sondern Sellerie”"""
        return self.is_behind_not(at) and self.has_correction_behind(at)

    def is_behind_not(self, at: int) -> bool:
        """“not”, “nicht”; “no es el”, as “no” alone leaves something out"""
        place = at - 1
        while place > 0 and self.kinds_at(place) & {"link", "emphasis"} and not self.is_no(place):
            place -= 1
        is_verb = "emphasis" in self.kinds_at(place + 1)
        return self.is_no(place) and (is_verb or self.word_at(place) in small_words("not"))

    def is_no(self, at: int) -> bool:
        return "no" in self.kinds_at(at)

    def has_correction_behind(self, at: int) -> bool:
        """“, it's sesame”, “sondern Sellerie”; Italian “e” is “and” without its accent"""
        place = at + 2 if self.word_at(at + 1) == "," else at + 1
        is_turn = "but" in self.kinds_at(place) or self.is_it_is(place)
        end = place + 1
        while end < place + 4 and (self.kinds_at(end) & {"link", "emphasis"} or self.is_it_is(end)):
            end += 1
        return is_turn and "allergen" in self.kinds_at(end)

    def is_it_is(self, at: int) -> bool:
        return "copula" in self.kinds_at(at) or self.word_at(at) in small_words("it_is")

    def is_next_field(self, at: int) -> bool:
        """“Nut allergy: 0, milk: 1”"""
        answer = self.items[at + 2] if at + 2 < len(self.items) else self.items[at]
        is_yes = bool(answer.number) or answer.word in small_words("affirms")
        return is_yes and self.word_at(at + 1) in (":", "=")

    def is_of_animal(self, at: int) -> bool:
        """“the protein of the milk of cows” is no beef."""
        place = at - 1
        while "of" in self.kinds_at(place) or self.word_at(place) in small_words("of_the"):
            place -= 1
        codes = self.items[at].entry.allergens.keys()
        is_milk = place >= 0 and "milk" in self.items[place].entry.allergens
        return place < at - 1 and is_milk and codes <= {"beef", "lamb"}

    def is_of_plant(self, at: int) -> bool:
        """“lait de coco”, “harina de maíz”: neither milk nor wheat"""
        place = at + 1
        while "of" in self.kinds_at(place) or self.word_at(place) in small_words("of_the"):
            place += 1
        is_carrier = self.items[at].word in small_words("carriers")
        return is_carrier and place > at + 1 and self.is_plant(place)

    def is_plant(self, at: int) -> bool:
        codes = self.items[at].entry.allergens.keys() if at < len(self.items) else set()
        return bool(codes) and codes <= PLANTS

    def is_verb_soy(self, at: int) -> bool:
        is_named = self.kinds_at(at + 1) == {"word"} and any(
            item.word in small_words("i_am") for item in self.items[at + 2 : at + 5]
        )  # “soy Ana, alérgica a …”
        is_am = self.word_at(at + 1) in small_words("i_am") or is_named
        return self.items[at].word == "soy" and is_am

    def is_fine(self, at: int) -> bool:
        """“allergic to nuts, peanuts ok”: only a later food, after a comma or “but”."""
        near = self.items[max(0, at - 4) : at]
        while near and near[-1].kinds & {"word", "of", "link", "number", "article", "mild"}:
            near.pop()  # “, a little butter is ok”
        is_apart = bool(near) and (near[-1].word in ",;-(" or "but" in near[-1].kinds)
        following = self.kinds_at(at + 1) | self.kinds_at(at + 2)
        is_next = "ok" in self.kinds_at(at + 1) or {"emphasis", "ok"} <= following
        is_next |= self.word_at(at + 1) in LABEL_ENDS and "ok" in following  # “, milk: fine”
        is_allowed = is_next or {"word", "ok"} <= following  # “queijo curado ok”
        is_allowed |= self.is_fine_within(at) or self.is_allowed_after(at)
        is_apart |= self.word_at(at + 1) in LABEL_ENDS
        return is_apart and self.scope.has_cause and is_allowed

    def is_fine_within(self, at: int) -> bool:
        """“, a little milk in the coffee is fine”"""
        place = at + 1
        if self.word_at(place) not in small_words("inside"):
            return False
        while place < at + 6 and self.kinds_at(place) & PASSED:
            place += 1
        return bool(self.kinds_at(place) & {"ok", "allowed"})

    def is_allowed_after(self, at: int) -> bool:
        """“gambas sí”, “Garnelen verträgt sie”: such small words must end the clause."""
        places = [n for n in (at + 1, at + 2) if "allowed" in self.kinds_at(n)]
        end = places[0] + 1 if places else 0
        return bool(places) and (end >= len(self.items) or ends_clause(self.items[end]))

    def is_one_times(self, at: int) -> bool:
        """“1 x shellfish, 1 x dairy allergy”"""
        return TIMES in (self.word_at(at), self.word_at(at + 1))

    def is_dish(self, at: int) -> bool:
        """“fish menu”, “cheese lovers” some words or a sign after an allergy are dinner."""
        is_next = self.scope.has_cause and self.word_at(at - 1) in BREAKS
        is_apart = self.scope.gap > 0 or is_next
        is_danger = bool(self.kinds_at(at + 2) & {"severe", "warning"})  # “will close my throat”
        return is_apart and not is_danger and bool(self.kinds_at(at + 1) & {"want", "love"})

    def is_refused_after(self, at: int) -> bool:
        """“marisco no, …”, “shellfish no (allergy)”"""
        at += 2 if "emphasis" in self.kinds_at(at + 1) or self.word_at(at + 1) in ":=" else 1
        following = self.items[at + 1 : at + 2]
        is_end = not following or bool(following[0].kinds & {"sign", "link", "but", "emphasis"})
        return is_end and "no" in self.kinds_at(at) and "number" not in self.kinds_at(at)

    def is_before_free(self, at: int) -> bool:
        """“nut, dairy and egg free”, “laktose- und glutenfrei”"""
        for place, item in enumerate(self.items[at + 1 : at + 8], start=at + 1):
            if item.kinds & {"free", "refused"} or is_named_free(item):
                return True
            if (
                "allergen" in item.kinds
                and self.scope.mode == "none"
                and self.is_refused_after(place)
            ):
                return True  # “huevos y pescado NO”
            if not ("allergen" in item.kinds or connects(item)):
                return self.is_left_out_at_end(place)
        return False

    def is_left_out_at_end(self, at: int) -> bool:
        """“die Gurken im Salat weglassen”, “the onions on the burger left out”"""
        for item in self.items[at : at + 5]:
            if item.kinds & {"refused"}:
                return True
            if item.kinds & {"sign", "but", "no", "ok"} or item.kinds & HEADS:
                return False  # “gluten ok nuts not ok”
        return False

    def is_after_plant(self, at: int) -> bool:
        """“almond milk”, “rice flour”; a list may read the same, so it stays a hint."""
        before, item = self.items[at - 1] if at else None, self.items[at]
        return bool(
            before and item.word in small_words("carriers") and before.word in small_words("plants")
        )


def says_what_person_lacks(items: list[Item]) -> bool:
    """“is allergic to milk”, “is coeliac”, “can't eat nuts”, “verträgt keinen Sellerie”"""
    kinds = [item.kinds for item in items] + [set()] * 4
    if not items or items[0].word not in small_words("is_of_person"):
        is_phrase = bool(items) and not is_word(items[0])
        return is_phrase and bool(kinds[0] & {"cannot", "intolerance"}) and "allergen" in kinds[1]
    is_against = len(items) > 2 and items[2].word in small_words("against")
    is_before = is_against and bool(kinds[1] & ILL) and "allergen" in kinds[3]
    is_behind = "allergen" in kinds[1] and bool(kinds[2] & ILL)
    return is_before or is_behind or bool(kinds[1] & {"diet", "cause"})

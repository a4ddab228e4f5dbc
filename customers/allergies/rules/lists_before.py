"""Foods before the word for an allergy: “peanuts + sesame allergy”, “gegen Nüsse allergisch”."""

from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.denials.before import ALLERGIC
from customers.allergies.rules.denials.words import BREAKS
from customers.allergies.rules.foods import SentenceFoods
from customers.allergies.rules.outcome import (
    HEADS,
    SentenceScope,
    connects,
    ends_clause,
    is_name,
    is_ordered,
)
from customers.allergies.rules.words_around import LABEL_ENDS

FAMILIES = (
    frozenset({"fish", "crustaceans", "molluscs"}),
    frozenset({"meat", "beef", "pork", "lamb", "poultry", "eggs", "gelatine"}),
)
MOST_OTHER = 2  # words between a food and the allergy that “it” leads to


class SentenceListsBefore(SentenceFoods):
    def __init__(self, sentence: Sentence, scope: SentenceScope | None = None) -> None:
        super().__init__(sentence, scope)
        self.taken: dict[int, int] = {}
        self.heads = [i for i, item in enumerate(self.items) if item.kinds & HEADS]
        for head in self.heads:
            if self.closes_list(head):
                self.take_all_before(head)
            else:
                self.take_list_before(head)

    def take_list_before(self, head: int) -> None:
        if self.has_own_list(head) or self.is_modal_of_verb(head) or self.is_next_label(head):
            return
        at, passed = head - 1, 0
        is_turned = self.is_turned(head)
        while at >= 0 and passed < 12:
            item = self.items[at]
            is_verb = is_turned and item.word in small_words("having")
            is_in = item.word in small_words("where") and "want" not in item.kinds  # “on arrival”
            is_place = at in self.places or is_in
            if is_verb or is_place or self.is_one_times(at):
                pass
            elif self.is_verb_soy(at) or self.is_dinner_before(at, head):
                return
            elif "allergen" in item.kinds and not item.kinds & HEADS:
                self.taken.setdefault(at, head)
            elif not self.leads_to(item, head):
                if item.kinds & HEADS:
                    self.leave_to(at, head)
                self.leave_liked(at, head)
                return
            at, passed = at - 1, passed + 1

    def is_dish_of(self, at: int, code: str) -> bool:
        """“1 x nut allergy (lamb)”, unlike “1 x seafood allergy (salmon)”"""
        group, dish = self.scope.group, self.items[at].entry.allergens.keys()
        is_counted = any(item.number for item in self.items[max(0, group - 4) : group])
        is_same = any(code in family and dish & family for family in FAMILIES)
        return (
            is_counted
            and is_ordered(self.items[at])
            and self.is_named_before(group)
            and not is_same
        )

    def closes_list(self, head: int) -> bool:
        """“Léa : œufs, Tom : noisettes (allergies)”, “Mark: milk; Sara: none -- allergies”"""
        before = [item for item in self.items[max(0, head - 2) : head] if "both" not in item.kinds]
        behind = [item.word for item in self.items[head + 1 :]]
        names = [at for at in range(head) if is_name(self.items, at)]
        is_set_apart = bool(before) and before[-1].word in ("(", "-", "–", "—")
        is_of_all = self.items[head].word in small_words("closing") and len(names) > 1
        is_other = any(item.kinds & {"love", "want", "ok"} for item in self.items[:head])
        return is_set_apart and behind in ([], [")"]) and is_of_all and not is_other

    def take_all_before(self, head: int) -> None:
        for at in range(head):
            if "allergen" in self.kinds_at(at) and not self.kinds_at(at) & HEADS:
                self.taken.setdefault(at, head)

    def is_dinner_before(self, at: int, head: int) -> bool:
        """“1 x salmon (nut allergy)”: the bracket has a cause of its own."""
        is_own = any(n > at and of == head for n, of in self.taken.items())
        is_counted = self.word_at(at - 2) == TIMES or bool(self.items[max(0, at - 2)].number)
        is_dish = (
            at > 1
            and "people" not in self.kinds_at(at - 3)
            and is_counted
            and is_ordered(self.items[at - 1])
        )
        return self.word_at(at) == "(" and is_own and is_dish and self.word_at(head + 1) == ")"

    def is_named_before(self, at: int) -> bool:
        """“nut allergy”; in “no nuts no dairy allergic” the allergy is the reason of both."""
        foods = [food for food, head in self.taken.items() if head == at]
        return bool(foods) and "no" not in self.kinds_at(min(foods) - 1)

    def is_harmless_before(self, at: int) -> bool:
        """“gegen Katzen allergisch”, “cat and dog allergy”"""
        place = at - 1
        while place >= 0 and "link" in self.items[place].kinds:
            place -= 1
        return "harmless" in self.kinds_at(place) and at not in self.taken.values()

    def leave_liked(self, at: int, head: int) -> None:
        """“loves fish, nut allergy”, “cake with strawberries, egg allergy”: one is dinner."""
        is_label = "sign" in self.kinds_at(at + 1)  # “Birthday: nuts, milk allergy”
        end = 0 if is_label or not self.is_liked(at) else self.end_of_dinner(at, head)
        if "dislike" in self.kinds_at(at) and self.has_other_list_behind(head):
            end = head  # “dislikes mushrooms and is allergic to prawns”
        for food in [n for n in range(at + 1, end) if self.taken.get(n) == head]:
            del self.taken[food]

    def has_other_list_behind(self, head: int) -> bool:
        """Not “hates fish, is allergic to it and to eggs”"""
        near = self.items[head + 1 : head + 4]
        is_same = any("both" in i.kinds or i.word in small_words("objects") for i in near)
        return self.has_list_behind(head) and not is_same

    def end_of_dinner(self, liked: int, head: int) -> int:
        if self.has_list_behind(head):  # “adore le poisson et allergique aux noix”
            return head
        is_compound = "compound" in self.kinds_at(head)
        breaks = [n for n in range(liked + 1, head) if self.word_at(n) in BREAKS]
        if not is_compound and "allergen" not in self.kinds_at(head - 1):
            return 0
        if len(breaks) == 1:  # “menu nuts, milk, egg allergies” is a list
            return breaks[0]
        is_loved = "love" in self.kinds_at(liked) and not breaks  # “loves fish and nut allergy”
        return (head if is_compound else head - 1) if is_loved else 0

    def is_liked(self, at: int) -> bool:
        kinds, before = self.kinds_at(at), self.items[max(0, at - 3) : at]
        if kinds & {"no", "cannot"} or not kinds & {"love", "want", "ok"}:
            return False
        is_with = self.word_at(at) in small_words("with")  # “party with nut, egg allergies”
        return not is_with or any(item.word in small_words("cakes") for item in before)

    def is_tied(self, at: int, head: int) -> bool:
        """“lovely crab, but I'm allergic”, “nuts despite my allergy”"""
        near, between = self.items[max(0, at - 4) : head], self.items[at:head]
        is_tied = any("contains" in i.kinds or i.word in small_words("if") for i in near)
        is_tied |= any("but" in item.kinds for item in between)
        is_tied &= self.items[head].word.startswith(ALLERGIC)
        is_tied |= any(item.word in small_words("despite") for item in between)
        is_tied |= self.is_meant_again(at, head)
        return is_tied or (
            "unsure" in self.kinds_at(head)
            and any(item.word in small_words("otherwise") for item in between)
        )

    def is_meant_again(self, at: int, head: int) -> bool:
        """“dairy is not a preference, it's an allergy”, “mussels - they make her ill”"""
        between = self.items[at + 1 : head]
        known = small_words("it_is") | small_words("objects") | small_words("having")
        other = [item for item in between if "word" in item.kinds and item.word not in known]
        is_again = any(item.word in small_words("means_food") for item in between)
        is_food = any(item.kinds & {"allergen", "person", "love"} for item in between)
        return is_again and len(other) <= MOST_OTHER and not is_food

    def leave_to(self, earlier: int, head: int) -> None:
        """“not allergic to nuts and egg allergy”: only the nearest food is of the second."""
        foods = [at for at, of in self.taken.items() if of == head]
        is_apart = "compound" in self.kinds_at(head) or self.word_at(head - 1) in BREAKS
        own = 0 if is_apart else 1
        if self.word_at(earlier + 1) in small_words("against"):
            for at in foods[own:]:
                del self.taken[at]

    def is_next_label(self, head: int) -> bool:
        """“Allergies: eggs; intolerances: none”, “Allergy nuts Intolerance none”"""
        is_label = self.is_label_of_form(head) or "none" in self.kinds_at(head + 1)
        is_next = is_label and any(self.is_before_list(at) for at in self.heads if at < head)
        return is_next and not self.is_after_answer(head)

    def is_after_answer(self, head: int) -> bool:
        """“Nut allergy: yes, milk allergy: no”, “nut allergy: 0, milk allergy: 1”"""
        place = head - 1
        while "allergen" in self.kinds_at(place):
            place -= 1
        is_apart = place > 0 and place < head - 1 and self.word_at(place) in BREAKS
        answer = self.word_at(place - 1)
        is_yes = answer in small_words("affirms") or answer.isdigit()
        return is_apart and (is_yes or bool(self.kinds_at(place - 1) & {"no", "none"}))

    def is_before_list(self, head: int) -> bool:
        is_led = "allergen" in self.kinds_at(head + 1) and "allergen" not in self.kinds_at(head - 1)
        return self.is_label_of_form(head) or is_led

    def is_label_of_form(self, head: int) -> bool:
        place = head + 2 if "link" in self.kinds_at(head + 1) else head + 1  # “allergic to:”
        return self.word_at(place) in (":", "=")

    def is_modal_of_verb(self, head: int) -> bool:
        """“no puede venir” refuses no food; “pescado no puede” does."""
        is_end = head + 1 == len(self.items) or ends_clause(self.items[head + 1])
        return "modal" in self.items[head].kinds and not is_end

    def is_turned(self, head: int) -> bool:
        """“aux noix, je suis allergique”, “gegen Nüsse bin ich allergisch”"""
        first = head
        while first and self.may_stand_between(self.items[first - 1]):
            first -= 1
        rest = [item for item in self.items[first:head] if not connects(item)]
        is_against = self.word_at(first) in small_words("against") and bool(rest)
        return is_against and "allergen" in rest[0].kinds and not self.kinds_at(first - 1) & HEADS

    def may_stand_between(self, item: Item) -> bool:
        is_named = "allergen" in item.kinds and not item.kinds & HEADS
        return is_named or connects(item) or item.word in small_words("having")

    def leads_to(self, item: Item, head: int) -> bool:
        """“prawns give her hives”: before a symptom stands a verb, and whom it befalls."""
        is_symptom = "unsure" in self.items[head].kinds
        if is_symptom and item.word in small_words("gives"):
            return "no" not in item.kinds  # “donne” also is Italian for women
        if connects(item):
            return not item.kinds & {"people", "number"}
        is_person = "person" in item.kinds
        if is_person and self.is_of_named(head):
            return True
        if (is_person or item.word in small_words("pronouns")) and self.is_inability_of(head):
            return item is self.items[head - 1]
        if self.items[head].word in small_words("late"):
            return is_person or item.word in small_words(
                "modal"
            )  # “soja kan mijn vriend niet hebben”
        return is_person and is_symptom

    def is_inability_of(self, head: int) -> bool:
        """“prawns she can't have”; not “fish for my wife, she can't drink”"""
        is_end = head + 1 == len(self.items) or "sign" in self.kinds_at(head + 1)
        food = head - 3 if self.word_at(head - 2) in BREAKS else head - 2
        is_next = "allergen" in self.kinds_at(food)
        return is_next and is_end and "cannot" in self.kinds_at(head)

    def is_of_named(self, head: int) -> bool:
        """“wheat, rye – my sister can't eat them”"""
        rest = self.items[head + 1 : head + 3]
        is_object = bool(rest) and rest[0].word in small_words("objects")
        is_end = len(rest) < 2 or ends_clause(rest[1])
        is_of_object = "cannot" in self.items[head].kinds and is_object and is_end
        return is_of_object or "named" in self.items[head].kinds

    def has_own_list(self, head: int) -> bool:
        before = self.items[head - 1] if head else None
        is_answer = self.word_at(head + 1) in BREAKS or self.word_at(head + 2) in LABEL_ENDS
        if self.word_at(head - 1) in LABEL_ENDS and is_answer:
            return False  # “nuts: allergic, milk: fine”
        if self.has_list_behind(head) and any(at < head for at in self.heads):
            return True
        if "cannot" in self.items[head].kinds or (before and before.word in ",;-:)"):
            return self.names_one(self.items[head + 1 : head + 5])
        return False

    def names_one(self, items: list[Item]) -> bool:
        end = next((at for at, item in enumerate(items) if item.word == ";"), len(items))
        return any("allergen" in item.kinds for item in items[:end])

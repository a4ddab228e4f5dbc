"""Which mentions of one sentence are an allergy, which a weak hint, and which are only talk."""

from customers.allergies.findings import AllergenFinding, Certainty
from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.people import people_of
from customers.allergies.rules.answers import is_answered_no, may_be_empty
from customers.allergies.rules.denials.cancelled import is_cancelled
from customers.allergies.rules.denials.sentence import SentenceDenials
from customers.allergies.rules.forms import is_behind_name, is_counted_apart, is_led_behind_name
from customers.allergies.rules.lists_before import SentenceListsBefore
from customers.allergies.rules.outcome import (
    HEADS,
    LABEL_SIGNS,
    SentenceOutcome,
    SentenceScope,
    ends_clause,
)
from customers.allergies.rules.sentences_before import last_list

TALK = frozenset({"love", "want", "dislike"})
# Small words of seven languages stand in words/shared.toml: `where` leads to where the food is
# (“sesame on the bread”), and before `i_am` “soy” is Spanish for “I am” and names no soya.
MENU_WORDS = ("allergen", "alergen")  # “allergen menu please” is no allergy yet
FOUND_IN = frozenset({"sulphites", "histamine", "nickel"})  # in many foods, which notes then name
CARE = frozenset({"care", "header"})
REACH = 6  # words between an allergy and its cause
REACH_ON = 2  # words between two causes of one list


class SentenceReader(SentenceListsBefore):
    def __init__(self, sentence: Sentence, scope: SentenceScope | None = None) -> None:
        super().__init__(sentence, scope)
        self.denials = SentenceDenials(sentence)
        self.outcome = SentenceOutcome()

    def read(self) -> SentenceOutcome:
        for at, item in enumerate(self.items):
            self.step(at, item)
        self.explain_requests()
        return self.outcome

    def explain_requests(self) -> None:
        """“no milk for my son, he is allergic”: the request names the cause."""
        for head in tuple(self.outcome.open_heads):
            pairs = zip(self.outcome.found, self.outcome.groups, strict=True)
            requests = [
                found
                for found, (at, group) in pairs
                if group < 0 and at < head and at not in self.outcome.corrected
            ]
            for found in requests:
                found.state()
            if requests or self.explain_foods(head):
                self.close_head(head)

    def explain_foods(self, head: int) -> bool:
        """“if the soup contains celery, I'm allergic”, “loves prawns, is allergic to them”"""
        end = self.end_of_object(head)
        is_end = end == len(self.items) or ends_clause(self.items[end])
        foods = [at for at in (*self.outcome.bare, *self.outcome.talk) if at < head]
        if not foods or not is_end:
            return False
        at, is_object = max(foods), end > head + 1
        between = self.items[at:head]
        is_denied = any("no" in item.kinds for item in between)
        is_tied = is_object or self.is_tied(at, head)
        if is_denied or not is_tied or not any(self.items[at].entry.allergens.values()):
            return False
        is_despite = any(item.word in small_words("despite") for item in between)
        is_hint = self.denials.is_in_question(head) and not is_despite
        for food in last_list(self.items, sorted(foods)) if is_object else [at]:
            self.add(food, "maybe" if is_hint else "stated", head)
        return True

    def step(self, at: int, item: Item) -> None:
        kinds = item.kinds
        if kinds & HEADS:
            self.open_head(at)
        if "cause" in kinds:
            self.add_cause(at)
        elif "allergen" in kinds and "diet" not in kinds and not self.is_no_food(at):
            self.mention(at)
        elif not kinds & HEADS:
            self.move(at, item)

    def open_head(self, at: int) -> None:
        item = self.items[at]
        is_denied = self.denials.is_denied(at)
        scope = self.scope = SentenceScope("stated", group=at)
        scope.is_maybe = self.denials.is_in_question(at)
        if is_denied:
            scope.mode = "negated"
        elif "cannot" not in item.kinds or item.kinds & {"allergy", "intolerance"}:
            if self.is_open(at):
                self.outcome.open_heads.append(at)
            is_unsure = "unsure" in item.kinds or may_be_empty(self.items, at)
            if is_unsure or scope.is_maybe or item.word.startswith(MENU_WORDS):
                self.outcome.unsure_heads.add(at)
        if scope.mode == "stated":
            scope.has_cause = any(head == at for head in self.taken.values())
            if scope.has_cause and "symptom" in item.kinds:
                scope.mode = "none"  # “prawns give her hives, crab is her favourite”

    def is_open(self, at: int) -> bool:
        """Whether the allergy waits for its cause, or will be one without."""
        is_named = "trouble" in self.items[at].kinds or self.is_named_before(at)
        return not (is_named or self.is_harmless_before(at) or self.is_left_empty(at))

    # Everything that is neither an allergy nor a food

    def move(self, at: int, item: Item) -> None:
        if "salt" in item.kinds and "cannot" in self.kinds_at(self.scope.group):
            self.outcome.left_out.append(at)
        elif self.scope.mode == "stated":
            self.move_on(at, item)
        elif "salt" in item.kinds:
            self.leave_out_salt(at)
        else:
            self.start(at, item)

    def start(self, at: int, item: Item) -> None:
        scope, kinds = self.scope, item.kinds
        if kinds & {"except", "correction"} and scope.mode == "negated":
            scope.mode, scope.gap, scope.has_cause = "stated", 0, True
        elif "but" in kinds:
            self.turn(at)
        elif self.is_request(at, item):
            scope.mode, scope.gap, scope.is_care = "request", 0, bool(kinds & CARE)
        elif "harmless" in kinds and scope.mode == "none":
            self.close_harmless(at)
        elif kinds & TALK or "past" in kinds:
            scope.mode = "talk" if scope.mode != "negated" else "negated"
        elif "word" in kinds:
            self.leave_request()

    def leave_out_salt(self, at: int) -> None:
        """Salt is no allergen; “no sugar nor salt” is a diet."""
        if self.scope.mode == "request" and not self.scope.is_care:
            self.outcome.left_out.append(at)

    def is_request(self, at: int, item: Item) -> bool:
        """“no nuts”, “careful with nuts”, “we eat everything except nuts”"""
        if item.kinds & {"no", "care"} or self.is_header(at):
            return True
        if "traces" in self.kinds_at(at - 1) and item.word in small_words("with"):
            return True  # “no cross-contamination with sesame”
        if "none" in item.kinds:  # “nada picante”, “rien de pimenté”
            following = self.kinds_at(at + 1)
            return "allergen" in following or (
                bool(following & {"of", "link"}) and "allergen" in self.kinds_at(at + 2)
            )
        if "except" in item.kinds:
            return any(before.kinds & {"everything", "none"} for before in self.items[:at])
        return "diet" in item.kinds and item.word in small_words("without")

    def is_header(self, at: int) -> bool:
        """“Dietary requirements: 1 x nuts” of a form"""
        place = at + 2 if "emphasis" in self.kinds_at(at + 1) else at + 1
        is_label = self.word_at(place) in LABEL_SIGNS
        is_grave = at == 0 and bool(self.kinds_at(at) & {"severe", "mild"})  # “Severe: nuts”
        return is_label and (is_grave or "header" in self.kinds_at(at))

    def leave_request(self) -> None:
        self.scope.gap += 1
        if self.scope.mode == "request" and self.scope.gap > 3:
            self.scope.mode = "none"

    def close_harmless(self, at: int) -> None:
        """“allergic, but only to cats”"""
        for head in self.outcome.open_heads:
            if at - head <= REACH:
                self.close_head(head)
                return

    def turn(self, at: int) -> None:
        """“no allergies but nuts”, “but my wife to nuts” name one; any other turn starts afresh."""
        place = at + 1
        while self.word_at(place) in small_words("fillers") or self.is_led_on(place):
            place += 1
        is_next = bool(self.kinds_at(place) & {"allergen", "person"})
        is_corrected = at - 1 in self.outcome.corrected and bool(self.outcome.groups[1:])
        is_named = (self.scope.mode == "negated" and is_next) or is_corrected
        self.scope = (
            SentenceScope("stated", group=self.scope.group) if is_named else SentenceScope()
        )

    def is_led_on(self, at: int) -> bool:
        """“not allergic to fish but is to prawns”, “pero sí a las gambas”"""
        return "link" in self.kinds_at(at) or (
            self.word_at(at) in small_words("yes") and "link" in self.kinds_at(at + 1)
        )

    def move_on(self, at: int, item: Item) -> None:
        scope, kinds = self.scope, item.kinds
        if "harmless" in kinds and not scope.has_cause:
            self.close_head(scope.group)
            scope.has_cause, scope.gap = True, 1  # “allergic to cats and nuts” names a food too
        elif "except" in kinds and self.is_exception(at):
            scope.mode = "excepted"
        elif "no" in kinds:
            self.refuse(at)
        elif "care" in kinds:
            self.scope = SentenceScope("request", is_care=True)
        elif "but" in kinds and self.word_at(at + 1) in small_words("also"):
            scope.gap = 0  # “to cats, but also to kiwis”
        elif kinds & {"but", "ok"} or self.is_talk(at, item):
            self.scope = SentenceScope("none" if "but" in kinds else "talk")
        elif kinds & {"word", "person", "harmless", "past"}:
            self.count_word(at)

    def is_exception(self, at: int) -> bool:
        """“nut allergy, only almonds are fine”; “nut allergy (only peanuts)” names them."""
        is_named = self.items[at].word in small_words("only") and self.word_at(at - 1) in ("(", ":")
        is_named |= "correction" in self.kinds_at(at - 1)  # “no allergies, I mean except nuts”
        return self.scope.has_cause and not (is_named or "link" in self.items[at].kinds)

    def refuse(self, at: int) -> None:
        if self.is_first_denied(at):
            self.scope.mode = "negated"
        elif self.is_no_end(at):
            self.scope.gap = 0
        else:
            self.scope = SentenceScope("request", is_care="care" in self.kinds_at(at))

    def is_first_denied(self, at: int) -> bool:
        """“allergic not to nuts but to peanuts”, “alérgico, no al gluten sino a la leche”"""
        is_against = self.word_at(at + 1) in small_words("against")
        is_turned = any("but" in item.kinds for item in self.items[at + 2 : at + 10])
        return is_against and is_turned and not self.scope.has_cause

    def is_no_end(self, at: int) -> bool:
        """“non può mangiare niente con il latte”, “can't eat milk nor eggs”"""
        if self.scope.has_cause or "cannot" not in self.kinds_at(self.scope.group):
            place = at + 2 if "link" in self.kinds_at(at + 1) else at + 1
            return "allergen" in self.kinds_at(place) and self.goes_on(at)
        return bool({"link", "allergen"} & (self.kinds_at(at) | self.kinds_at(at + 1)))

    def goes_on(self, at: int) -> bool:
        """“can't eat milk nor eggs”, “allergies: no nuts” go on; “nut allergy, no fish” not."""
        if not self.scope.has_cause:  # “allergic to everything but nuts”
            return self.word_at(at) not in small_words("everything")
        if "link" in self.kinds_at(at):  # nor, ni, noch
            return True
        return "link" in self.kinds_at(at - 1) and self.is_verb(self.scope.group)

    def is_verb(self, at: int) -> bool:
        """“can't eat”, “verträgt keine”; not the noun “intolerance”."""
        item = self.items[at] if at >= 0 else None
        is_phrase = item is not None and item.end - item.start > len(item.word)
        return is_phrase and bool(self.kinds_at(at) & {"cannot", "intolerance"})

    def is_talk(self, at: int, item: Item) -> bool:
        if "severe" in item.kinds or not item.kinds & TALK:
            return False
        is_next = at - 1 == self.scope.group
        is_with = item.word in small_words("with")
        if is_with and "unsure" in self.kinds_at(self.scope.group):  # “swollen lips with kiwi”
            return False
        if is_with and "person" in self.kinds_at(at - 1):  # “… salvo mi hija con los cacahuetes”
            return False
        after_head = is_next and ("allergen" in self.kinds_at(at + 1) or is_with)
        if is_with and self.is_with_again(at):
            return False
        return not after_head and "link" not in item.kinds

    def is_with_again(self, at: int) -> bool:
        """“allergy with egg and with milk”, “problemas con el huevo y con la leche”"""
        is_joined = self.word_at(at - 1) in small_words("joins")
        return is_joined and self.word_at(self.scope.group + 1) in small_words("with")

    def count_word(self, at: int) -> None:
        scope = self.scope
        scope.gap += 1
        if not scope.has_cause and self.is_next_named(at):
            self.outcome.unsure_heads.add(scope.group)
        is_eating = self.word_at(at) in small_words("eating")
        if "modal" in self.kinds_at(scope.group) and not is_eating:
            self.scope = SentenceScope("request", gap=1)
        elif scope.gap > (REACH_ON if scope.has_cause else REACH):
            self.scope = SentenceScope()

    def is_next_named(self, at: int) -> bool:
        """“allergic to the colour beige” names a cause that is no food."""
        place = at - 1
        while "link" in self.kinds_at(place):
            place -= 1
        is_near = place < at - 1 or self.is_verb(self.scope.group)  # “verträgt keinen Jicama”
        return place == self.scope.group and is_near

    def close_head(self, head: int) -> None:
        if head in self.outcome.open_heads:
            self.outcome.open_heads.remove(head)

    # Foods

    def mention(self, at: int) -> None:
        item = self.items[at]
        head = self.taken.get(at, -1)
        if self.scope.mode != "negated" and self.is_corrected(at):
            self.outcome.corrected.append(at)
            self.add(at, "maybe", -1)
        elif head >= 0:
            self.mention_before(at, head)
        elif "free" in item.kinds | self.kinds_at(at + 1):
            self.leave_out(at)
        elif self.scope.mode == "stated" and not self.is_dish(at):
            self.add_named(at)
            self.scope.gap, self.scope.has_cause = 0, True
        elif self.scope.mode == "request":
            self.ask(at)
        elif self.scope.mode == "negated" and self.is_next_field(at):
            self.add(at, "stated", -1)
        elif self.scope.mode == "negated" and is_led_behind_name(self.items, at):
            self.add(at, "maybe", -1)
        else:
            self.mention_apart(at)

    def mention_apart(self, at: int) -> None:
        """A food that no word for an allergy and no request speaks of."""
        if self.is_left_out(at):
            self.leave_out(at)
        elif self.is_allowed_perhaps(at):
            self.add(at, "maybe", -1)
        elif self.scope.mode == "none" or self.is_of_another(at):
            self.outcome.bare.append(at)
        elif self.scope.mode == "talk":
            self.outcome.talk.append(at)
        elif self.scope.mode == "negated":
            self.outcome.denied.append(at)

    def is_of_another(self, at: int) -> bool:
        """“no allergies, Tom has milk”, “3 x no allergies, 1 x nuts”"""
        is_apart = any(item.word in ",;" for item in self.items[self.scope.group + 1 : at])
        is_own = is_behind_name(self.items, at) or is_counted_apart(self.items, at)
        return self.scope.mode == "negated" and is_apart and is_own

    def is_allowed_perhaps(self, at: int) -> bool:
        """“not sure whether my son can eat shrimp”"""
        kinds = [item.kinds for item in self.items[max(0, at - 6) : at]]
        doubts = [n for n, found in enumerate(kinds) if "doubt" in found]
        return bool(doubts) and any("ok" in found for found in kinds[doubts[0] :])

    def is_left_out(self, at: int) -> bool:
        is_refused = self.scope.mode == "none" and self.is_refused_after(at)
        return is_refused or self.is_before_free(at) or is_answered_no(self.items, at)

    def add_named(self, at: int) -> None:
        if "trouble" in self.kinds_at(self.scope.group):
            self.add(at, "maybe", -1)
        else:
            is_hint = self.scope.is_maybe or self.is_example(at) or self.is_after_plant(at)
            self.add(at, "maybe" if is_hint else "stated", self.scope.group)

    def is_example(self, at: int) -> bool:
        """“sulphites (wine)”: where the cause is found"""
        before = self.outcome.found[-1].code if self.outcome.found else ""
        is_bracket = self.word_at(at - 1) == "(" and at - 2 == self.scope.group
        is_dinner = is_bracket and self.is_dish_of(at, before)
        return is_dinner or (before in FOUND_IN and self.word_at(at - 1) in ("(", ":"))

    def ask(self, at: int) -> None:
        if self.scope.is_care:
            self.add(at, "maybe", -1)
        else:
            self.leave_out(at)
        self.scope.gap = 0

    def leave_out(self, at: int) -> None:
        self.outcome.left_out.append(at)
        self.add(at, "maybe", -1)

    def mention_before(self, at: int, head: int) -> None:
        if self.denials.is_denied(head):
            self.outcome.denied_before.append(at)
        elif "trouble" in self.items[head].kinds:
            self.add(at, "maybe", -1)
        else:
            is_hint = self.denials.is_in_question(head) and not self.is_of_named(head)
            self.add(at, "maybe" if is_hint else "stated", head)

    def add_cause(self, at: int) -> None:
        is_denied = self.denials.is_denied_before(at) and not self.denials.spares_somebody(at)
        if is_denied or is_answered_no(self.items, at):
            return
        self.add(at, "maybe" if self.denials.is_in_question(at) else "stated", at)
        self.scope = SentenceScope("stated", group=at, has_cause=True)

    def add(self, at: int, certainty: Certainty, group: int) -> None:
        item = self.items[at]
        people = people_of(self.items, at, is_diet=False)
        if people is None and group >= 0:
            people = people_of(self.items, group, is_diet=False)
        is_over = certainty == "maybe" and is_cancelled(self.denials, group)
        for code, is_sure in item.entry.allergens.items():
            found = AllergenFinding(code, certainty if is_sure else "maybe", (item.start, item.end))
            found.people, found.is_sure, found.is_cancelled = people, is_sure, is_over
            self.outcome.found.append(found)
            self.outcome.groups.append((at, group))
        self.close_head(group)

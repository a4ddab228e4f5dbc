"""Allergies, intolerances and diets that a free-text note states or hints at."""

import re
from dataclasses import replace

from customers.allergies import diets, gravity
from customers.allergies.findings import (
    AllergenFinding,
    Certainty,
    DietFinding,
    NoteReading,
    merged,
)
from customers.allergies.folding import in_plain_width
from customers.allergies.items import Item, Sentence, sentences
from customers.allergies.lexicon import small_words
from customers.allergies.people import people_of
from customers.allergies.rules.answers import asks_only, is_no_at_once, is_only
from customers.allergies.rules.bare_foods import (
    clause,
    danger,
    hints_of,
    is_not_fine,
    may_stand_alone,
    read_bare,
)
from customers.allergies.rules.denials.foods import foods_after_denials, is_beside
from customers.allergies.rules.denials.sentence import past_illnesses
from customers.allergies.rules.denials.unsure import foods_unsure
from customers.allergies.rules.forms import (
    begins_form,
    is_grave_heading,
    scope_below,
    without_denied_fields,
)
from customers.allergies.rules.other_scripts import allergies_in, diets_in
from customers.allergies.rules.outcome import SentenceOutcome, SentenceScope, connects, is_name
from customers.allergies.rules.questions import with_answers
from customers.allergies.rules.reader import SentenceReader
from customers.allergies.rules.sentences_before import (
    MOST_OF_ANSWER,
    is_list,
    last_list,
    name_from_before,
    name_gravity,
    scope_from,
)
from customers.allergies.rules.silent.idioms import without_idioms
from customers.allergies.rules.silent.manners import foods_named_for_a_reason
from customers.allergies.rules.silent.telling import is_of_others, may_tell, tells_nothing
from customers.allergies.rules.unnamed import conditions, unnamed_needs
from customers.allergies.rules.unread import unread_causes

LACTOSE = re.compile("la[ck]t", re.IGNORECASE)
MOST_BETWEEN = 2  # sentences that may stand before “It is very serious.”
NEAR = 50  # sentences between a word of gravity and what it may speak of
NOT_HINTING = frozenset({"love", "want", "dislike", "ok", "allowed", "past", "except", "harmless"})


class NoteReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.sentences = without_denied_fields(with_answers(without_idioms(text, sentences(text))))
        self.outcomes: list[SentenceOutcome] = []
        self.diets: list[DietFinding] = []
        self.hints: list[AllergenFinding] = []
        self.latest: list[AllergenFinding] = []  # of the diets of the sentence before
        self.lonely = False

    def read(self) -> NoteReading:
        if not any(map(may_tell, self.sentences)):
            return NoteReading(merged([*allergies_in(self.text)]), merged([*diets_in(self.text)]))
        for at, sentence in enumerate(self.sentences):
            self.read_sentence(at, sentence)
        self.deny_answered()
        self.hints += unread_causes(self.text, self.sentences, self.outcomes)
        self.weigh()
        self.add_unnamed()
        self.add_others()
        self.hints += allergies_in(self.text)
        self.diets += diets_in(self.text)
        self.hints += conditions(self.sentences, "condition")
        found = [each for outcome in self.outcomes for each in outcome.found]
        if not (found or self.hints or self.diets):
            self.hints += conditions(self.sentences, "illness")
            self.hints += unnamed_needs(self.sentences)
            apart = foods_after_denials(self.sentences, self.outcomes)
            self.hints += [hint for item in apart for hint in hints_of(item)]
            self.add_lone_foods()
            unsure = [] if self.hints else foods_unsure(self.sentences, self.outcomes)
            unsure = [*unsure, *foods_named_for_a_reason(self.text, self.sentences, self.outcomes)]
            self.hints += [hint for item in unsure for hint in hints_of(item)]
            self.add_others()
        self.hints += [hint for item in past_illnesses(self.sentences) for hint in hints_of(item)]
        return NoteReading(merged(found + self.hints), merged(self.diets))

    def read_sentence(self, at: int, sentence: Sentence) -> None:
        before = self.place_before(at)
        is_open = at > 0 and bool(self.outcomes[before].open_heads)
        scope = self.scope_of(sentence, before) if at else None
        outcome = SentenceReader(sentence, scope).read()
        outcome.is_form = begins_form(sentence) or bool(scope and scope.is_form)
        outcome.is_form |= is_open and bool(scope) and self.sentences[before].is_affirmed
        is_below = bool(scope and scope.is_form)
        outcome.is_grave_form = is_grave_heading(sentence) or (
            is_below and self.outcomes[before].is_grave_form
        )
        outcome.is_grave_form |= is_open and outcome.is_form and self.calls_grave(before)
        self.outcomes.append(outcome)
        if is_open and scope:
            self.call_list_grave(before, at)
        elif scope and scope.is_form:
            self.call_line_grave(at)
        name_from_before(self.sentences[: at + 1], self.outcomes)
        found, hints = diets.diets_of(sentence)
        by_food = list(diets.diets_by_food(sentence, outcome.left_out))
        found += by_food
        hints += [hint for diet in by_food for hint in diets.hints_of_diet(diet)]
        is_answer = len(sentence.items) <= MOST_OF_ANSWER and not is_of_others(sentence)
        self.explain_diets(outcome, hints or (self.latest if is_answer else []))
        self.latest = hints
        forbid_listed(sentence, outcome, found, hints)
        self.diets += found
        self.hints += hints
        is_bare = bool(outcome.bare or outcome.talk)
        is_alone = is_bare and (self.is_list_only() or names_persons(sentence))
        if is_bare or outcome.found:
            read_bare(sentence, outcome, is_alone=is_alone)
        add_implied(sentence, outcome, self.diets)

    def scope_of(self, sentence: Sentence, before: int) -> SentenceScope | None:
        earlier, outcome = self.sentences[before], self.outcomes[before]
        below = scope_below(sentence, earlier, outcome)
        return below or scope_from(sentence, earlier, outcome)

    def call_line_grave(self, at: int) -> None:
        """“Severe allergies:”, “Milk”, “Nuts”"""
        is_mild = any("mild" in item.kinds for item in self.sentences[at].items)
        if self.outcomes[at].is_grave_form and not is_mild:
            for found in self.outcomes[at].found:
                found.is_severe |= found.certainty == "stated"

    def place_before(self, at: int) -> int:
        """Of the sentence that a list goes on: “Allergies: yes. 4 people. Nuts.”"""
        place, is_grave = at - 1, True
        while place > max(0, at - 4) and tells_nothing(self.sentences[place]):
            is_grave &= gravity.is_gravity_only(self.sentences[place].items)
            place -= 1
        is_open = place >= 0 and bool(self.outcomes[place].open_heads)
        return place if is_open and (is_grave or self.sentences[place].is_affirmed) else at - 1

    def call_list_grave(self, before: int, at: int) -> None:
        """“Severe allergies: yes. Nuts.”, “Allergies. Life threatening. Nuts.”"""
        if any(self.calls_grave(place) for place in range(before, at)):
            for found in self.outcomes[at].found:
                found.is_severe |= found.certainty == "stated"

    def calls_grave(self, at: int) -> bool:
        kinds = {kind for item in self.sentences[at].items for kind in item.kinds}
        is_taken_back = bool(kinds & {"mild", "no", "past"}) or self.is_denied_by_next(at)
        return "severe" in kinds and not is_taken_back

    def explain_diets(self, outcome: SentenceOutcome, hints: list[AllergenFinding]) -> None:
        """“no dairy, he is allergic”, “Lactose-free? She is intolerant”: the diet says of what."""
        if not hints or outcome.found or not outcome.open_heads:
            return
        outcome.open_heads.clear()
        for hint in hints:
            names_lactose = bool(LACTOSE.search(self.text[slice(*hint.span)]))
            if hint.code == "gluten" or names_lactose == (hint.code == "lactose"):
                hint.certainty = "stated"

    def deny_answered(self) -> None:
        """“Allergies? None.”"""
        for at, sentence in enumerate(self.sentences[1:]):
            is_answer = self.sentences[at].is_question and is_no_at_once(sentence.items)
            is_field = is_heading(self.sentences[at]) and is_only(sentence.items, "no")
            if is_answer or is_field:
                self.outcomes[at].open_heads.clear()
                weaken_answered(self.outcomes[at], sentence)
                is_no = is_only(sentence.items, "no") and asks_only(self.sentences[at].items)
                if is_no and not (sentence.is_loud and self.outcomes[at].bare):  # “Celery? No!”
                    self.answer_no(self.sentences[at], self.outcomes[at])
                elif not any(item.kinds & {"allergy", "intolerance"} for item in sentence.items):
                    self.ask_refused(self.sentences[at], self.outcomes[at])

    def answer_no(self, question: Sentence, outcome: SentenceOutcome) -> None:
        """“Coeliac? No.”, “Are you vegan? No.” say that nobody is."""
        first, last = question.items[0].start, question.items[-1].end
        self.diets = [one for one in self.diets if not first <= one.span[0] < last]
        self.hints = [one for one in self.hints if not first <= one.span[0] < last]
        for found in (outcome.found, outcome.groups, outcome.bare, outcome.talk):
            found.clear()

    def ask_refused(self, question: Sentence, outcome: SentenceOutcome) -> None:
        """“Can you eat nuts? No.”, “Kiwi?? NO she'd die”"""
        for at in outcome.bare + outcome.talk:
            self.hints += hints_of(question.items[at])

    def add_others(self) -> None:
        """A note that tells of an allergy or diet names its other foods for a reason, perhaps."""
        is_telling = self.hints or self.diets or any(o.found or o.open_heads for o in self.outcomes)
        if not is_telling:
            return
        is_open = any(outcome.open_heads for outcome in self.outcomes)
        for at, (sentence, outcome) in enumerate(zip(self.sentences, self.outcomes, strict=True)):
            quiet = NOT_HINTING - {"want", "ok"} if is_open else NOT_HINTING
            if outcome.open_heads or self.is_turned_by_next(at):  # “loves fish, sadly allergic”
                quiet = frozenset({"harmless"})
            beside = [food for food in outcome.denied if is_beside(sentence.items, food)]
            for food in outcome.bare + outcome.talk + beside:
                near = clause(sentence.items, food)
                near = [item for item in near if item.word not in small_words("with")]
                if not any(item.kinds & quiet for item in near) or is_not_fine(near):
                    self.hints += hints_of(sentence.items[food])

    def is_turned_by_next(self, at: int) -> bool:
        """“We love prawns! But my wife is allergic”"""
        behind = self.sentences[at + 1].items[:1] if at + 1 < len(self.sentences) else []
        is_open = bool(behind) and bool(self.outcomes[at + 1].open_heads)
        return is_open and "but" in behind[0].kinds

    def is_list_only(self) -> bool:
        return all(is_list(sentence) for sentence in self.sentences)

    def weigh(self) -> None:
        for at, outcome in enumerate(self.outcomes):
            if not any("severe" in item.kinds for item in self.sentences[at].items):
                continue
            is_alone = gravity.is_gravity_only(self.sentences[at].items)
            if is_alone and self.is_denied_by_next(at):
                continue
            is_only = is_alone and not outcome.open_heads
            if is_only:
                end = self.end_before_gravity(at)
                name_gravity([*self.sentences[:end], self.sentences[at]], self.outcomes)
            if not gravity.bind(self.sentences[at].items, outcome):
                self.call_grave(self.foods_before(at) if is_only and not self.has_causes() else [])
                continue
            near = reversed(self.outcomes[max(0, at - NEAR) : at])
            other = next(
                (o for o in (*near, *self.outcomes[at + 1 : at + NEAR]) if o.found),
                None,
            )
            self.lonely |= other is None
            self.call_grave(other.found if other else self.foods_before(at))

    def end_before_gravity(self, at: int) -> int:
        """Behind the sentence that is grave: “Nut allergy. She is four. It is very serious.”"""
        end = at
        while end > max(1, at - MOST_BETWEEN) and self.is_silent(end - 1):
            end -= 1
        is_mild = any("mild" in item.kinds for item in self.sentences[end - 1].items)
        return at if is_mild else end

    def is_silent(self, at: int) -> bool:
        outcome = self.outcomes[at]
        about = small_words("pronouns") | small_words("having")
        is_of_person = any(item.word in about for item in self.sentences[at].items)
        return is_of_person and tells_nothing(self.sentences[at]) and not outcome.found

    def is_denied_by_next(self, at: int) -> bool:
        """“Severe? No.”"""
        answer = self.sentences[at + 1].items if at + 1 < len(self.sentences) else []
        return self.sentences[at].is_question and is_only(answer, "no")

    def is_grave_behind(self, at: int) -> bool:
        """“Allergies: yes. Severe.”"""
        behind = self.sentences[at + 1].items if at + 1 < len(self.sentences) else []
        return gravity.is_gravity_only(behind) and not self.is_denied_by_next(at + 1)

    def has_causes(self) -> bool:
        return any(outcome.found for outcome in self.outcomes)

    def call_grave(self, findings: list[AllergenFinding]) -> None:
        for found in findings:
            found.is_severe = True
            found.state()

    def foods_before(self, at: int) -> list[AllergenFinding]:
        """“Nuts!! He was in an ambulance”: the foods of the sentence before, perhaps.

        Surely, where the sentence says nothing else: “Peanuts! Dangerous for my son.”
        """
        if not at:
            return []
        is_sure = gravity.is_gravity_only(self.sentences[at].items)
        items, foods = self.sentences[at - 1].items, self.outcomes[at - 1].bare
        found = [hint for place in last_list(items, foods) for hint in hints_of(items[place])]
        self.hints += [replace(hint, is_sure=is_sure and hint.is_sure) for hint in found]
        return self.hints[len(self.hints) - len(found) :]

    def add_unnamed(self) -> None:
        if self.has_causes():
            return
        for at, outcome in enumerate(self.outcomes):
            items = self.sentences[at].items
            for head in outcome.open_heads:
                if "symptom" in items[head].kinds:
                    continue
                is_sure = head not in outcome.unsure_heads and not outcome.bare
                self.hints.append(unnamed(items, head, is_sure=is_sure))
                self.hints[-1].is_severe |= self.is_grave_behind(at) or self.lonely
        if self.lonely and not self.hints:
            self.hints += [danger_only(sentence) for sentence in self.sentences if danger(sentence)]

    def add_lone_foods(self) -> None:
        """“Table by the window. Peanuts!”"""
        for sentence, outcome in zip(self.sentences, self.outcomes, strict=True):
            foods = [sentence.items[at] for at in outcome.bare if may_stand_alone(sentence, at)]
            self.hints += [hint for food in foods for hint in hints_of(food)]


def is_heading(sentence: Sentence) -> bool:
    """“Allergies”, “None” of a form without question marks"""
    is_of_all = not any(item.entry.allergens for item in sentence.items)
    return is_of_all and not sentence.is_affirmed and asks_only(sentence.items)


def weaken_answered(outcome: SentenceOutcome, answer: Sentence) -> None:
    """“Nut allergy? No, that was a mistake.” is a hint; “No, peanuts!” says nothing of it."""
    if any("allergen" in item.kinds for item in answer.items):
        return
    for found in outcome.found:
        found.certainty = "maybe"


def forbid_listed(
    sentence: Sentence,
    outcome: SentenceOutcome,
    found: list[DietFinding],
    hints: list[AllergenFinding],
) -> None:
    """“mag geen gluten en geen lactose”: the second is no more allowed than the first."""
    ends = {sentence.items[at].end for at in forbidden(sentence, outcome)}
    places = {item.start: at for at, item in enumerate(sentence.items)}
    for diet in (one for one in found if one.certainty == "stated"):
        at = places.get(diet.span[0], 0)
        before = at - 1
        while before > 0 and connects(sentence.items[before]):
            before -= 1
        if at and sentence.items[before].end in ends:
            for hint in hints:
                if hint.span == diet.span and hint.code + "_free" == diet.code:
                    diet.certainty = "maybe"
                    hint.state()


def forbidden(sentence: Sentence, outcome: SentenceOutcome) -> list[int]:
    """Foods of “can't eat …”"""
    return [at for at, head in outcome.groups if head >= 0 and head != at
            and "cannot" in sentence.items[head].kinds]  # fmt: skip


def unnamed(items: list[Item], head: int, *, is_sure: bool) -> AllergenFinding:
    item = items[head]
    is_severe = any(
        "severe" in near.kinds and "mild" not in near.kinds
        for near in items[max(0, head - 4) : head + 8]
    )
    people = people_of(items, head, is_diet=False)
    return AllergenFinding(
        "unspecified",
        "stated" if is_sure else "maybe",
        (item.start, item.end),
        is_severe,
        people,
    )


def danger_only(sentence: Sentence) -> AllergenFinding:
    """“my pens” alone may be any pens."""
    item = danger(sentence) or sentence.items[0]
    is_sure = "pen" not in item.kinds or item.word not in small_words("my")
    sure: Certainty = "stated" if is_sure else "maybe"
    return AllergenFinding("unspecified", sure, (item.start, item.end), is_severe=is_sure)


def names_persons(sentence: Sentence) -> bool:
    """“Wife: nuts, son: milk”"""
    items = sentence.items
    return is_list(sentence) and any(
        "person" in item.kinds and is_name(items, at) for at, item in enumerate(items)
    )


def add_implied(sentence: Sentence, outcome: SentenceOutcome, known: list[DietFinding]) -> None:
    """Who can't have gluten needs a gluten-free meal: a weak hint, the note did not say so."""
    for found, (at, _head) in zip(outcome.found, outcome.groups, strict=True):
        item = sentence.items[at]
        is_named = "cause" in item.kinds or diets.is_named(item, found.code)
        diet = diets.FREE_OF.get(found.code) if is_named else diets.sugar_free(item)
        if diet:
            known.append(DietFinding(diet, "maybe", (item.start, item.end), found.people))


def read_note(text: str, locale: str | None = None) -> NoteReading:
    """Read one note. All languages apply, as hosts mix them; an empty reading is never “safe”."""
    text = in_plain_width(text)
    return NoteReader(text).read() if text and not text.isspace() else NoteReading()

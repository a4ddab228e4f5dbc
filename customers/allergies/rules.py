"""Which mentions of one sentence are an allergy, which a weak hint, and which are only talk."""

from dataclasses import dataclass, field

from customers.allergies.findings import AllergenFinding, Certainty
from customers.allergies.items import Item, Sentence
from customers.allergies.people import people_of

HEADS = frozenset({"allergy", "intolerance", "cannot"})
TALK = frozenset({"love", "want", "dislike"})
CONNECT = frozenset(
    {"link", "severe", "mild", "emphasis", "number", "article", "of", "emoji", "people"}
)
LIST_SIGNS = frozenset(",;&+-–():•*[]=|")
REASONS = frozenset((
    "due", "because", "wegen", "vanwege", "cause", "causa", "motivo", "por", "reason",
    "reasons", "ivm", "car", "perche", "porque", "omdat", "weil", "vw", "wegens",
))  # fmt: skip
MENU_WORDS = ("allergen", "alergen")  # “allergen menu please” is no allergy yet
WITHOUT = frozenset((
    "no", "without", "sans", "sin", "senza", "niente", "ohne", "kein", "keine", "sem", "zonder",
    "geen",
))  # fmt: skip
WITH = frozenset((
    "with", "avec", "con", "mit", "met", "com", "van", "von", "from",
))  # fmt: skip
# “soy alérgica” is Spanish for “I am allergic”, and names no soya.
I_AM = frozenset((
    "alergico", "alergica", "alergicos", "alergicas", "celiaco", "celiaca", "intolerante",
    "muy", "vegano", "vegana", "vegetariano", "vegetariana", "diabetico", "diabetica",
))  # fmt: skip
# “sesame on the bread”: where the food is, not what it is that somebody does not eat.
WHERE = frozenset((
    "in", "on", "sur", "dans", "nel", "nella", "nei", "sul", "im", "op", "sobre",
))  # fmt: skip
REACH = 6  # words between an allergy and its cause
REACH_ON = 2  # words between two causes of one list


@dataclass(slots=True)
class SentenceScope:
    """What the words so far make of the next allergen."""

    mode: str = "none"
    gap: int = 0
    group: int = -1
    has_cause: bool = False
    is_maybe: bool = False


@dataclass(slots=True)
class SentenceOutcome:
    found: list[AllergenFinding] = field(default_factory=list)
    groups: list[tuple[int, int]] = field(default_factory=list)  # item and head of each finding
    bare: list[int] = field(default_factory=list)
    talk: list[int] = field(default_factory=list)
    open_heads: list[int] = field(default_factory=list)
    unsure_heads: set[int] = field(default_factory=set)
    negated: bool = False


def connects(item: Item) -> bool:
    return bool(item.kinds & CONNECT) or item.word in LIST_SIGNS


def ends_clause(item: Item) -> bool:
    return bool(item.kinds & {"sign", "but", "emphasis", "except"} or item.kinds & HEADS)


class SentenceReader:
    def __init__(self, sentence: Sentence, scope: SentenceScope | None = None) -> None:
        self.items = sentence.items
        self.is_question = sentence.is_question
        self.scope = scope or SentenceScope()
        self.outcome = SentenceOutcome()
        self.taken: dict[int, int] = {}
        self.places = {at for at in range(len(self.items)) if self.is_place(at)}
        self.heads = [i for i, item in enumerate(self.items) if item.kinds & HEADS]
        for head in self.heads:
            self.take_list_before(head)

    def is_place(self, at: int) -> bool:
        """“bread” in “no sesame on the bread”"""
        if "allergen" not in self.items[at].kinds or self.items[at].kinds & HEADS:
            return False
        place = at - 1
        while place > 0 and "link" in self.items[place].kinds - {"no"}:
            if self.items[place].word in WHERE:
                break
            place -= 1
        is_after = place > 0 and self.items[place].word in WHERE
        return is_after and "allergen" in self.items[place - 1].kinds

    def read(self) -> SentenceOutcome:
        for at, item in enumerate(self.items):
            self.step(at, item)
        self.explain_requests()
        return self.outcome

    def explain_requests(self) -> None:
        """“no milk for my son, he is allergic”: the request names the cause."""
        for head in tuple(self.outcome.open_heads):
            pairs = zip(self.outcome.found, self.outcome.groups, strict=True)
            requests = [found for found, (at, group) in pairs if group < 0 and at < head]
            for found in requests:
                found.certainty = "stated"
            if requests:
                self.close_head(head)

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

    def is_but(self, at: int) -> bool:
        """French and Portuguese “mais” turns a sentence; after “gegen” it is maize."""
        is_named = self.scope.mode == "stated" and "link" in self.kinds_at(at - 1)
        return "but" in self.items[at].kinds and not is_named

    def is_no_food(self, at: int) -> bool:
        is_verb = self.items[at].word == "soy" and self.word_at(at + 1) in I_AM
        return is_verb or at in self.places or self.is_but(at) or self.is_fine(at)

    def is_fine(self, at: int) -> bool:
        """“allergic to nuts, peanuts ok”: only a later food, after a comma or “but”."""
        before = self.items[at - 1] if at else None
        is_apart = before is not None and (before.word in ",(" or "but" in before.kinds)
        return is_apart and self.scope.has_cause and "ok" in self.kinds_at(at + 1)

    # Allergies before their heads: “peanuts + sesame allergy”, “gegen Nüsse allergisch”.

    def take_list_before(self, head: int) -> None:
        if self.has_own_list(head):
            return
        at, passed = head - 1, 0
        while at >= 0 and passed < 12:
            item = self.items[at]
            if at in self.places or item.word in WHERE or self.is_one_times(at):
                pass
            elif "allergen" in item.kinds and not item.kinds & HEADS:
                self.taken.setdefault(at, head)
            elif not connects(item) or item.kinds & {"people", "number"}:
                return
            at, passed = at - 1, passed + 1

    def is_one_times(self, at: int) -> bool:
        """“1 x shellfish, 1 x dairy allergy”"""
        return "x" in (self.word_at(at), self.word_at(at + 1))

    def has_own_list(self, head: int) -> bool:
        before = self.items[head - 1] if head else None
        if "cannot" in self.items[head].kinds or (before and before.word in ",-:)"):
            return any("allergen" in item.kinds for item in self.items[head + 1 : head + 5])
        return False

    # Heads

    def open_head(self, at: int) -> None:
        item = self.items[at]
        is_denied = self.is_denied(at)
        scope = self.scope = SentenceScope("stated", group=at)
        scope.is_maybe = self.is_in_question(at)
        if is_denied:
            scope.mode = "negated"
            self.outcome.negated = True
        elif "cannot" not in item.kinds or item.kinds & {"allergy", "intolerance"}:
            if not self.is_harmless_before(at):
                self.outcome.open_heads.append(at)
            if "unsure" in item.kinds or scope.is_maybe or item.word.startswith(MENU_WORDS):
                self.outcome.unsure_heads.add(at)
        if scope.mode == "stated":
            scope.has_cause = any(head == at for head in self.taken.values())

    def is_harmless_before(self, at: int) -> bool:
        """“gegen Katzen allergisch”, “cat and dog allergy”"""
        place = at - 1
        while place >= 0 and "link" in self.items[place].kinds:
            place -= 1
        return "harmless" in self.kinds_at(place) and at not in self.taken.values()

    def is_denied(self, at: int) -> bool:
        if "cannot" in self.items[at].kinds and not self.items[at].kinds & {
            "allergy",
            "intolerance",
        }:
            return False
        return self.is_denied_before(at) or self.is_denied_after(at)

    def is_denied_before(self, at: int) -> bool:
        passed = 0
        for place in range(at - 1, max(-1, at - 7), -1):
            item = self.items[place]
            if item.kinds & {"no", "past"} and "number" not in item.kinds:
                return self.denies_list(place, at)
            if item.kinds & HEADS:
                return self.scope.mode == "negated" and passed <= 2
            if item.word in ",:;(" or item.kinds & {"but", "neutral", "except", "diet", "person"}:
                return False
            passed += "allergen" not in item.kinds
            if passed > 4:
                return False
        return False

    def denies_list(self, place: int, at: int) -> bool:
        """“no nut allergy” denies; “no nuts: allergy” asks for care."""
        between = self.items[place + 1 : at]
        return not any(item.word in "-–+" or item.word in REASONS for item in between)

    def is_denied_after(self, at: int) -> bool:
        place = at + 1
        following = self.items[place : place + 5]
        while following and (
            following[0].word in ":-–=(" or following[0].kinds & {"emphasis", "link"}
        ):
            following = following[1:]
            place += 1
        if not following:
            return False
        first = following[0]
        if "past" in first.kinds:
            return True
        if not first.kinds & {"none", "no"}:
            return False
        rest = following[1:4]
        if first.word == "no" and rest and not ends_clause(rest[0]):
            return False
        return not any(item.kinds & {"allergen", "cause"} for item in rest) or "except" in (
            rest[0].kinds if rest else ()
        )

    def is_in_question(self, at: int) -> bool:
        before = self.items[max(0, at - 8) : at]
        if any(item.kinds & {"doubt"} for item in before):
            return True
        near = before + self.items[at + 1 : at + 4]
        if self.is_question and (
            at >= len(self.items) - 2 or any("question" in i.kinds for i in before)
        ):
            return True
        return any("question" in item.kinds for item in near if item.word not in ("hay", "hacen"))

    # Everything that is neither an allergy nor a food

    def move(self, at: int, item: Item) -> None:
        scope, kinds = self.scope, item.kinds
        if scope.mode == "stated":
            self.move_on(at, item)
        elif "except" in kinds and scope.mode == "negated":
            scope.mode, scope.gap, scope.has_cause = "stated", 0, True
        elif "but" in kinds:
            self.turn(at)
        elif kinds & {"no", "care"} or ("diet" in kinds and item.word in WITHOUT):
            scope.mode, scope.gap = "request", 0
        elif "harmless" in kinds and scope.mode == "none":
            self.close_harmless(at)
        elif kinds & TALK or "past" in kinds:
            scope.mode = "talk" if scope.mode != "negated" else "negated"
        elif "word" in kinds:
            self.leave_request()

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
        """“no allergies but nuts” names one; any other turn starts afresh."""
        following = self.items[at + 1 : at + 2]
        is_named = self.scope.mode == "negated" and following and "allergen" in following[0].kinds
        self.scope = (
            SentenceScope("stated", group=self.scope.group) if is_named else SentenceScope()
        )

    def move_on(self, at: int, item: Item) -> None:
        scope, kinds = self.scope, item.kinds
        if "harmless" in kinds and not scope.has_cause:
            self.close_head(scope.group)
            scope.has_cause, scope.gap = True, 1  # “allergic to cats and nuts” names a food too
        elif "except" in kinds and scope.has_cause and "link" not in kinds:
            scope.mode = "excepted"
        elif "no" in kinds and self.is_no_end(at):
            scope.gap = 0
        elif kinds & {"no", "care"}:
            self.scope = SentenceScope("request")
        elif kinds & {"but", "ok"} or self.is_talk(at, item):
            self.scope = SentenceScope("none" if "but" in kinds else "talk")
        elif kinds & {"word", "person", "harmless", "past"}:
            self.count_word(at)

    def is_no_end(self, at: int) -> bool:
        """“non può mangiare niente con il latte”, “can't eat milk nor eggs”"""
        if self.scope.has_cause or "cannot" not in self.kinds_at(self.scope.group):
            return "allergen" in self.kinds_at(at + 1) and self.goes_on(at)
        return bool({"link", "allergen"} & (self.kinds_at(at) | self.kinds_at(at + 1)))

    def goes_on(self, at: int) -> bool:
        """“can't eat milk nor eggs”, “allergies: no nuts” go on; “nut allergy, no fish” not."""
        if not self.scope.has_cause:
            return True
        if "link" in self.kinds_at(at):  # nor, ni, noch
            return True
        is_linked = "link" in self.kinds_at(at - 1)
        return is_linked and "cannot" in self.kinds_at(self.scope.group)

    def is_talk(self, at: int, item: Item) -> bool:
        if "severe" in item.kinds or not item.kinds & TALK:
            return False
        is_next = at - 1 == self.scope.group
        after_head = is_next and ("allergen" in self.kinds_at(at + 1) or item.word in WITH)
        return not after_head and "link" not in item.kinds

    def count_word(self, at: int) -> None:
        scope = self.scope
        scope.gap += 1
        is_named = at - 2 == scope.group and "link" in self.kinds_at(at - 1)
        if not scope.has_cause and is_named:
            self.outcome.unsure_heads.add(scope.group)
        if scope.gap > (REACH_ON if scope.has_cause else REACH):
            self.scope = SentenceScope()

    def word_at(self, at: int) -> str:
        return self.items[at].word if 0 <= at < len(self.items) else ""

    def kinds_at(self, at: int) -> set[str]:
        return self.items[at].kinds if 0 <= at < len(self.items) else set()

    def close_head(self, head: int) -> None:
        if head in self.outcome.open_heads:
            self.outcome.open_heads.remove(head)

    # Foods

    def mention(self, at: int) -> None:
        item = self.items[at]
        head = self.taken.get(at, -1)
        if head >= 0:
            self.mention_before(at, head)
        elif "free" in item.kinds | self.kinds_at(at + 1):
            self.add(at, "maybe", -1)
        elif self.scope.mode == "stated" and not self.is_dish(at):
            self.add(at, "maybe" if self.scope.is_maybe else "stated", self.scope.group)
            self.scope.gap, self.scope.has_cause = 0, True
        elif self.scope.mode == "request":
            self.add(at, "maybe", -1)
            self.scope.gap = 0
        elif self.scope.mode == "none" and self.is_refused_after(at):
            self.add(at, "maybe", -1)
        elif self.scope.mode == "none":
            self.outcome.bare.append(at)
        elif self.scope.mode == "talk":
            self.outcome.talk.append(at)

    def mention_before(self, at: int, head: int) -> None:
        if self.is_denied(head):
            return
        certainty: Certainty = "maybe" if self.is_in_question(head) else "stated"
        self.add(at, certainty, head)

    def is_refused_after(self, at: int) -> bool:
        """“marisco no, …”, “shellfish no (allergy)”"""
        at += 2 if "emphasis" in self.kinds_at(at + 1) else 1
        following = self.items[at + 1 : at + 2]
        is_end = not following or bool(following[0].kinds & {"sign", "link", "but"})
        return is_end and "no" in self.kinds_at(at) and "number" not in self.kinds_at(at)

    def is_dish(self, at: int) -> bool:
        """“fish menu” some words after an allergy is dinner, not its cause."""
        return self.scope.gap > 0 and bool(self.kinds_at(at + 1) & {"want"})

    def add_cause(self, at: int) -> None:
        if self.is_denied_before(at):
            return
        self.add(at, "maybe" if self.is_in_question(at) else "stated", at)
        self.scope = SentenceScope("stated", group=at, has_cause=True)

    def add(self, at: int, certainty: Certainty, group: int) -> None:
        item = self.items[at]
        people = people_of(self.items, at, is_diet=False)
        if people is None and group >= 0:
            people = people_of(self.items, group, is_diet=False)
        for code, is_sure in item.entry.allergens.items():
            sure: Certainty = certainty if is_sure else "maybe"
            found = AllergenFinding(code, sure, (item.start, item.end), people=people)
            self.outcome.found.append(found)
            self.outcome.groups.append((at, group))
        self.close_head(group)

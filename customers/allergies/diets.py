"""Diets of one sentence."""

from customers.allergies.findings import AllergenFinding, Certainty, DietFinding
from customers.allergies.items import Sentence
from customers.allergies.people import people_of

# What a diet or an illness says about the other list, as a weak hint.
ALSO_ALLERGEN = {"gluten_free": "gluten", "lactose_free": "lactose"}
DAIRY = ("dairy", "df", "d", "milch", "melk", "zuivel", "lait", "lact", "latt", "milk", "nondairy")


def diets_of(sentence: Sentence) -> tuple[list[DietFinding], list[AllergenFinding]]:
    diets: list[DietFinding] = []
    hints: list[AllergenFinding] = []
    for at, item in enumerate(sentence.items):
        if "diet" not in item.kinds or is_denied(sentence, at):
            continue
        people, span = people_of(sentence.items, at, is_diet=True), (item.start, item.end)
        for code in item.entry.diets:
            diets.append(DietFinding(code, certainty(sentence, at), span, people))
            if code in ALSO_ALLERGEN:
                hints.append(AllergenFinding(ALSO_ALLERGEN[code], "maybe", span, people=people))
            if code == "lactose_free":
                hints.append(AllergenFinding("milk", "maybe", span, people=people))
    return diets, hints


def is_denied(sentence: Sentence, at: int) -> bool:
    for item in reversed(sentence.items[max(0, at - 4) : at]):
        if item.word in ",:;(" or item.kinds & {
            "but",
            "allergen",
            "diet",
            "allergy",
            "neutral",
            "except",
        }:
            break
        if item.kinds & {"no", "past"} and "number" not in item.kinds:
            return True
    return any("past" in item.kinds for item in sentence.items[at + 1 : at + 3])


def certainty(sentence: Sentence, at: int) -> Certainty:
    before = sentence.items[max(0, at - 7) : at]
    near = before + sentence.items[at + 1 : at + 3]
    is_in_question = any(item.kinds & {"question", "doubt"} for item in near)
    is_liked = any("love" in item.kinds for item in before)
    ends_asking = sentence.is_question and at >= len(sentence.items) - 2
    return "maybe" if is_in_question or is_liked or ends_asking else "stated"

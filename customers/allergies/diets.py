"""Diets of one sentence."""

from customers.allergies.findings import AllergenFinding, Certainty, DietFinding
from customers.allergies.items import Item, Sentence
from customers.allergies.people import people_of

# What a diet or an illness says about the other list, as a weak hint.
ALSO_ALLERGEN = {"gluten_free": "gluten", "lactose_free": "lactose"}
EATS = frozenset(
    ["eats", "eat", "mange", "mangent", "come", "comen", "mangia", "isst", "esse", "eet"]
)
ONLY = frozenset(
    ["only", "just", "seulement", "solo", "nur", "alleen", "wel", "so", "si", "solamente"]
)
DAIRY = ("dairy", "df", "d", "milch", "melk", "zuivel", "lait", "lact", "latt", "milk", "nondairy")


def diets_of(sentence: Sentence) -> tuple[list[DietFinding], list[AllergenFinding]]:
    diets: list[DietFinding] = []
    hints: list[AllergenFinding] = []
    for at, item in enumerate(sentence.items):
        if "diet" not in item.kinds or is_denied(sentence, at):
            continue
        people, span = people_of(sentence.items, at, is_diet=True), (item.start, item.end)
        for code in with_fish(sentence, at, item.entry.diets):
            diets.append(DietFinding(code, certainty(sentence, at), span, people))
            if code in ALSO_ALLERGEN:
                hints.append(AllergenFinding(ALSO_ALLERGEN[code], "maybe", span, people=people))
            if code == "lactose_free":
                hints.append(AllergenFinding("milk", "maybe", span, people=people))
    return diets, hints


def with_fish(sentence: Sentence, at: int, codes: set[str]) -> set[str]:
    """“no meat, but fish”, “vegetarian, eats fish”, “only fish, she eats no meat”"""
    following = sentence.items[at + 1 : at + 6]
    if "vegetarian" not in codes or any(i.kinds & {"no", "cannot", "allergy"} for i in following):
        return codes
    before = sentence.items[max(0, at - 6) : at]
    eats_fish = eaten(following) or (eaten(before) and any(i.word in ONLY for i in before))
    return {"pescatarian"} if eats_fish else codes


def eaten(items: list[Item]) -> bool:
    """Whether fish follows a word that allows it."""
    place = next((n for n, item in enumerate(items) if "fish" in item.entry.allergens), 0)
    return any(i.kinds & {"but", "ok", "except"} or i.word in EATS | ONLY for i in items[:place])


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

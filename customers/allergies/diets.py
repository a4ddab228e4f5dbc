"""Diets of one sentence."""

from collections.abc import Iterator
from itertools import pairwise, takewhile

from customers.allergies.findings import AllergenFinding, Certainty, DietFinding
from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.people import counted, is_measure, people_of
from customers.allergies.rules.answers import is_answer_before, is_answered_no, is_more
from customers.allergies.rules.denials.words import BREAKS, is_about_other
from customers.allergies.rules.outcome import asks, ends_clause
from customers.allergies.rules.words_around import NOT

# What a diet or an illness says about the other list, as a weak hint.
ALSO_ALLERGEN = {"gluten_free": ("gluten",), "lactose_free": ("lactose", "milk")}
FISH, SHELLFISH = frozenset({"fish"}), frozenset({"crustaceans", "molluscs"})
FREE_OF = {"gluten": "gluten_free", "lactose": "lactose_free"}
SUGARS = ("sugar", "sucre", "azucar", "zuccher", "zucker", "acucar", "suiker")
EATS = frozenset(
    ["eats", "eat", "mange", "mangent", "manger", "come", "comen", "comer"]
    + ["mangia", "mangiare", "isst", "esse", "essen", "eet", "eten"]
)
APART = frozenset({"but", "allergen", "diet", "allergy", "intolerance", "neutral", "except"})
ALLOWING = frozenset({"but", "ok", "except"})
EATEN = frozenset({"ok"})
CALLING_OFF = frozenset({"ignore", "refused"})
OVER = frozenset({"cured", "past"})  # “no longer needed”, not “no longer”
NEXT = frozenset({"but", "except", "allergen", "diet", "allergy", "intolerance", "person"})
MOST_BEFORE = 5  # items of “anulad lo del menú”
MOST_BEHIND = 8  # items of “glutenfreies Menü wird nun doch nicht gebraucht”
SEPARATORS = frozenset(",;|/")  # “wine lover, vegan”
ONLY = frozenset(
    ["only", "just", "seulement", "solo", "nur", "alleen", "wel", "so", "si", "solamente"]
)
DAIRY = (
    "dairy",
    "diary",
    "zuivel",
    "lait",
    "produits",
    "lact",
    "latt",
    "milchprodukt",
    "productos",
    "laticinios",
    "leche",
    "leite",
    "melk",
    "milch",
    "milk",
)


def diets_of(sentence: Sentence) -> tuple[list[DietFinding], list[AllergenFinding]]:
    diets: list[DietFinding] = []
    hints: list[AllergenFinding] = []
    for at, item in enumerate(sentence.items):
        if (
            "diet" not in item.kinds
            or is_denied(sentence, at)
            or is_answered_no(sentence.items, at)
            or expects_guests(sentence.items, at)
            or is_vegetables(sentence.items, at)
            or is_beside_its_word(sentence.items, at)
        ):
            continue
        people, span = people_with(sentence.items, at), (item.start, item.end)
        for code, is_sure in with_fish(sentence, at, item.entry.diets).items():
            is_clear = is_sure and not is_half_denied(sentence, at)
            sure: Certainty = certainty(sentence, at) if is_clear else "maybe"
            diets.append(DietFinding(code, sure, span, people))
            hints += hints_of_diet(diets[-1])
        hints += hints_of_words(item)
    return diets, hints


def expects_guests(items: list[Item], at: int) -> bool:
    """“we are expecting 8”, “she is expecting a few more guests”, not “expecting in 2 months”"""
    if items[at].word not in small_words("expecting"):
        return False
    following = list(takewhile(lambda item: not ends_clause(item), items[at + 1 : at + 5]))
    is_count = any(item.number and not is_measure(items, at + 1) for item in following[:1])
    return is_count or any("people" in item.kinds for item in following)


def is_vegetables(items: list[Item], at: int) -> bool:
    """“eats fish & veg”, “meat and veg”"""
    is_joined = at > 1 and items[at - 1].word in (*small_words("joins"), "&", "+")
    return items[at].word == "veg" and is_joined and bool(items[at - 2].entry.allergens)


def is_beside_its_word(items: list[Item], at: int) -> bool:
    """“vegan 🌱 x 3”, “3 🌱 vegan”: the sign is no second diet"""
    sign, neighbours = items[at], [*items[max(0, at - 1) : at], *items[at + 1 : at + 2]]
    return any(
        one.entry.diets
        and one.entry.diets < sign.entry.diets
        and max(one.start - sign.end, sign.start - one.end) <= 1
        for one in neighbours
    )


def people_with(items: list[Item], at: int) -> int | None:
    """Those of the word, or of the sign beside it."""
    beside = (each for each in (at + 1, at - 1) if 0 <= each < len(items))
    signs = (each for each in beside if is_beside_its_word(items, each))
    return next(filter(None, (people_at(items, each) for each in (at, *signs))), None)


def people_at(items: list[Item], at: int) -> int | None:
    """“3 V” and “3 x V” are a diet with their number only."""
    own = items[at].word
    if own == TIMES:
        return counted(items[at - 1]) if at else None
    return int(own) if own.isdecimal() else people_of(items, at, is_diet=True)


def hints_of_words(item: Item) -> list[AllergenFinding]:
    """“eats no meat”, “no sugar”, “sin carne ni pescado”: a diet whose words leave a food out."""
    if not item.entry.leaves_out:
        return []
    return [
        AllergenFinding(code, "maybe", (item.start, item.end)) for code in item.entry.leaves_out
    ]


def hints_of_diet(diet: DietFinding) -> list[AllergenFinding]:
    return [
        AllergenFinding(code, "maybe", diet.span, people=diet.people)
        for code in ALSO_ALLERGEN.get(diet.code, ())
    ]


def diets_by_food(sentence: Sentence, left_out: list[int]) -> Iterator[DietFinding]:
    """“sans gluten ni lactose”, “nut and gluten free”: what is left out names the diet."""
    for at in left_out:
        item = sentence.items[at]
        if is_allowed(sentence.items, at) and not sentence.is_question:
            continue
        people, span = people_of(sentence.items, at, is_diet=True), (item.start, item.end)
        for diet, is_sure in named_by(sentence, at):
            sure: Certainty = certainty(sentence, at) if is_sure else "maybe"
            yield DietFinding(diet, sure, span, people)


def is_allowed(items: list[Item], at: int) -> bool:
    """“gluten no, lactose ok”: the denial is of the food before it."""
    following = [item for item in items[at + 1 : at + 4] if "emphasis" not in item.kinds][:2]
    is_list = at > 0 and items[at - 1].word in ",;"
    is_end = len(following) == 1 or (len(following) == 2 and following[1].word in ",;")
    return is_list and is_end and bool(following[0].kinds & ALLOWING)


def named_by(sentence: Sentence, at: int) -> Iterator[tuple[str, bool]]:
    """The diets of one food that is left out, and whether that names them surely."""
    item = sentence.items[at]
    if "salt" in item.kinds:
        yield "low_salt", True
    for code in item.entry.allergens:
        if is_named(item, code):
            yield FREE_OF[code], True
        elif code == "sugar":
            yield "diabetic", False
        elif code == "milk" and item.word.startswith(DAIRY):
            yield "lactose_free", False
        elif code == "meat":
            yield from meatless(sentence, at)


def meatless(sentence: Sentence, at: int) -> Iterator[tuple[str, bool]]:
    item, before = sentence.items[at], sentence.items[max(0, at - 1)]
    if eaten(sentence.items, EATEN):
        yield "pescatarian", True
    elif item.end - item.start == len(item.word) and before.kinds & {"no", "except"}:
        # “no red meat”, “no raw meat” are no diets
        yield "vegetarian", False


def is_named(item: Item, code: str) -> bool:
    """“no gluten” is a diet; “no bread” is not."""
    return code == "gluten" and item.word.startswith("glut") or code == "lactose"


def sugar_free(item: Item) -> str | None:
    """“can't have sugar”; fructose is another matter."""
    return "diabetic" if item.word.startswith(SUGARS) else None


def with_fish(sentence: Sentence, at: int, codes: set[str]) -> dict[str, bool]:
    """“no meat, but fish”, “vegetarian, eats fish”, “only fish, she eats no meat”; what is sure."""
    following = sentence.items[at + 1 : at + 8]
    sure = dict.fromkeys(sorted(codes), True)
    if "vegetarian" not in codes or any(i.kinds & {"no", "cannot", "allergy"} for i in following):
        return sure
    before = sentence.items[max(0, at - 6) : at]
    if eaten(following) or (eaten(before) and any(i.word in ONLY for i in before)):
        return sure | {"pescatarian": True, "vegetarian": False}
    if eaten(following, codes=SHELLFISH):
        return sure | {"pescatarian": False}
    return sure


def eaten(
    items: list[Item], kinds: frozenset[str] = ALLOWING, codes: frozenset[str] = FISH
) -> bool:
    """Whether fish stands beside a word that allows it: “but fish”, “fish is ok”."""
    places = [n for n, item in enumerate(items) if codes & item.entry.allergens.keys()]
    place = places[0] if places else 0
    before, after = items[max(0, place - 5) : place], items[place + 1 : place + 3]
    denied = max((n for n, item in enumerate(before) if "no" in item.kinds), default=-1)
    before = before[denied + 1 :]  # “so no raw meat or fish”
    is_ok = bool(places) and any("ok" in item.kinds for item in after)
    return is_ok or any(i.kinds & kinds or i.word in EATS | ONLY for i in before)


def is_denied(sentence: Sentence, at: int) -> bool:
    place = denial_before(sentence.items, at)
    if place >= 0:
        is_other = denies_other(sentence.items, place, at)
        is_cancel = sentence.items[place].word in small_words("cancels")
        is_cancel |= is_not_needed(sentence.items, place, at)
        return not (is_other or is_cancel) and not is_turned(sentence.items[at + 1 :])
    over = [
        n
        for n in past_after(sentence.items, at)
        if not is_not_needed(sentence.items, n, at) and not names_other(sentence.items, at, n)
    ]
    is_over = any(ends_diet(sentence.items, n) for n in over)
    return is_over or is_none_after(sentence.items, at)


def is_half_denied(sentence: Sentence, at: int) -> bool:
    """“no high chair, vegan”, “vegan, was here last year” are about something else.

    What “cancel the vegan meal” is about somebody has to ask.
    """
    place = denial_before(sentence.items, at)
    if place >= 0:
        is_off = cancels(sentence.items, place) or is_not_needed(sentence.items, place, at)
        return is_off or denies_other(sentence.items, place, at)
    return bool(past_after(sentence.items, at))


def is_not_needed(items: list[Item], place: int, at: int) -> bool:
    """“vegan meal no longer needed”, “no longer need the vegan meal”: ask what is over."""
    beside = items[place + 1 : at + 3] if place < at else items[at + 1 : place]
    return items[place].kinds >= OVER and (place > at or is_requested(beside))


def denies_other(items: list[Item], place: int, at: int) -> bool:
    is_vegetable = items[at].word == "veg" and at - place > 1  # “no root veg”
    return not is_vegetable and is_about_other(items[place + 1 : at])


def denial_before(items: list[Item], at: int) -> int:
    """The place of a word that denies, or −1 where none does."""
    for place in range(at - 1, max(-1, at - 5), -1):
        item = items[place]
        if item.word == "soy":  # “ya no soy vegetariano”
            continue
        is_break = item.word in BREAKS or item.word in small_words("thanks")
        if is_break or item.kinds & APART or is_answer_before(items, place, at):
            return -1
        if item.kinds & {"no", "past"} and "number" not in item.kinds:
            return place
    return -1


def past_after(items: list[Item], at: int) -> list[int]:
    """“vegetarian in the past”; “vegetarian for ten years, not any more” ends with it."""
    end = min(at + 7, len(items))
    near = range(at + 1, min(at + 4, len(items)))
    places = [*near, *([end - 1] if end == len(items) else [])]
    ends = [place for place in places if place > at and "past" in items[place].kinds]
    return [place for place in ends if not is_thing_over(items, at, place)]


def names_other(items: list[Item], at: int, place: int) -> bool:
    """“2 vegans, Tom isn't coming any more”; not “vegan for years, she isn't any more”"""
    start = max((n for n in range(at, place) if items[n].word in BREAKS), default=place)
    words = (item.word for item in items[start + 1 : place] if item.kinds & {"word", "person"})
    known = small_words("having") | small_words("pronouns") | small_words("has_been")
    return any(word not in known and len(word) > 1 for word in words)


def is_thing_over(items: list[Item], at: int, place: int) -> bool:
    """“vegan, high chair no longer needed”"""
    is_beside = all(is_beside_request(i) and not is_next(i) for i in items[at + 1 : place])
    return items[place].kinds >= OVER and not is_beside


def ends_diet(items: list[Item], place: int) -> bool:
    """“vegan no longer”, not “vegan, was here last year”"""
    return place + 1 == len(items) or ends_clause(items[place + 1])


def is_none_after(items: list[Item], at: int) -> bool:
    """“Vegetarier sind wir keine”"""
    for place in range(at + 1, min(at + 5, len(items))):
        if is_more(items, place):
            return False
        if items[place].kinds & {"no", "none"}:
            is_end = place + 1 == len(items) or "sign" in items[place + 1].kinds
            return is_end and place > at + 1 and "number" not in items[place].kinds
        if not items[place].kinds & {"word", "person", "emphasis", "link"}:
            return False
    return False


def is_turned(following: list[Item]) -> bool:
    """“we are no vegetarians, but a friend is”, “… ma un'amica sì”"""
    turn = next((n for n, item in enumerate(following) if "but" in item.kinds), len(following))
    rest = following[turn + 1 : turn + 5]
    is_person_only = bool(rest) and all(item.kinds & {"person", "emphasis"} for item in rest)
    return is_person_only or any(item.word in small_words("yes") for item in rest)


def certainty(sentence: Sentence, at: int) -> Certainty:
    if len(sentence.items[at].entry.diets) > 1 or "implied" in sentence.items[at].kinds:
        return "maybe"  # “VG” is vegan here, vegetarian there; “Muslim” implies halal
    before = sentence.items[max(0, at - 7) : at]
    near = before + sentence.items[at + 1 : at + 3]
    behind = range(at + 1, min(at + 4, len(sentence.items)))
    is_over = any(
        "cured" in sentence.items[n].kinds and not is_thing_over(sentence.items, at, n)
        for n in behind
    )
    is_question = sentence.is_question and any("question" in item.kinds for item in before)
    is_questioned = not sentence.is_affirmed and any(asks(item) for item in near)
    is_doubted = is_over or any("doubt" in item.kinds for item in near)
    is_doubted |= is_called_off(sentence.items, at)
    is_in_question = is_question or is_questioned or is_doubted
    same = list(takewhile(lambda item: item.word not in SEPARATORS, reversed(before)))
    is_liked = any("love" in i.kinds and i.word not in small_words("gladly") for i in same)
    ends_asking = sentence.is_question and at >= len(sentence.items) - 2
    return "maybe" if is_in_question or is_liked or ends_asking else "stated"


def is_called_off(items: list[Item], at: int) -> bool:
    """“cancel the vegan meal”, “please remove gluten free request”"""
    start = max(0, at - MOST_BEFORE)
    near = range(at - 1, start - 1, -1)
    places = list(takewhile(lambda n: at - n < 3 or is_beside_request(items[n + 1]), near))
    places = list(takewhile(lambda n: items[n].word not in BREAKS, places))
    is_off = any(items[n].kinds & CALLING_OFF or cancels(items, n) for n in places)
    between = items[min(places, default=at) : at]
    is_next_to = is_off and all(item.kinds & {"article", "link", "of"} for item in between[1:])
    is_off = is_next_to or (is_off and is_requested([*between, *items[at + 1 : at + 3]]))
    return is_off or is_called_off_behind(items, at)


def cancels(items: list[Item], at: int) -> bool:
    """Not in “don't cancel the vegan meal”"""
    is_kept = at > 0 and items[at - 1].word in NOT
    return items[at].word in small_words("cancels") and not is_kept


def is_requested(items: list[Item]) -> bool:
    return any(item.word in small_words("requested") for item in items)


def is_called_off_behind(items: list[Item], at: int) -> bool:
    """“gluten free not needed”, “das vegane Menü stornieren”, “vegan meal - cancelled”"""
    behind = list(takewhile(lambda item: not is_next(item), items[at + 1 : at + MOST_BEHIND]))
    aside = list(takewhile(is_beside_request, behind))  # “vegan high chair not needed”
    for item, following in pairwise(behind[: len(aside) + 2]):
        if is_no(item) and following.word in small_words("needed"):
            return True
    end = at + 1 + len(behind)
    is_over = end == len(items) or "sign" in items[end].kinds
    last = behind[-1].word if behind and is_over else ""
    is_off = last in small_words("cancels") or last in small_words("ended")
    between = behind[:-1]
    is_off = is_off and is_requested([*items[max(0, at - 2) : at], *between])
    return is_off and all(is_beside_request(item) for item in between)


def is_next(item: Item) -> bool:
    return bool(item.kinds & NEXT) or item.word in SEPARATORS


def is_no(item: Item) -> bool:
    return "no" in item.kinds or item.word in NOT


def is_beside_request(item: Item) -> bool:
    """Not in “vegan menu for the boss, table cancelled”"""
    known = ("requested", "has_been", "thanks", "after_all")
    is_small = bool(item.kinds & {"link", "of", "article", "sign", "emphasis"})
    return is_small or any(item.word in small_words(kind) for kind in known)

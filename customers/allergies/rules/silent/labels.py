"""A sentence of nothing but who and a food: “Théo, poisson”, “lady in red: shellfish”."""

from collections.abc import Iterator

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.outcome import HARDLY_ORDERED, LABEL_SIGNS

# Meat and wine beside a name are dinner; fish may be either, and a question harms nobody.
ORDERED_ONLY = frozenset({"meat", "beef", "pork", "lamb", "poultry", "alcohol"})
JOINED = 3  # items of “Max und Ei”
MOST_OF_LABEL = 4  # words of “the lady in red”
IN_LABEL = frozenset(
    {"word", "person", "people", "number", "article", "link", "of", "harmless", "both"}
)
BESIDE = frozenset({"allergen", "link", "of", "article", "emphasis", "severe", "mild", "sign"})
NO_NAMES = ("no_foods", "no_people", "headings", "dishes", "prepared", "parts", "menus", "topics")
PLUS = frozenset("+&")  # “Olivia + eggs”
SIGNS = LABEL_SIGNS | PLUS | set(",|/")


def foods_of_label(text: str, sentences: list[Sentence]) -> Iterator[Item]:
    """A hint, where the note names one person so: “Tom: fish, Ann: steak” are two dinners."""
    found = [foods for sentence in sentences if (foods := foods_behind_label(text, sentence))]
    yield from found[0] if len(found) == 1 else []


def foods_behind_label(text: str, sentence: Sentence) -> list[Item]:
    items = [item for item in sentence.items if item.word != ")"]
    return [] if sentence.is_question else foods_beside_label(text, items)


def is_dish(text: str, before: list[Item], behind: list[Item]) -> bool:
    """“Tea + milk”, “Steak & eggs”, “Fish & Co.”, “Olive & Fig”; “Olivia + eggs” are no dish."""
    is_of_food = any("allergen" in item.kinds or item.word in small_words("dishes")
                     for item in before)  # fmt: skip
    is_name = any(
        text[item.start].isupper() and not item.entry.allergens.keys() <= HARDLY_ORDERED
        for item in behind
    )
    return is_of_food or is_name


def foods_of_joined(text: str, items: list[Item]) -> list[Item]:
    """“Max und Ei”, “Léa et œufs” and nothing else"""
    if len(items) != JOINED or items[1].word not in small_words("joins"):
        return []
    name, _, food = items
    is_rare = "allergen" in food.kinds and food.entry.allergens.keys() <= HARDLY_ORDERED
    is_of_name = is_name(text, name) and name.word not in small_words("dishes")
    return [food] if is_rare and is_of_name else []


def foods_beside_label(text: str, items: list[Item]) -> list[Item]:
    sign = next((at for at, item in enumerate(items) if item.word in SIGNS), 0)
    if not sign:
        return foods_of_joined(text, items)
    before, behind = items[:sign], items[sign + 1 :]
    if items[sign].word in PLUS:
        if is_dish(text, before, behind):
            return []
        if len(before) == 1 and may_be_name(before[0]) and are_rare(behind):
            return [item for item in behind if "allergen" in item.kinds]
    label, foods = before, behind
    if are_foods(before) and items[sign].word not in ",:=":  # “Fish (Mark)”; “Fish, Mark” is a name
        label, foods = behind, before
    if not are_foods(foods) or not is_of_somebody(text, label):
        is_heading = items[sign].word == ":"  # “kitchen note: fish (guest 2)”
        return foods_beside_label(text, behind) if is_heading else []
    named = [item for item in foods if "allergen" in item.kinds]
    return [] if all(item.entry.allergens.keys() <= ORDERED_ONLY for item in named) else named


def may_be_name(item: Item) -> bool:
    """“olivia + eggs”: no word that the lists know; “brunch + eggs” is an order."""
    is_known = any(item.word in small_words(kind) for kind in NO_NAMES)
    return item.kinds == {"word"} and len(item.word) > 1 and item.word.isalpha() and not is_known


def are_rare(items: list[Item]) -> bool:
    foods = [item for item in items if "allergen" in item.kinds]
    return are_foods(items) and all(i.entry.allergens.keys() <= HARDLY_ORDERED for i in foods)


def are_foods(items: list[Item]) -> bool:
    """“fish and milk”; “Hello, fish please” orders it."""
    return all(item.kinds & BESIDE for item in items) and any(
        "allergen" in item.kinds for item in items
    )


def is_of_somebody(text: str, label: list[Item]) -> bool:
    """“Théo”, “Mrs Carter”, “seat 4”, “the lady in red”; not “Dessert” nor “For the table”"""
    if not 0 < len(label) <= MOST_OF_LABEL or not all(item.kinds <= IN_LABEL for item in label):
        return False
    if any(item.kinds & {"person", "both"} or is_titled(item) for item in label):
        return True
    is_seat = label[0].word in small_words("seat_words") and any(item.number for item in label[1:])
    return is_seat or all(is_name(text, item) for item in label)


def is_titled(item: Item) -> bool:
    return item.word in small_words("titles") or item.word in small_words("guests")


def is_name(text: str, item: Item) -> bool:
    """A capital and small letters; “Dessert, nuts” names a course."""
    word = text[item.start : item.end]
    is_capital = word[:1].isupper() and word[1:].islower()
    others = ("no_foods", "no_people", "headings")
    is_other = any(item.word in small_words(kind) for kind in others)
    return is_capital and not is_other and item.kinds == {"word"}

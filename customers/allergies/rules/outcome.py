"""What is known of one sentence while it is read, and what was found in it."""

from dataclasses import dataclass, field

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import Item
from customers.allergies.lexicon import small_words

HEADS = frozenset({"allergy", "intolerance", "cannot"})
CONNECT = frozenset(
    {"link", "severe", "mild", "emphasis", "number", "article", "of", "emoji", "people"}
)
LABEL_SIGNS = frozenset(":=(-–—")  # behind a name or the label of a form
LIST_SIGNS = frozenset(",;&+-–():•*[]=|")
ORDERED = frozenset({"fish", "meat", "beef", "pork", "lamb", "poultry", "molluscs", "alcohol"})
HARDLY_ORDERED = frozenset(
    ["gluten", "eggs", "peanuts", "soybeans", "milk", "nuts", "celery", "mustard", "sesame"]
    + ["lupin", "sulphites", "lactose", "histamine"]
)
FREE_DIETS = frozenset({"gluten_free", "lactose_free"})


@dataclass(slots=True)
class SentenceScope:
    """What the words so far make of the next allergen."""

    mode: str = "none"
    gap: int = 0
    group: int = -1
    has_cause: bool = False
    is_maybe: bool = False
    is_care: bool = False  # “careful with nuts” asks for care, “no nuts” to leave them out
    is_form: bool = False  # a line below “Allergies:”


@dataclass(slots=True)
class SentenceOutcome:
    found: list[AllergenFinding] = field(default_factory=list)
    groups: list[tuple[int, int]] = field(default_factory=list)  # item and head of each finding
    bare: list[int] = field(default_factory=list)
    talk: list[int] = field(default_factory=list)
    denied: list[int] = field(default_factory=list)  # behind “no allergies”
    denied_before: list[int] = field(default_factory=list)  # “no nut allergy”
    left_out: list[int] = field(default_factory=list)  # “no gluten”, “gluten- and egg-free”
    corrected: list[int] = field(default_factory=list)  # “not nuts, it's sesame”
    open_heads: list[int] = field(default_factory=list)
    unsure_heads: set[int] = field(default_factory=set)
    is_form: bool = False  # “Allergies:”, or a line of the list below it
    is_grave_form: bool = False  # “Severe allergies:”, or a line below it


def connects(item: Item) -> bool:
    return bool(item.kinds & CONNECT) or item.word in LIST_SIGNS


def is_named_free(item: Item) -> bool:
    """“dairy free”, “glutenfrei”: a diet named by what is left out"""
    return bool(item.entry.diets & FREE_DIETS) and item.word not in small_words("without")


def is_bread(item: Item) -> bool:
    """Bread, pasta and pastries, which are ordered; “oats”, “pan rallado” and “2 cel” not."""
    is_phrase = item.end - item.start > len(item.word) + 1
    return item.word in small_words("breads") and not is_phrase


def is_ordered(item: Item) -> bool:
    """“2 x fish, 2 x steak”"""
    return bool(item.entry.allergens) and item.entry.allergens.keys() <= ORDERED


def is_name(items: list[Item], at: int) -> bool:
    """“Anna: nuts, Tom (dairy)”, “wife - prawns”: who is meant"""
    if at + 1 == len(items):
        return False
    is_labelled = items[at + 1].word in LABEL_SIGNS and items[at].kinds <= {"word", "person"}
    return is_labelled or ("person" in items[at].kinds and "allergen" in items[at + 1].kinds)


def asks(item: Item) -> bool:
    """“hay”, “c'è” and their like also begin an answer: their sentence needs a question mark."""
    return "question" in item.kinds and item.word not in small_words("there_is")


def ends_clause(item: Item) -> bool:
    return bool(item.kinds & {"sign", "but", "emphasis", "except"} or item.kinds & HEADS)

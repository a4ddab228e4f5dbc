"""Whether a sentence can tell of an allergy or a diet at all, before any rule looks at it."""

from customers.allergies.items import Sentence
from customers.allergies.lexicon import small_words

TELLING = frozenset({"allergen", "allergy", "intolerance", "cause", "diet", "cannot"})
FINDABLE = TELLING | {"needs", "condition", "illness", "severe", "warning", "salt"}


def may_tell(sentence: Sentence) -> bool:
    """“Window seat please, 2 high chairs” tells of nothing; “jicama = hospital” does.

    Whatever a rule finds something at must be named here: see test_pass_over_silent_notes.py.
    """
    words = small_words("sensitivities")
    return any(
        item.kinds & FINDABLE or item.word == "=" or item.word in words for item in sentence.items
    )


def tells_nothing(sentence: Sentence) -> bool:
    """“4 people”, “Severe”, “Parking: no”"""
    is_field = any(item.word == ":" for item in sentence.items)
    return not any(item.kinds & TELLING or ("none" in item.kinds and not is_field)
                   for item in sentence.items)  # fmt: skip


def is_of_others(sentence: Sentence) -> bool:
    """“Gluten free for one. Another guest has allergies.”"""
    return any(item.word in small_words("another") for item in sentence.items)

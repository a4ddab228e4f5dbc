"""Foods that a note names apart from the allergy it denies: “none for me, wife nuts”."""

from collections.abc import Iterator

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import NAMED, is_answered_no
from customers.allergies.rules.forms import answers_of_one, are_dinner, denies_of_one
from customers.allergies.rules.outcome import SentenceOutcome

DENIED = frozenset({"allergy", "intolerance", "past"})  # “no longer allergic” is one phrase
OTHER_VERBS = frozenset({"word", "love", "want", "dislike"})
QUIET = frozenset({"sign", "severe", "emphasis", "allergen", "link"})


def foods_after_denials(
    sentences: list[Sentence], outcomes: list[SentenceOutcome]
) -> Iterator[Item]:
    """Only where the note tells of nothing else: then each may be what somebody does have."""
    is_denied = False
    for sentence, outcome in zip(sentences, outcomes, strict=True):
        items = sentence.items
        if is_denied and all(item.kinds & QUIET for item in items):  # “Allergies: NO!! NUTS!!”
            yield from (items[at] for at in outcome.bare)
        is_denied = any(item.kinds & DENIED for item in items)
        if is_denied:
            yield from (
                items[at] for at in range(2, len(items)) if is_set_apart(items, at, outcome)
            )
    if any(map(denies_some, sentences)):
        pairs = zip(sentences, outcomes, strict=True)
        foods = [food for sentence, outcome in pairs for food in answers_of_one(sentence, outcome)]
        yield from [] if are_dinner(foods) and not any(map(denies_of_one, sentences)) else foods


def denies_some(sentence: Sentence) -> bool:
    """“No allergies”, “Ann: none”, “vegan: 0”"""
    items = sentence.items
    is_named = any(item.kinds & DENIED for item in items)
    is_counted = any(i.kinds & NAMED and is_answered_no(items, at) for at, i in enumerate(items))
    return is_named or is_counted or denies_of_one(sentence)


def is_set_apart(items: list[Item], at: int, outcome: SentenceOutcome) -> bool:
    if "allergen" not in items[at].kinds:
        return False
    before, after = items[at - 1], items[at + 1 : at + 2]
    is_person = "person" in before.kinds  # “wife nuts”
    is_only = any(item.word in small_words("only") for item in (before, *after))
    return is_person or is_only or (at in outcome.bare and is_turned_to(items, at))


def is_turned_to(items: list[Item], at: int) -> bool:
    """“geen notenallergie maar wel pinda”, not “but we like fish”"""
    turns = [n for n in range(at) if "but" in items[n].kinds]
    between = items[turns[-1] + 1 : at] if turns else []
    return bool(turns) and not any(item.kinds & OTHER_VERBS for item in between)

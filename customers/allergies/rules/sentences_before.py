"""What a sentence takes from the ones before it: “Nuts!!! Allergy!!!”, “Allergies! Nuts, fish.”"""

from collections.abc import Iterator, Sequence

from customers.allergies.findings import AllergenFinding
from customers.allergies.items import TIMES, Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.people import people_of
from customers.allergies.rules.outcome import (
    CONNECT,
    LABEL_SIGNS,
    SentenceOutcome,
    SentenceScope,
    connects,
    is_name,
    is_ordered,
)
from customers.allergies.rules.unread import unknown_beside

MOST_OF_HEAD = 3  # words of “All allergies.”
MOST_OF_ANSWER = 7  # words of a sentence that only says that somebody is allergic
QUIET = CONNECT - {"of"} | {"sign", "warning", "correction"}


def scope_from(
    sentence: Sentence, before: Sentence, outcome: SentenceOutcome
) -> SentenceScope | None:
    """“Allergies! Nuts.”, “Nut allergy. Milk.”, “… Also fish.”: a list goes on with it."""
    if not is_list(sentence) or sentence.is_question:
        return None
    if outcome.open_heads:
        is_apart = outcome.open_heads[-1] < len(before.items) - 2
        if is_apart or not (names_cause(sentence) or denies_all(sentence)):
            return None
        outcome.open_heads.clear()
        return SentenceScope("stated")
    if (before.is_question or before.is_affirmed) and any(
        "needs" in item.kinds for item in before.items
    ):
        return SentenceScope("request", is_care=True)  # “Dietary requirements? Nuts”
    last = max((max(group) for group in stated_groups(before, outcome)), default=-1)
    is_next = last >= max(0, len(before.items) - 2) and not any(
        item.number or is_ordered(item) for item in sentence.items
    )
    is_more = last >= 0 and sentence.items[0].word in small_words("also")
    return SentenceScope("stated") if is_next or is_more else None


def names_cause(sentence: Sentence) -> bool:
    """“Nuts”; not the “Severe”, “4 people” or “Parking: no” of the next field"""
    return any(item.kinds & {"allergen", "trouble"} for item in sentence.items)


def denies_all(sentence: Sentence) -> bool:
    """“Allergies. None.”"""
    items = sentence.items
    return "none" in items[-1].kinds and all(item.word not in LABEL_SIGNS for item in items)


def stated_groups(sentence: Sentence, outcome: SentenceOutcome) -> list[tuple[int, int]]:
    """The foods that an allergy is stated of, in their sentence or in one before their list."""
    pairs = zip(outcome.found, outcome.groups, strict=True)
    stated = [group for found, group in pairs if found.certainty == "stated"]
    return [group for group in stated if group[1] >= 0 or is_list(sentence)]


def name_from_before(sentences: Sequence[Sentence], outcomes: Sequence[SentenceOutcome]) -> None:
    """The last sentence only says “allergy”: those before it name the cause."""
    items, heads = sentences[-1].items, outcomes[-1].open_heads
    if not heads or len(items) > MOST_OF_ANSWER or has_answer_behind(items, heads[-1]):
        return
    is_severe = any("severe" in i.kinds and "mild" not in i.kinds for i in items)
    is_last = all("sign" in item.kinds for item in items[heads[-1] + 1 :])
    is_of_other = any(item.kinds & {"person", "people", "number"} for item in items)
    is_turned = "but" in items[0].kinds and is_last and not is_of_other
    people = people_of(items, heads[-1], is_diet=False)
    for sentence, outcome in before_answer(sentences, outcomes):
        state_foods(sentence, outcome, people, is_severe=is_severe, is_turned=is_turned)
        if outcome.found:
            heads[:] = [one for one in heads if unknown_beside(items, one)]


def has_answer_behind(items: list[Item], head: int) -> bool:
    """“We love dumplings! Allergies: jicama” has an answer of its own."""
    return head + 2 < len(items) and items[head + 1].word in (":", "=")


def name_gravity(sentences: Sequence[Sentence], outcomes: Sequence[SentenceOutcome]) -> None:
    """The last sentence only says how grave it is: “Nut allergy. Very severe!”"""
    for _sentence, outcome in before_answer(sentences, outcomes):
        for found in outcome.found:
            found.is_severe |= found.certainty == "stated"


def before_answer(
    sentences: Sequence[Sentence], outcomes: Sequence[SentenceOutcome]
) -> Iterator[tuple[Sentence, SentenceOutcome]]:
    """The sentence before the last; of “Egg. Milk. Allergies.” each of the list."""
    for at in range(len(sentences) - 2, -1, -1):
        yield sentences[at], outcomes[at]
        is_head_only = not outcomes[at].found and len(sentences[at].items) <= MOST_OF_HEAD
        is_part = is_head_only or is_list(sentences[at])
        if not (at and is_part and is_list(sentences[at - 1])):
            return


def state_foods(
    sentence: Sentence,
    outcome: SentenceOutcome,
    people: int | None,
    *,
    is_severe: bool,
    is_turned: bool,
) -> None:
    """“Does the soup have celery? I am allergic”, “I love fish! But I'm allergic”"""
    pairs = zip(outcome.found, outcome.groups, strict=True)
    requests = [found for found, (at, head) in pairs if head < 0 and at not in outcome.corrected]
    for found in requests:
        found.state()
        found.is_severe |= is_severe
        found.people = found.people or people
    is_loved = is_turned and not any("want" in item.kinds for item in sentence.items)
    foods = outcome.bare or (outcome.talk if sentence.is_question or is_loved else [])
    for place in () if requests else last_list(sentence.items, foods):
        for found in stated_by(sentence.items[place], is_severe=is_severe):
            found.people = people
            outcome.found.append(found)
            outcome.groups.append((place, -1))


def stated_by(item: Item, *, is_severe: bool) -> list[AllergenFinding]:
    span = (item.start, item.end)
    return [
        AllergenFinding(code, "stated" if is_sure else "maybe", span, is_severe, is_sure=is_sure)
        for code, is_sure in item.entry.allergens.items()
    ]


def last_list(items: list[Item], places: list[int]) -> list[int]:
    """The last of these foods, and those that are listed right before it."""
    found = places[-1:]
    for place in reversed(places[:-1]):
        if not all(connects(item) for item in items[place + 1 : found[-1]]):
            break
        found.append(place)
    return found


def is_list(sentence: Sentence) -> bool:
    items = without_yes(sentence)
    return all(
        item.kinds & QUIET
        or "allergen" in item.kinds
        or "except" in item.kinds
        or item.word in small_words("affirms")
        or (item.word == TIMES and not any(is_ordered(one) for one in items))
        or is_name(items, at)
        or is_of_another(items, at)
        or item.word in small_words("units")  # “3 year old: peanut”
        for at, item in enumerate(items)
    )


def is_of_another(items: list[Item], at: int) -> bool:
    """“wife: nuts, me: none”, “Ann nuts, Carl none”; “nuts: none” is of the nuts."""
    following = items[at + 1] if at + 1 < len(items) else items[at]
    if items[at].kinds <= {"word", "person"}:
        is_among = any("none" in item.kinds for item in items[at + 2 :])
        return "none" in following.kinds or ("allergen" in following.kinds and is_among)
    before = [item for item in items[:at] if item.word not in LABEL_SIGNS]
    return "none" in items[at].kinds and bool(before) and "allergen" not in before[-1].kinds


def without_yes(sentence: Sentence) -> list[Item]:
    """“Allergies? Yes: soya”"""
    is_yes = sentence.items[0].word in small_words("affirms")
    return sentence.items[1:] if is_yes else sentence.items

"""Questions that the note answers itself: “Allergies? Yes. Which? Nuts.” is “Allergies. Nuts.”"""

from collections.abc import Iterator
from dataclasses import replace

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import LABEL_ENDS, is_only, is_thanks
from customers.allergies.rules.denial_words import is_head, is_word

MOST_OF_WHICH = 6  # words of “If yes, please specify:”


def with_answers(sentences: list[Sentence]) -> Iterator[Sentence]:
    """Leave out what only affirms, and what only asks which; the sentence before is affirmed."""
    before = Sentence()
    for sentence in sentences:
        if before.is_question and begins_with_yes(sentence.items):
            before.is_question, before.is_affirmed = False, True
            if is_yes(sentence.items):
                continue
        sentence.items = without_remarks(sentence.items)
        each = without_yes_at_end(sentence)
        each = replace(each, items=without_which(each))
        if each.items and (before.is_question or not is_line(each.items)):
            yield each
            before = each


def is_yes(items: list[Item]) -> bool:
    return is_only(items, "yes") or is_letter(items)


def is_line(items: list[Item]) -> bool:
    """“=====” below a heading"""
    return len(items) > 1 and all(item.word in "=-–—_~*|" for item in items)


def is_letter(items: list[Item]) -> bool:
    """“Allergies? Y”: elsewhere the letter is “and”."""
    return len(items) == 1 and items[0].word in small_words("affirms_shortly")


def begins_with_yes(items: list[Item]) -> bool:
    """“Yes, please call”, not “Si oui, lesquelles ?”"""
    is_end = len(items) < 2 or "sign" in items[1].kinds or is_thanks(items[1])
    is_affirming = items[0].word in small_words("affirms") and is_word(items[0])
    return is_yes(items) or (is_affirming and is_end)


def without_yes_at_end(sentence: Sentence) -> Sentence:
    """“Allergies: yes” of a form whose next line names them."""
    items = sentence.items
    labels = [at for at, item in enumerate(items) if item.word in LABEL_ENDS]
    if not labels or labels[0] == 0 or labels[1:] or not is_yes(items[labels[0] + 1 :]):
        return sentence
    return Sentence(items[: labels[0]], is_affirmed=True)


def without_remarks(items: list[Item]) -> list[Item]:
    """“Allergies (if any): none”, “Allergies (please list): nuts”"""
    end = next((at for at, item in enumerate(items) if item.word in LABEL_ENDS), 0)
    start = next((at for at, item in enumerate(items[:end]) if item.word == "("), end)
    inside = items[start + 1 : end - 1]
    is_bracket = bool(inside) and items[end - 1].word == ")"
    is_remark = is_bracket and all(is_of_remark(item) for item in inside)
    return [*items[:start], *items[end:]] if is_remark else items


def is_of_remark(item: Item) -> bool:
    return is_thanks(item) or item.word in small_words("which") | small_words("remarks")


def without_which(sentence: Sentence) -> list[Item]:
    """“Which ones? Nuts”, “If yes, please specify: nuts”"""
    items = sentence.items
    ends = [at for at, item in enumerate(items[:MOST_OF_WHICH]) if item.word in LABEL_ENDS]
    end = ends[0] + 1 if ends else len(items) if sentence.is_question else 0
    head = items[:end]
    is_short = 0 < len(head) <= MOST_OF_WHICH
    is_which = is_short and any(item.word in small_words("which") for item in head)
    is_naming = any(item.entry.allergens or is_head(item) for item in head)
    return items[end:] if is_which and not is_naming else items

"""Questions that the note answers itself: “Allergies? Yes. Which? Nuts.” is “Allergies. Nuts.”"""

from dataclasses import replace

from customers.allergies.items import Item, Sentence
from customers.allergies.lexicon import small_words
from customers.allergies.rules.answers import LABEL_ENDS, asks_only, is_only, is_thanks
from customers.allergies.rules.denials.words import is_head, is_word

MOST_OF_WHICH = 6  # words of “If yes, please specify:”


def with_answers(sentences: list[Sentence]) -> list[Sentence]:
    """Leave out what only affirms, and what only wants to know which; mark what is affirmed."""
    kept: list[Sentence] = []
    for sentence in sentences:
        before = kept[-1] if kept else Sentence()
        if is_affirmed_by(sentence.items, before):
            before.is_question, before.is_affirmed = False, True
            if is_yes(sentence.items):
                continue
        own = sentence
        if sentence.is_question or any(item.word in LABEL_ENDS for item in sentence.items):
            own = without_which(without_yes_at_end(without_remarks(sentence)))
        if own.items and (before.is_question or not is_line(own.items)):
            kept.append(own)
    return kept


def is_affirmed_by(answer: list[Item], question: Sentence) -> bool:
    """“Any allergies? Yes”; “Do you have an allergy menu? Yes” tells of nobody's."""
    if not (question.is_question and begins_with_yes(answer)):
        return False
    return asks_only(question.items) or not any(map(is_about_us, question.items))


def is_about_us(item: Item) -> bool:
    """“Can you cater for …”, “Is the soup vegan?”, “Is the allergy gone?”"""
    about = small_words("no_needs") - small_words("asks_you") | small_words("about_us")
    is_plea = "question" in item.kinds and item.word not in small_words("asks_being")
    return is_plea or item.word in about or bool(item.kinds & {"cured", "refused"})


def is_yes(items: list[Item]) -> bool:
    return is_only(items, "yes") or is_letter(items)


def is_line(items: list[Item]) -> bool:
    """“=====” below a heading"""
    return len(items) > 1 and all(item.word in "=-–—_~*|" for item in items)


def is_letter(items: list[Item]) -> bool:
    """“Allergies? Y”: elsewhere the letter is “and”, and “s gluten” is without."""
    is_word = len(items) == 1 and "diet" not in items[0].kinds
    return is_word and items[0].word in small_words("affirms_shortly")


def begins_with_yes(items: list[Item]) -> bool:
    """“Yes, please call”, not “Si oui, lesquelles ?”"""
    is_end = len(items) < 2 or bool(items[1].kinds & {"sign", "but"}) or is_thanks(items[1])
    is_affirming = items[0].word in small_words("affirms") and is_word(items[0])
    return is_yes(items) or (is_affirming and is_end)


def without_yes_at_end(sentence: Sentence) -> Sentence:
    """“Allergies: yes” of a form whose next line names them."""
    items = sentence.items
    labels = [at for at, item in enumerate(items) if item.word in LABEL_ENDS]
    if not labels or labels[0] == 0 or labels[1:] or not is_yes(items[labels[0] + 1 :]):
        return sentence
    return replace(sentence, items=items[: labels[0]], is_affirmed=True)


def without_remarks(sentence: Sentence) -> Sentence:
    """“Allergies (if any): none”, “Allergies (please list): nuts”"""
    items = sentence.items
    end = next((at for at, item in enumerate(items) if item.word in LABEL_ENDS), 0)
    start = next((at for at, item in enumerate(items[:end]) if item.word == "("), end)
    inside = items[start + 1 : end - 1]
    is_bracket = bool(inside) and items[end - 1].word == ")"
    is_remark = is_bracket and all(is_of_remark(item) for item in inside)
    return replace(sentence, items=[*items[:start], *items[end:]]) if is_remark else sentence


def is_of_remark(item: Item) -> bool:
    return is_thanks(item) or item.word in small_words("which") | small_words("remarks")


def without_which(sentence: Sentence) -> Sentence:
    """“Which ones? Nuts”, “If yes, please specify: nuts”"""
    items = sentence.items
    ends = [at for at, item in enumerate(items[:MOST_OF_WHICH]) if item.word in LABEL_ENDS]
    end = ends[0] + 1 if ends else len(items) if sentence.is_question else 0
    head = items[:end]
    is_short = 0 < len(head) <= MOST_OF_WHICH
    is_which = is_short and any(item.word in small_words("which") for item in head)
    is_naming = any(item.entry.allergens or is_head(item) for item in head)
    is_naming |= not ends and any("diet" in item.kinds for item in head)  # “which are vegan?”
    return replace(sentence, items=items[end:]) if is_which and not is_naming else sentence

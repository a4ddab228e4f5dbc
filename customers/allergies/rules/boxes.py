"""Boxes of a form: of “☐ gluten ☒ milk” and “gluten [ ] milk [x]” only the milk is left.

Nothing is left out where it is not sure which label a box has, nor ever a word for an allergy or
how severe it is. All places stay what they were, as findings point into the note.
"""

import re
from dataclasses import dataclass

from customers.allergies.folding import tokens
from customers.allergies.lexicon import small_words
from customers.allergies.spelling import lookup_word

TICKED = re.compile(
    r"[☒☑]\ufe0f?|●|■|\[(?:[xXvV✓✔*1]|yes|ja|oui|s[ií]|sim)\]|\([xX✓✔]\)", re.IGNORECASE
)
HOOKS = re.compile(r"[✔✅✓]\ufe0f?")  # also without a box: “nut allergy ✅”
EMPTY = re.compile(r"☐\ufe0f?|\[ +\]")
# Elsewhere these are bullets, or nothing.
EMPTY_BESIDE = {"●": "○", "■": "□", "(": r"\( +\)", "[": r"\[\]", "☑": "[□⬜]\ufe0f?"}
SEPARATOR = re.compile(r" *[/|,;\n]")
COLON = re.compile(r"\s*:")
COLON_BEFORE = re.compile(r":\s*$")
NEAR = 40  # characters before a box that tell whether a field begins there
LABEL_END = re.compile(r"[—–|;:/,(\n.!✗✘❌]|\s-\s|_{2,}|(?<=\S)\s{2,}|$")
LABEL_START = re.compile(r"[—–|;/,(\n.!?:)✗✘❌]|\s-\s|\s{2,}(?=\S)")
GRAVE = r"epi-?pen|anaph|anaf|sever|sévèr|grav|schwer|ernst|adrenal|leth|deadly"
NAMED = r"all?[eè]r|alerg|intol|unvertr|c[oe]*[eé]lia|z[öo]li"
NAMED_ALLERGY = re.compile(rf"\s*(?:\S+\s+)?\S*(?:{NAMED})\S*\s*", re.IGNORECASE)  # “egg allergy”
ALLERGY = re.compile(rf"{NAMED}|{GRAVE}", re.IGNORECASE)
HEADING = r"\b(?:allerg|alerg|allèrg|alérg)\w*"
BEFORE_BOX = re.compile(rf"(?:^|[:?(\n|,;/]|\s-|{HEADING})\s*$", re.IGNORECASE)
AFTER_HEADING = re.compile(rf"{HEADING}\s*$", re.IGNORECASE)
ANSWER = re.compile(
    r"\s*(?:no|none|keine?|aucune?|pas d'|sin|nessun\w*|sem|geen|ninguna?|non"
    r"|yes|oui|ja|s[ií]|sim|não|nee|nein)"
    r"(?:\s+(?:known|food|bekannten?|bekende|conocidas?|conhecidas?))*"
    r"(?:\s*\w*(?:all?[eè]r|alerg)\w*)?(?:\s+(?:connues?|conocidas?|conhecidas?|not[ae]))?\s*",
    re.IGNORECASE,
)
STATES = re.compile(
    r"(?:.*\W)?(?:mild|moderate|yes|no|oui|non|ja|nein|nee|s[ií]|sim|não|leve|leggera|légère?|leicht|licht)",
    re.IGNORECASE,
)
OF_LABEL = frozenset({"link", "of", "article", "none", "no", "number", "allergy", "intolerance"})
# “Allergies: oui / non” of a form that nobody filled; not “Allergy 1 / 2: yes / no”
UNCHOSEN = re.compile(
    r"(?im)(^[^\n/\d]*[:?][ \t]*)((?:y|yes|o|oui|s|sí|si|sì|sim|j|ja) / "
    r"(?:n|no|non|não|nein|nee))(?=[ \t]*$)"
)
# “<p>Allergies: <b>none</b></p>” and “[Allergies] none” of booking pages
BLOCK = re.compile(r"(?i)</?(?:p|br|div|li|ul|ol|t[drh]|table|h\d)\b[^<>\n]*>")
INLINE = re.compile(r"(?i)</?(?:b|i|u|em|strong|span|font|small|a)\b[^<>\n]*>|&(?:nbsp|amp);")
BRACKETED = re.compile(
    r"(?im)^([ \t]*)[\[({]([ \t]*(?:(?:food|dietary|known|other) )?"
    r"(?:all?erg|alerg|intol|diet|restric|régime)[^\W\d]*"
    r"(?: (?:alimentaires?|alimentarias?|requirements?|restrictions?|needs|info))?)[\])}]"
    r"(?=[ \t]*(:?)[ \t]*[^\W\d])"
)
LEAST_EMPTY = 3  # boxes of a form that nobody ticked

# What a booking page writes where nothing was answered: “Allergies: unknown”, “Allergies - n/d”
UNANSWERED = re.compile(
    r"(?i)(?:[:=]|(?<=\s)[-–—(])\s*[\"'\[]?(?:"
    r"unknown at (?:the )?time of booking"
    r"|un(?:known|specified|defined|disclosed|answered)|empty|blank|null"
    r"|none (?:given|specified|stated)"
    r"|not (?:specified|provided|given|filled in|known|stated|mentioned|answered|asked|disclosed)"
    r"|no (?:preferences?|info(?:rmation)?|answer|data|details|response)"
    r"|inconnue?s?|vide|n\.?/?c\.?|aucune (?:info(?:rmation)?|donnée)"
    r"|(?:non|pas) (?:précisé|spécifié|renseigné|communiqué|indiqué)e?s?"
    r"|desconocid[oa]s?|vacío|n\.?/?d\.?|ns/nc|s/d"
    r"|(?:no|sin) (?:especificar|datos|info(?:rmación)?)"
    r"|no (?:especificad|indicad|informad)[oa]s?|no que sepamos|unbekannt|leer|keine angaben?"
    r"|sconosciut[aeio]|non (?:specificat|indicat)[aeio]|vuoto|desconhecid[oa]s?|vazio"
    r"|não (?:informad|especificad|indicad)[oa]s?|onbekend|leeg|niet (?:bekend|opgegeven|ingevuld)"
    r")(?=[\"'})\]\s.]*(?:$|[;|\n])|\.\s|\s*,\s*[^\W\d]+\s*:|[\"'})\]]+\s*,\s*[\"'\n])"
)
FIELD_ENDS = re.compile(r"[\n|;.,/\[{(]")  # before a label
LONGEST_LABEL = 40  # characters


@dataclass(frozen=True)
class Box:
    start: int
    end: int
    is_ticked: bool


def without_unticked(text: str) -> str:
    """Leave out each empty box with its label, and the signs of the others."""
    if "<" in text or "&" in text:
        text = BLOCK.sub(lambda found: "\n".ljust(len(found[0])), text)
        text = INLINE.sub(lambda found: " " * len(found[0]), text)
    if "]" in text or ")" in text or "}" in text:
        text = BRACKETED.sub(lambda found: f"{found[1]} {found[2]}{' ' if found[3] else ':'}", text)
    text = UNCHOSEN.sub(lambda found: found[1] + " " * len(found[2]), text)
    kinds = kinds_of_boxes(text)
    if not kinds:
        return text
    is_ticked = any(kind.search(text) for kind, ticked in kinds if ticked)
    lines = text.splitlines(keepends=True)
    return "".join(blanked(line, boxes_of(line, kinds), is_ticked=is_ticked) for line in lines)


def kinds_of_boxes(text: str) -> list[tuple[re.Pattern[str], bool]]:
    """What is a box in this note, and whether it is ticked."""
    ticked = {found[0][0].replace("☒", "☑") for found in TICKED.finditer(text)}
    has_empty = bool(EMPTY.search(text))
    hooks = bool(HOOKS.search(text)) and (has_empty or "□" in text or "⬜" in text)
    if not (ticked or has_empty or hooks):
        return []
    families = ticked | ({"☑"} if hooks else set())
    beside = [re.compile(EMPTY_BESIDE[sign]) for sign in families if sign in EMPTY_BESIDE]
    kinds = [(TICKED, True), (EMPTY, False), *((kind, False) for kind in beside)]
    return [*kinds, (HOOKS, True)] if hooks else kinds


def boxes_of(line: str, kinds: list[tuple[re.Pattern[str], bool]]) -> list[Box]:
    found = {
        Box(*one.span(), is_ticked) for kind, is_ticked in kinds for one in kind.finditer(line)
    }
    return sorted(found, key=lambda box: box.start)


def blanked(line: str, boxes: list[Box], *, is_ticked: bool) -> str:
    if not boxes:
        return line
    labels = labels_of(line, boxes, is_ticked=is_ticked)
    texts = [line[start:end] for start, end in labels]
    is_form = len(boxes) > 1 or is_ticked
    is_form &= all(map(is_label_of_form, texts)) and not any(map(is_of_no_food, texts))
    is_grid = is_form and all(
        NAMED_ALLERGY.fullmatch(text) or (box.is_ticked and ANSWER.fullmatch(text))
        for box, text in zip(boxes, texts, strict=False)
    )
    is_grid &= any(box.is_ticked for box in boxes)
    signs = list(line)
    for box, label in zip(boxes, labels, strict=False):
        span = line_span(line, box, label, is_form=is_form, is_grid=is_grid)
        start, end = (0, 0) if box.is_ticked else span
        signs[start:end] = " " * (end - start)
    for box in boxes:
        before = "".join(signs[max(0, box.start - NEAR) : box.start])
        is_alone = COLON.match(line, box.end) or starts_field(before, is_whole=box.start <= NEAR)
        signs[box.start : box.end] = (" " if is_alone else ",").ljust(box.end - box.start)
    text, first = "".join(signs), boxes[0].start
    colon = COLON_BEFORE.search(text, max(0, first - NEAR), first)
    if colon and labels and not is_ticked:  # whether there is one is open
        signs[colon.start()] = "?"
    return "".join(signs)


def starts_field(before: str, *, is_whole: bool) -> bool:
    """Whether a field begins behind these characters, which are all before it or the nearest."""
    return bool(BEFORE_BOX.search(before if is_whole else "x" + before))


def labels_of(line: str, boxes: list[Box], *, is_ticked: bool) -> list[tuple[int, int]]:
    """Where the label of each box stands; none where that is not sure."""
    is_first = starts_field(line[: boxes[0].start], is_whole=True)
    is_last = bool(LABEL_END.match(line[boxes[-1].end :].lstrip(" ")))
    if is_first and ends_labels(line, boxes):
        return labels_either_side(line, boxes)
    if is_first and not are_behind_colons(line, boxes):
        return labels_after(line, boxes)
    is_behind = is_last or are_behind_colons(line, boxes) or stand_at_ends(line, boxes)
    return (
        labels_before(line, boxes) if is_behind and (is_ticked or len(boxes) >= LEAST_EMPTY) else []
    )


def ends_labels(line: str, boxes: list[Box]) -> bool:
    """“No allergies ☐ Nuts ☑”, unlike “Allergies: ☐ milk ☒ nuts ☒” and “Nut allergy ☐ no ☒”"""
    before, last = line[: boxes[0].start], boxes[-1]
    is_label = bool(AFTER_HEADING.search(before[-NEAR:])) and len(boxes) > 1
    is_end = not line[last.end :].strip(" .\n")
    is_state = is_label and last.is_ticked and ANSWER.fullmatch(line[boxes[-2].end : last.start])
    return is_label and is_end and not is_state


def labels_either_side(line: str, boxes: list[Box]) -> list[tuple[int, int]]:
    """Of “Allergies ☐ nuts ☑ milk ☐ egg ☐” the nuts or the milk may be meant: both are left."""
    labels = labels_before(line, boxes)
    if is_food_label(line[slice(*labels[0])]):  # “Nut allergy ☑ Milk allergy ☐”
        return labels
    may_be_ticked = [False, *(box.is_ticked for box in boxes)]
    return [
        (end, end) if is_left and not ANSWER.fullmatch(line[start:end]) else (start, end)
        for is_left, (start, end) in zip(may_be_ticked, labels, strict=False)
    ]


def is_food_label(text: str) -> bool:
    entries = [entry for token in tokens(text) if (entry := lookup_word(token.word))]
    return any(entry.allergens for entry in entries)


def are_behind_colons(line: str, boxes: list[Box]) -> bool:
    """“Gluten: ☐ Dairy: ☒”"""
    return len(boxes) > 1 and all(
        COLON_BEFORE.search(line, max(0, box.start - NEAR), box.start) for box in boxes
    )


def stand_at_ends(line: str, boxes: list[Box]) -> bool:
    """“Egg [ ] / Nuts [x] / Fish [ ] anaphylaxis”"""
    return len(boxes) > 1 and all(SEPARATOR.match(line, box.end) for box in boxes[:-1])


def line_span(
    line: str, box: Box, label: tuple[int, int], *, is_form: bool, is_grid: bool
) -> tuple[int, int]:
    """What of a label is left out: an allergy only where all labels are."""
    start, end = label
    text = line[start:end]
    words = text.rsplit(maxsplit=1)
    if start < box.start and len(words) > 1 and STATES.fullmatch(words[1]):
        state = start + text.rindex(words[1])  # “peanut allergy mild ☐ severe ☒”
        return state, state + len(words[1])
    is_left_out = is_form and (is_grid or not ALLERGY.search(text))
    return label if is_left_out or ANSWER.fullmatch(text) else (start, start)


def is_label_of_form(text: str) -> bool:
    """“Gluten”, “Fruits à coque et arachides”, “None”, “Other”, not “kitchen informed”"""
    return bool(ANSWER.fullmatch(text)) or all(is_of_label(token.word) for token in tokens(text))


def is_of_no_food(text: str) -> bool:
    """“severe allergy” is no label of a grid: it tells of what stands before it."""
    is_allergy = bool(ALLERGY.search(text)) and not ANSWER.fullmatch(text)
    return is_allergy and not is_food_label(text)


def is_of_label(word: str) -> bool:
    entry = lookup_word(word)
    is_food = bool(entry and (entry.allergens or entry.diets or entry.kinds & OF_LABEL))
    is_small = word in small_words("others") | small_words("joins") | small_words("of_the")
    return is_food or is_small or word in small_words("box_labels") or not word.isalnum()


def labels_after(line: str, boxes: list[Box]) -> list[tuple[int, int]]:
    nexts = [box.start for box in boxes[1:]]
    pairs = zip(boxes, nexts, strict=False)
    ends = [label_end(line, box.end, most=following) for box, following in pairs]
    ends.append(end_of_last(line, boxes[-1].end))
    return [(box.end, end) for box, end in zip(boxes, ends, strict=True)]


def end_of_last(line: str, start: int) -> int:
    """Behind the words of the label: the note may go on, “☐ milk ☐ egg I am allergic to nuts”."""
    label, end = line[start : label_end(line, start, most=len(line))], start
    for token in tokens(label):
        entry = lookup_word(token.word)
        is_denial = end > start and bool(entry and "no" in entry.kinds)  # “Vegan, no gluten”
        if is_denial or not is_of_label(token.word):
            break
        end = start + token.end
        if token.word in small_words("others"):  # “Other kiwi”
            break
    return end if end > start else start + len(label)


def label_end(line: str, start: int, *, most: int) -> int:
    found = LABEL_END.search(line, start, most)
    return found.start() if found else most


def labels_before(line: str, boxes: list[Box]) -> list[tuple[int, int]]:
    """“gluten ☐”; of “gluten: ☐” the sign is of the label."""
    labels, previous = [], 0
    for box in boxes:
        end = previous + len(line[previous : box.start].rstrip(" :"))
        starts = [previous + one.end() for one in LABEL_START.finditer(line[previous:end])]
        labels.append((max([previous, *starts]), end))
        previous = box.end
    return labels


def without_answer(found: re.Match[str]) -> str:
    """“Allergies - unknown” is “Allergies:” without an answer; “Nut allergy: unknown” asks."""
    before = found.string[max(0, found.start() - LONGEST_LABEL) : found.start()]
    label = FIELD_ENDS.split(before)[-1]
    known = (lookup_word(token.word) for token in tokens(label))
    is_of_food = any(entry and entry.allergens for entry in known)
    if is_of_food and "not " not in found[0].lower():
        return found[0]
    return (found[0][0] if found[0][0] in ":=" else ":").ljust(len(found[0]))

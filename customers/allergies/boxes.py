"""Boxes of a form: of “☐ gluten ☒ milk” and “gluten [ ] milk [x]” only the milk is left.

All places stay what they were, as findings point into the note.
"""

import re

Box = tuple[int, int, bool]  # from, to, whether it is ticked

TICKED = re.compile(r"[☒☑●■]\ufe0f?|\[[xX✓✔]\]|\([xX✓✔]\)")
HOOKS = re.compile(r"[✔✅✓]\ufe0f?")  # also without a box: “nut allergy ✅”
EMPTY = re.compile(r"[☐⬜□]\ufe0f?|\[ +\]")
EMPTY_BESIDE_TICKED = re.compile(r"○|\[\]|\( +\)")  # not ❌, which forbids
LABEL_END = re.compile(r"[—–|;:/,(\n.!]|\s-\s|(?<=\S)\s{2,}|$")
LAST_LABEL = re.compile(r"(?:\s*\S+){1,3}")  # of the last box, behind which the note may go on
FIRST_LABEL = re.compile(r"(?:\S+\s*){1,3}$")
LABEL_START = re.compile(r"[—–|;/,(\n.!?:)]|\s-\s|\s{2,}(?=\S)")
BEFORE_BOX = re.compile(r"(?:^|[:?(\n|,;]|\s-)\s*$")


def without_unticked(text: str) -> str:
    """Leave out each empty box with its label, and the signs of the others."""
    is_ticked = bool(TICKED.search(text))
    kinds = [(TICKED, True), (EMPTY, False)]
    if EMPTY.search(text):
        kinds.append((HOOKS, True))
    if is_ticked:
        kinds.append((EMPTY_BESIDE_TICKED, False))
    elif len(kinds) == 2:
        return text
    return "".join(blanked(line, boxes_of(line, kinds)) for line in text.splitlines(keepends=True))


def boxes_of(line: str, kinds: list[tuple[re.Pattern[str], bool]]) -> list[Box]:
    return sorted(
        (*found.span(), is_ticked) for kind, is_ticked in kinds for found in kind.finditer(line)
    )


def blanked(line: str, boxes: list[Box]) -> str:
    if not boxes:
        return line
    is_behind = stand_behind_labels(line, boxes)
    labels = labels_before(line, boxes) if is_behind else labels_after(line, boxes)
    for (start, end, is_ticked), (first, last) in zip(boxes, labels, strict=True):
        sign = " " if BEFORE_BOX.search(line[:start]) else ","
        line = line[:start] + sign + " " * (end - start - 1) + line[end:]
        if not is_ticked:
            line = line[:first] + " " * (last - first) + line[last:]
    return line


def stand_behind_labels(line: str, boxes: list[Box]) -> bool:
    """“gluten ☐ milk ☒”: a label before the first box, and none behind the last"""
    is_end = LABEL_END.match(line[boxes[-1][1] :].strip(" "))
    return bool(is_end) and not BEFORE_BOX.search(line[: boxes[0][0]])


def labels_after(line: str, boxes: list[Box]) -> list[tuple[int, int]]:
    nexts = [start for start, _end, _is_ticked in boxes[1:]]
    places = [end for _start, end, _is_ticked in boxes]
    ends = [min(*pair) for pair in zip(nexts, ends_of(line, places), strict=False)]
    return list(zip(places, [*ends, end_of_last(line, places[-1])], strict=True))


def ends_of(line: str, places: list[int]) -> list[int]:
    found = (LABEL_END.search(line, place) for place in places)
    return [one.start() if one else len(line) for one in found]


def end_of_last(line: str, start: int) -> int:
    most = LAST_LABEL.match(line, start)
    return min(*ends_of(line, [start]), most.end() if most else len(line))


def labels_before(line: str, boxes: list[Box]) -> list[tuple[int, int]]:
    ends = [start for start, _end, _is_ticked in boxes]
    first = FIRST_LABEL.search(line, 0, ends[0])
    places = [first.start() if first else 0] + [end for _start, end, _is_ticked in boxes[:-1]]
    starts = [last_end(line, place, end) for place, end in zip(places, ends, strict=True)]
    return list(zip(starts, ends, strict=True))


def last_end(line: str, start: int, end: int) -> int:
    """Where the label before a box begins: behind the last sign."""
    return max([start, *(start + one.end() for one in LABEL_START.finditer(line[start:end]))])

"""docs/performance.md: a section for each subject, with what was measured on each database."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tests.bench.frame import POSTGRES, SQLITE, Outcome, describe_machine

ANY = "median"  # the column of what no database changes
FLAVOURS = (SQLITE, POSTGRES, ANY)
INTRODUCTION = """# Performance

Written by `make bench`. What stands in one column was measured in turn in the same run, and is the
median where it was taken more than once. × is the ratio to the first row, or where a table has more
than one peer to the nearest above with 1.00: that of each round, and the median of the rounds. An
aim with a unit is one of figures, without it one of ratios; what misses its aim is marked."""


class Row(NamedTuple):
    subject: str
    how: str
    flavour: str
    figure: str
    ratio: str
    aim: str


def rows_of(outcome: Outcome) -> list[Row]:
    subject, flavour = split(outcome.bench.name)
    return [
        Row(subject, how, flavour, outcome.figure(how), outcome.ratio_text(how), outcome.bench.aim)
        for how in outcome.figures
    ]


def split(name: str) -> tuple[str, str]:
    """The subject of a benchmark, and the database it ran on."""
    for flavour in (SQLITE, POSTGRES):
        if flavour in name:
            return name.replace(f", {flavour}", ""), flavour
    return name, ANY


def replace(before: list[Row], measured: list[Row]) -> list[Row]:
    """The rows of a page with those of a run in place of what it measured anew."""
    anew = {(row.subject, row.flavour) for row in measured}
    rows = [row for row in before if (row.subject, row.flavour) not in anew] + measured
    places = {row.subject: at for at, row in enumerate(reversed([*before, *measured]))}
    return sorted(rows, key=lambda row: -places[row.subject])


def render(rows: Iterable[Row]) -> str:
    subjects: dict[str, list[Row]] = defaultdict(list)
    for row in rows:
        subjects[row.subject].append(row)
    sections = (_section(subject, found) for subject, found in subjects.items())
    return "\n\n".join([INTRODUCTION, f"Machine: {describe_machine()}.", *sections]) + "\n"


def _section(subject: str, rows: list[Row]) -> str:
    flavours = [flavour for flavour in FLAVOURS if any(row.flavour == flavour for row in rows)]
    aims = {one: {row.aim for row in rows if row.flavour == one} for one in flavours}
    has_column = any(len(found) > 1 for found in aims.values())
    heads = [cell for flavour in flavours for cell in (flavour, "×")]
    table = [["how", *heads], ["---", *["---:"] * len(heads)]]
    for line in _lines(rows):
        how = next(iter(line.values())).how
        cells = [line[one][3:5] if one in line else ("", "") for one in flavours]
        table.append([how, *(cell for pair in cells for cell in pair)])
        if has_column:
            table[-1].append(" · ".join(dict.fromkeys(one.aim for one in line.values())))
    if has_column:
        table[0].append("aim")
        table[1].append("---")
    text = [f"## {subject}", *([] if has_column else _aims(aims))]
    return "\n\n".join([*text, "\n".join(f"| {' | '.join(cells)} |" for cells in table)])


def _lines(rows: list[Row]) -> list[dict[str, Row]]:
    """What was measured on each database, by its name: the same may stand beside several peers."""
    lines: dict[tuple[str, int], dict[str, Row]] = defaultdict(dict)
    met = Counter[tuple[str, str]]()
    for row in rows:
        met[row.flavour, row.how] += 1
        lines[row.how, met[row.flavour, row.how]][row.flavour] = row
    return list(lines.values())


def _aims(aims: dict[str, set[str]]) -> list[str]:
    """One sentence, or one of each database where they differ."""
    found = {flavour: aim for flavour, (aim,) in aims.items()}
    if len(set(found.values())) == 1:
        found = {"": next(iter(found.values()))}
    return [f"Aim{flavour and f', {flavour}'}: {aim}" for flavour, aim in found.items() if aim]


def parse(page: str) -> Iterator[Row]:
    """The rows of a page that `render` wrote, one database after the other."""
    for section in page.split("\n## ")[1:]:
        subject, *lines = [line for line in section.splitlines() if line]
        aims = dict(line.removeprefix("Aim").split(": ", 1) for line in lines if line[:3] == "Aim")
        head, _rule, *table = [_cells(line) for line in lines if line[0] == "|"]
        for at, flavour in enumerate(head[1::2]):
            if flavour == "aim":
                continue
            aim = aims.get(f", {flavour}", aims.get("", ""))
            for how, *cells in table:
                figure, ratio = cells[2 * at : 2 * at + 2]
                if figure:
                    own = cells[-1].split(" · ") if head[-1] == "aim" else [""]
                    yield Row(subject, how, flavour, figure, ratio, aim or own[at % len(own)])


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip()[1:-1].split("|")]

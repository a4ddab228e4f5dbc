"""The corpus of notes, each with what must be found, and how much of it is found."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from customers.allergies.reading import read_note

FOLDER = Path(__file__).parent / "corpus"
ARROW = "=>"


@dataclass(frozen=True, slots=True)
class CorpusNote:
    """A line such as “my wife is coeliac => gluten | gluten_free?”; “?” is a hint, “!” gravity."""

    text: str
    allergens: frozenset[str]
    diets: frozenset[str]


@dataclass(slots=True)
class Measure:
    expected: int = 0
    found: int = 0
    stated: int = 0
    right: int = 0
    faults: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / self.expected

    @property
    def precision(self) -> float:
        return self.right / self.stated


def codes(line: str) -> frozenset[str]:
    return frozenset(word.rstrip("?!") for word in line.split())


def corpus(language: str) -> Iterator[CorpusNote]:
    for line in (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines():
        text, arrow, expected = line.rpartition(ARROW)
        if arrow:
            allergens, _, diets = expected.partition("|")
            yield CorpusNote(text.strip(), codes(allergens), codes(diets))


def measure(notes: Iterator[CorpusNote]) -> Measure:
    """Recall counts what is stated or maybe; precision counts only what is stated."""
    total = Measure()
    for note in notes:
        reading = read_note(note.text)
        found = {("allergen", each.code): each.certainty for each in reading.allergens}
        found |= {("diet", each.code): each.certainty for each in reading.diets}
        expected = {("allergen", code) for code in note.allergens}
        expected |= {("diet", code) for code in note.diets}
        count(total, note.text, found, expected)
    return total


def count(
    total: Measure, text: str, found: Mapping[tuple[str, str], str], expected: set[tuple[str, str]]
) -> None:
    stated = {key for key, certainty in found.items() if certainty == "stated"}
    total.expected += len(expected)
    total.found += len(expected & set(found))
    total.stated += len(stated)
    total.right += len(stated & expected)
    if expected - set(found) or stated - expected:
        total.faults.append(text)

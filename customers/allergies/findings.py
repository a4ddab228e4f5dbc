"""What a reading says: each allergen and diet once, with its certainty and place."""

from dataclasses import dataclass, field
from typing import Literal

Certainty = Literal["stated", "maybe"]


@dataclass(slots=True)
class AllergenFinding:
    code: str
    certainty: Certainty
    span: tuple[int, int]
    is_severe: bool = False
    people: int | None = None
    is_sure: bool = True  # “shellfish” means crustaceans, and molluscs only perhaps
    # “nut allergy - resolved”, of a hint. Not in the text that ticks and papers are hashes of:
    # those of before an upgrade hold on, and the sentence says it anyway.
    is_cancelled: bool = field(default=False, repr=False)

    def state(self) -> None:
        """Something near says that it is an allergy."""
        if self.is_sure:
            self.certainty = "stated"


@dataclass(slots=True)
class DietFinding:
    code: str
    certainty: Certainty
    span: tuple[int, int]
    people: int | None = None


@dataclass(slots=True)
class NoteReading:
    """An empty reading means that nothing was found, never that a guest eats everything."""

    allergens: list[AllergenFinding] = field(default_factory=list)
    diets: list[DietFinding] = field(default_factory=list)


def merged_allergens(found: list[AllergenFinding]) -> list[AllergenFinding]:
    best: dict[str, AllergenFinding] = {}
    for each in found:
        known = best.setdefault(each.code, each)
        if known is not each:
            if known.certainty == "maybe" and each.certainty == "stated":
                known.certainty, known.span = each.certainty, each.span
            known.is_severe |= each.is_severe
            known.is_cancelled &= each.is_cancelled
            known.people = max(known.people or 0, each.people or 0) or None
    return list(best.values())


def merged_diets(found: list[DietFinding]) -> list[DietFinding]:
    best: dict[str, DietFinding] = {}
    for each in found:
        known = best.setdefault(each.code, each)
        if known is not each:
            if known.certainty == "maybe" and each.certainty == "stated":
                known.certainty, known.span = each.certainty, each.span
            known.people = max(known.people or 0, each.people or 0) or None
    return list(best.values())

"""What a reading says: each allergen and diet once, with its certainty and place."""

from dataclasses import dataclass, field
from typing import Literal, TypeVar

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


Finding = TypeVar("Finding", AllergenFinding, DietFinding)


@dataclass(slots=True)
class NoteReading:
    """An empty reading means that nothing was found, never that a guest eats everything."""

    allergens: list[AllergenFinding] = field(default_factory=list)
    diets: list[DietFinding] = field(default_factory=list)


def people_of_both(one: Finding, other: Finding) -> int | None:
    """Of “2 🌱, 1 vegan” one is surely a vegan; of an allergen the larger number counts."""
    stated = [each.people for each in (one, other) if each.certainty == "stated" and each.people]
    is_diet = isinstance(one, DietFinding) and one.certainty != other.certainty
    return max(stated if stated and is_diet else [one.people or 0, other.people or 0]) or None


def merged(found: list[Finding]) -> list[Finding]:
    best: dict[str, Finding] = {}
    for each in found:
        known = best.setdefault(each.code, each)
        if known is not each:
            known.people = people_of_both(known, each)
            if known.certainty == "maybe" and each.certainty == "stated":
                known.certainty, known.span = each.certainty, each.span
            if isinstance(known, AllergenFinding) and isinstance(each, AllergenFinding):
                known.is_severe |= each.is_severe
                known.is_cancelled &= each.is_cancelled
    return list(best.values())

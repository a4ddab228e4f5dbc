"""The kitchen's table: each allergen with the parties that must not eat it, by certainty."""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from customers.allergies.findings import AllergenFinding
from customers.allergies.folding import fold
from customers.allergies.kitchen_names import (
    code_of_tag,
    kitchen_name,
    read_by_people,
    tag_name,
)
from customers.allergies.labels import ALLERGENS
from reservations.briefing.lines import BriefingLine

# The label and the icon of each certainty. They are never mixed or added up. What a note cancels
# is a hint like any other, apart here so that the cook knows what to ask.
CERTAINTIES = {
    "tagged": (_("tagged"), "allergy"),
    "stated": (_("in a note"), "allergy-noted"),
    "maybe": (_("perhaps: ask"), "allergy-maybe"),
    "cancelled": (_("no longer, a note says: ask"), "allergy-maybe"),
}


class Party(NamedTuple):
    """A booking in the row of an allergen, and whether a note calls that one severe."""

    line: BriefingLine
    is_severe: bool


class AllergenRow(NamedTuple):
    """An allergen with one certainty, and its parties in the order of arrival."""

    name: str
    certainty: str
    parties: list[Party]

    @property
    def label(self) -> str:
        return str(CERTAINTIES[self.certainty][0])

    @property
    def icon(self) -> str:
        return CERTAINTIES[self.certainty][1]


def by_allergen(lines: Iterable[BriefingLine], language: str) -> list[AllergenRow]:
    """What is severe for somebody first, then by name; for each name what is tagged first.

    Rows of one name stand together, as the table names them once. Who has left is left out.
    """
    parties: dict[tuple[str, str], list[Party]] = defaultdict(list)
    for line in lines:
        if line.booking.phase.key != "left":
            for named, is_severe in _named_on(line).items():
                parties[named].append(Party(line, is_severe))
    rows = [
        AllergenRow(_name(key, language), certainty, found)
        for (key, certainty), found in parties.items()
    ]
    severe = {row.name for row in rows if any(party.is_severe for party in row.parties)}
    order = list(CERTAINTIES)
    return sorted(
        rows,
        key=lambda row: (
            row.name not in severe,
            fold(row.name),
            row.name,
            order.index(row.certainty),
        ),
    )


def _named_on(line: BriefingLine) -> dict[tuple[str, str], bool]:
    """Each allergen of a party with its certainty, once, and whether it is severe.

    It is named by its code, or by a tag that has none.
    """
    named = {(code_of_tag(tag) or tag, "tagged"): False for tag in line.booking.allergies}
    for mention in line.mentions:
        for finding in mention.findings:
            if isinstance(finding, AllergenFinding):
                key = finding.code, _certainty_of(finding)
                named[key] = named.get(key, False) or finding.is_severe
    return named


def _certainty_of(finding: AllergenFinding) -> str:
    """What somebody has confirmed is stated, also where its note cancels it."""
    is_cancelled = finding.is_cancelled and finding.certainty == "maybe"
    return "cancelled" if is_cancelled else finding.certainty


def _name(key: str, language: str) -> str:
    if key in ALLERGENS:
        return kitchen_name(key, language)
    return tag_name(key, language) if language else read_by_people([key])[0]

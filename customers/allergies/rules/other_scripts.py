"""Notes in scripts whose words the lists do not have: that they speak of an allergy is found.

Japanese, Chinese, Korean, Thai, Arabic, Hebrew, Hindi, Russian and Greek. The cause stays with
whoever can read it.
"""

import re
from collections.abc import Iterator
from functools import cache
from unicodedata import normalize

from customers.allergies.findings import AllergenFinding
from customers.allergies.lexicon import read_file

NEAR = 12  # characters around the word in which a denial stands
BREAKS = re.compile("[,.;:!?\n、。！？،]")


def allergies_in(text: str) -> Iterator[AllergenFinding]:
    if text.isascii():
        return
    allergy, denial = pattern("allergy"), pattern("no")
    for found in allergy.finditer(text):
        before = BREAKS.split(text[max(0, found.start() - NEAR) : found.start()])[-1]
        after = BREAKS.split(text[found.end() : found.end() + NEAR])[0]
        if not (denial.search(before) or denial.search(after)):
            yield AllergenFinding("unspecified", "stated", found.span())


@cache
def pattern(kind: str) -> re.Pattern[str]:
    """The words of a kind, with their marks in one sign and apart."""
    listed = read_file("shared")["other_scripts"][kind].split(", ")
    written = {normalize(form, word) for form in ("NFC", "NFD") for word in listed}
    return re.compile("|".join(map(re.escape, sorted(written))), re.IGNORECASE)

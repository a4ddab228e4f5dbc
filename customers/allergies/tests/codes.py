"""Short codes of a note's reading for tests: `nuts` is stated, `nuts?` a hint."""

from customers.allergies.reading import read_note


def codes_of(text: str) -> set[str]:
    found = read_note(text).allergens
    return {f"{each.code}{'' if each.certainty == 'stated' else '?'}" for each in found}


def diets_of(text: str) -> set[str]:
    found = read_note(text).diets
    return {f"{each.code}{'' if each.certainty == 'stated' else '?'}" for each in found}

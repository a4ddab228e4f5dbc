"""The names of allergens and diets in the language of a kitchen, which no screen need have."""

import tomllib
from functools import lru_cache

from django.conf import settings
from django.utils import translation

from customers.allergies.labels import ALLERGENS, DIETS, name_of
from customers.allergies.lexicon import FOLDER
from customers.allergies.reading import read_note
from restaurants.codes import KITCHEN_LANGUAGES

IN_CATALOGUES = frozenset(code for code, _name in settings.LANGUAGES)


def kitchen_name(code: str, language: str) -> str:
    """In the kitchen's language; in the reader's where the kitchen has none."""
    if language in IN_CATALOGUES:
        with translation.override(language):
            return name_of(code)
    return _listed(language).get(code) or name_of(code)


def tag_name(tag: str, language: str) -> str:
    """A tag of the service in the kitchen's language, with the service's own word beside it.

    Groups make their own tags: one that names nothing, or two things, stays as it is.
    """
    code = code_of_tag(tag)
    name = kitchen_name(code, language) if code and language else ""
    return f"{name} ({tag})" if name and name.casefold() != tag.casefold() else tag


@lru_cache(maxsize=1024)
def code_of_tag(tag: str) -> str:
    """The one allergen or diet that a tag names, or nothing."""
    if tag.casefold() in ALLERGENS or tag.casefold() in DIETS:
        return tag.casefold()
    found = read_note(f"allergic to {tag}").allergens or read_note(tag).diets
    codes = [one.code for one in found if one.code != "unspecified"]
    return codes[0] if len(codes) == 1 else ""


@lru_cache(maxsize=len(KITCHEN_LANGUAGES))
def _listed(language: str) -> dict[str, str]:
    """The names of the word lists."""
    if language not in KITCHEN_LANGUAGES:
        return {}
    found: dict[str, str] = tomllib.loads((FOLDER / f"{language}.toml").read_text())["names"]
    return found

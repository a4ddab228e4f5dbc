"""The names of allergens and diets in the language of a kitchen, which no screen need have."""

import re
import tomllib
from collections.abc import Iterable
from functools import lru_cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import get_language

from customers.allergies.labels import ALLERGENS, DIETS, name_of
from customers.allergies.lexicon import FOLDER
from customers.allergies.reading import read_note
from restaurants.codes import KITCHEN_LANGUAGES

ENGLISH = "en"
NEGATION = re.compile(r"\b(no|not|non|without|free)\b", re.IGNORECASE)
IN_CATALOGUES = frozenset(code for code, _name in settings.LANGUAGES)


def kitchen_name(code: str, language: str) -> str:
    """In the kitchen's language; in the reader's where the kitchen has none."""
    if language in IN_CATALOGUES:
        with translation.override(language):
            return name_of(code)
    return _listed(language).get(code) or name_of(code)


def tag_name(tag: str, language: str) -> str:
    """A tag of the service in the kitchen's language, with the service's own word beside it.

    Groups make their own tags: one that names nothing, or two things, stays as it is; so does
    “no pork”, beside which the bare name of what must not be eaten would say the opposite.
    """
    codes = codes_of_tag(tag) if language else ()
    is_opposite = not ALLERGENS.keys().isdisjoint(codes) and NEGATION.search(tag)
    name = "" if is_opposite else ", ".join(kitchen_name(code, language) for code in codes)
    return f"{name} ({tag})" if name and name.casefold() != tag.casefold() else tag


def read_by_people(tags: Iterable[str]) -> list[str]:
    """Tags of the service in the reader's language, with the service's own words beside them.

    The service's words are English: who reads English reads them as they are.
    """
    language = get_language() or ENGLISH
    return list(tags) if language == ENGLISH else [tag_name(tag, language) for tag in tags]


def code_of_tag(tag: str) -> str:
    """The one allergen or diet that a tag names, or nothing."""
    codes = codes_of_tag(tag)
    return codes[0] if len(codes) == 1 else ""


@lru_cache(maxsize=1024)
def codes_of_tag(tag: str) -> tuple[str, ...]:
    """What a tag names: one allergen or diet, or all that one word means (“Shellfish”)."""
    if tag.casefold() in ALLERGENS or tag.casefold() in DIETS:
        return (tag.casefold(),)
    found = read_note(f"allergic to {tag}").allergens or read_note(tag).diets
    named = [one for one in found if one.code != "unspecified"]
    if not named and (code := re.sub(r"\W", "_", tag.casefold())) in DIETS:
        return (code,)
    is_one_word = len({one.span for one in named}) == 1
    return tuple(one.code for one in named) if is_one_word else ()


@lru_cache(maxsize=len(KITCHEN_LANGUAGES))
def _listed(language: str) -> dict[str, str]:
    """The names of the word lists."""
    if language not in KITCHEN_LANGUAGES:
        return {}
    found: dict[str, str] = tomllib.loads((FOLDER / f"{language}.toml").read_text())["names"]
    return found

"""Words of the service as people read them: enum words, locales, booleans, custom fields.

The service adds words without notice. A word that has a label here is translated; a new one is
made readable (“VERY_NEW” becomes “Very new”) and never shown as it was sent (docs/partner.md).
"""

import json
import re
from collections.abc import Mapping
from decimal import Decimal
from functools import lru_cache
from typing import Any

from django.conf.locale import LANG_INFO
from django.utils.formats import number_format
from django.utils.functional import Promise
from django.utils.translation import get_language, get_language_info
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from lib.text import fold

Labels = Mapping[str, "str | Promise"]

INSIDE_CAMEL_CASE = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
# Django names these languages, but its catalogues do not translate the names: ours do.
NAMED_BY_DJANGO = (_lazy("Norwegian"), _lazy("Norwegian Bokmal"), _lazy("Esperanto"))
# Languages that guests speak and Django has no name for.
MORE_LANGUAGES: Labels = {
    "am": _lazy("Amharic"),
    "fil": _lazy("Filipino"),
    "gu": _lazy("Gujarati"),
    "ku": _lazy("Kurdish"),
    "lo": _lazy("Lao"),
    "mg": _lazy("Malagasy"),
    "mt": _lazy("Maltese"),
    "ps": _lazy("Pashto"),
    "rm": _lazy("Romansh"),
    "si": _lazy("Sinhala"),
    "tl": _lazy("Filipino"),
    "zh": _lazy("Chinese"),
}
LOCALE = re.compile(r"[a-z]{2,3}(_[A-Z]{2})?")  # as the service writes it, without a script
BOOLEAN_TEXTS = {"true": True, "false": False}


def labelled(label: "str | Promise", value: "str | Promise") -> str:
    """Join both by the colon of the reader's language, which has a space before it in French."""
    return _("%(label)s: %(value)s") % {"label": label, "value": value}


def label_of(word: str, labels: Labels) -> str:
    """Return the translated label of a word, or the word made readable where it has none."""
    return str(labels[word]) if word in labels else readable(word)


def readable(word: str) -> str:
    """Return an enum word as plain text: “VERY_NEW”, “very_new” and “veryNew” are “Very new”."""
    words = INSIDE_CAMEL_CASE.sub(" ", word).replace("_", " ").split()
    return " ".join(words).lower().capitalize() or word


def language_label(locale: str) -> str:
    """Return the language of a locale in words: “pt_BR” is “Brazilian Portuguese”."""
    return _language_label(locale, get_language()) if locale else ""


@lru_cache(maxsize=1024)
def _language_label(locale: str, _language: str | None) -> str:
    code = locale.replace("_", "-").lower()
    bare = code.split("-")[0]
    try:
        return str(get_language_info(code)["name_translated"])
    except KeyError:
        other = _("Other language (%(code)s)") % {"code": bare}
        return str(MORE_LANGUAGES.get(bare, other))


def as_locale(code: str) -> str:
    """Return a language code as the service writes it: “PT-br” is “pt_BR”."""
    language, _dash, country = code.strip().replace("-", "_").partition("_")
    return f"{language.lower()}_{country.upper()}" if country else language.lower()


def language_choices(*, with_countries: bool = False) -> list[tuple[str, str]]:
    """Return every language that has a name, as locale and label, in the order of the labels."""
    return list(_language_choices(with_countries, get_language()))


@lru_cache(maxsize=16)
def _language_choices(with_countries: bool, _language: str | None) -> list[tuple[str, str]]:
    locales = {as_locale(code) for code in (*LANG_INFO, *MORE_LANGUAGES)}
    named: dict[str, str] = {}
    for locale in sorted(locales, key=lambda locale: (len(locale), locale)):
        if LOCALE.fullmatch(locale) and (with_countries or "_" not in locale):
            named.setdefault(language_label(locale), locale)
    return sorted(
        ((locale, label) for label, locale in named.items()), key=lambda pair: fold(pair[1])
    )


def yes_no(value: bool) -> str:
    return _("Yes") if value else _("No")


def value_label(value: Any, *, kind: str = "") -> str:
    """Return a value of a custom field as text. `kind` is its type in the service's word."""
    if kind == "boolean" and isinstance(value, str):
        value = BOOLEAN_TEXTS.get(value.lower(), value)
    if isinstance(value, bool):
        return yes_no(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, float):
        return str(number_format(Decimal(str(value))))
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else str(value)

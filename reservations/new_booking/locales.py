"""The language of a new guest: the usual ones, every other with a name, or any by its code."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy as _

from lib.labels import as_locale, language_choices

OTHER = "other"
USUAL = {
    "fr_FR": _("French"),
    "en_GB": _("English"),
    "en_US": _("English (US)"),
    "es_ES": _("Spanish"),
    "it_IT": _("Italian"),
    "de_DE": _("German"),
    "nl_NL": _("Dutch"),
    "pt_PT": _("Portuguese"),
    "sv_SE": _("Swedish"),
    "da_DK": _("Danish"),
    "ja_JP": _("Japanese"),
    "zh_CN": _("Chinese"),
}


def guest_language_choices() -> list[tuple[Any, Any]]:
    usual = {str(label) for label in USUAL.values()}
    rest = [
        (locale, label)
        for locale, label in language_choices(with_countries=True)
        if locale not in USUAL and label not in usual
    ]
    return [
        ("", _("Choose")),
        (_("Usual"), list(USUAL.items())),
        (_("All languages"), rest),
        (OTHER, _("Another language, by its code")),
    ]


def chosen_locale(data: Mapping[str, Any]) -> str:
    """The locale that a form names, in the list or typed, as the service writes it."""
    chosen = str(data.get("locale") or "")
    return as_locale(str(data.get("locale_code") or "")) if chosen == OTHER else chosen

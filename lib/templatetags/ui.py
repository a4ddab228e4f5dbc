"""The words that every template may use: icons, phase badges, element ids, time."""

import json
import re
from collections.abc import Iterator
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any

from django import forms, template
from django.core.paginator import Page
from django.forms.boundfield import BoundField
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from lib.labels import labelled, language_label, readable, value_label
from lib.money import mean_money, money
from lib.web.addresses import return_address

register = template.Library()
register.filter(return_address)
register.filter("language_name", language_label)
register.filter("as_money", money)  # of an amount that was sent
register.filter("as_mean_money", mean_money)  # of one that was worked out

# What a booking is right now, in the order of an evening. Each has a symbol `phase-<name>`.
PHASES = {
    "requested": _("Requested"),
    "booked": pgettext_lazy("a booking", "Booked"),
    "due": _("Due"),
    "late": _("Late"),
    "partly-here": _("Partly here"),
    "here": _("Here"),
    "seated": _("Seated"),
    "bill": _("Bill"),
    "left": _("Left"),
    "no-show": _("No-show"),
    "cancelled": _("Cancelled"),
    "refused": _("Refused"),
    "unmarked": _("Not marked"),
}

# What to know about a guest, in the fixed order in which boards show it.
MARKS = {
    "allergy": _("Allergy"),
    "allergy-noted": _("Allergy in a note"),
    "allergy-maybe": _("Perhaps an allergy: ask"),
    "caution": _("Caution"),
    "vip": _("VIP"),
    "note": _("Note from the guest"),
    "diet": _("Diet"),
    "birthday": _("Birthday"),
    "offer": _("Offer"),
    "first": _("First visit"),
}

SYMBOL = re.compile(r'<symbol id="([^"]+)" viewBox="0 0 24 24">(.+)</symbol>')
SYMBOLS = {
    name: mark_safe(lines)  # noqa: S308  # our own file
    for name, lines in SYMBOL.findall(
        (Path(__file__).resolve().parent.parent / "icons.svg").read_text()
    )
}


@register.simple_tag
@lru_cache(maxsize=256)
def icon(name: str, kind: str = "") -> SafeString:
    """Draw a symbol. It is decoration: the word stands beside it.

    Its lines are written out, because a browser needs twice as long for a board whose symbols are
    found by `<use>`.
    """
    return format_html(
        '<svg class="icon{}" viewBox="0 0 24 24" aria-hidden="true">{}</svg>',
        f" icon--{kind}" if kind else "",
        SYMBOLS.get(name, ""),
    )


@register.simple_tag
def phase(name: str, word: str = "") -> SafeString:
    """Draw the badge of a phase; one that we do not know shows its word, in grey."""
    if name not in PHASES:
        return format_html('<span class="badge">{}</span>', word or readable(name))
    return format_html(
        '<span class="badge" data-phase="{}">{}<span class="badge__word">{}</span></span>',
        name,
        icon(f"phase-{name}"),
        PHASES[name],
    )


@register.simple_tag
def mark_sign(name: str, word: str = "") -> SafeString:
    """Draw what a mark looks like: its symbol, or for a first visit the word, which says more."""
    if name != "first":
        return icon(name)
    return format_html('<span aria-hidden="true">{}</span>', word or _("1st"))


@register.simple_tag
def mark(name: str, detail: str = "") -> SafeString:
    """Draw a mark without a visible word; readers and the tooltip get the word and the detail."""
    words = labelled(MARKS[name], detail) if detail else MARKS[name]
    return format_html(
        '<span class="glyph" data-mark="{}" title="{}">{}<span class="visually-hidden">{}</span>'
        "</span>",
        name,
        words,
        mark_sign(name, str(_("1st visit"))),
        words,
    )


@register.filter
def element_id(thing: Any, prefix: str = "") -> str:
    """Name the element of one object: `reservation-<uuid>`, or `<prefix>-<uuid>`."""
    return f"{prefix or thing._meta.model_name}-{getattr(thing, 'uuid', thing.pk)}"


@register.filter
def initials(person: object) -> str:
    """The two letters of an avatar."""
    words = str(person).replace("@", " ").replace(".", " ").split()
    return "".join(word[0] for word in words[:2])


@register.filter
def keystrokes(keys: str) -> list[str]:
    """The keys of a shortcut, one by one: `g t` is two."""
    return keys.split()


@register.filter
def is_checkbox(field: BoundField) -> bool:
    """Whether the control stands before its label."""
    return isinstance(field.field.widget, forms.CheckboxInput)


@register.filter
def page_numbers(page: "Page[Any]") -> Iterator[int | str]:
    """The page numbers worth a link, with an ellipsis for the others."""
    return page.paginator.get_elided_page_range(page.number, on_each_side=1, on_ends=1)


@register.filter
def field_value(field: Any) -> str:
    """The value of a custom field in words: Yes or No, a number, the text itself."""
    if not isinstance(field, dict):
        return value_label(field)
    return value_label(field.get("value"), kind=field.get("type", ""))


@register.filter
def grouped(value: Any) -> Any:
    """A number with its thousands apart, as the language writes it; anything else as it is."""
    is_number = isinstance(value, int | float | Decimal) and not isinstance(value, bool)
    return number_format(value, force_grouping=True) if is_number else value


@register.filter
def broken_at_slashes(path: str) -> SafeString:
    """A name like America/Argentina/ComodRivadavia, in lines where it is too long for one."""
    return format_html_join(mark_safe("/<wbr>"), "{}", ((part,) for part in path.split("/")))


@register.filter
def at_least(number: int, is_missing: object = True) -> str:
    """A number to which some may be missing: none is not known to be none."""
    if not is_missing:
        return str(grouped(number))
    return f"{grouped(number)}+" if number else "–"


@register.filter
def as_json(payload: Any) -> str:
    """A payload as a person can read it. It is escaped like any other text."""
    return json.dumps(payload, indent=2, ensure_ascii=False, default=str)

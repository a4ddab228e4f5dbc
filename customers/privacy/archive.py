"""The export of one guest as a ZIP file: JSON for machines, an HTML page for people."""

import io
import json
import zipfile
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from customers import personal_data
from customers.fact_lines import FactLines, Line, verbose_names
from customers.models import CIVILITIES, RANKS, Customer, NoteDecision, ProfileView
from customers.privacy import erasure

TITLES = {
    "guest": _("The guest"),
    "unread_answer": _("Answer that could not be read"),
    "derived": _("Worked out here"),
    "read_at": _("Last synced"),
    "first_seen_at": _("First seen"),
    "changes": _("Changes"),
    "house_notes": _("Internal note"),
    "decided_readings": _("Allergies and diets in notes, confirmed or dismissed"),
    "looked_at": _("Who looked"),
}
LINES = FactLines(
    fields={
        **verbose_names(Customer),
        "customer_uuid": _("guest's number"),
        "origin_restaurant_uuid": _("first met at (number)"),
        "optins": _("agreed to"),
        "seen_at": _("seen"),
        "changed_at": _("changed"),
        "field": _("what"),
        "from": _("before"),
        "to": _("after"),
        "text": _("text"),
        "at": _("when"),
        "what": _("what"),
        "second_phone": _("second phone"),
        "outcome": _("outcome"),
    },
    words={
        "civility": CIVILITIES,
        "rank": RANKS,
        "what": dict(ProfileView.What.choices),
        "outcome": dict(NoteDecision.Outcome.choices),
    },
)
# A fixed date, so that the file does not depend on this machine's clock.
DATE_OF_ENTRIES = (1980, 1, 1, 0, 0, 0)


def pack(guest: Customer, *, now: datetime) -> bytes:
    held = erasure.collect(guest)
    parts = [_part(name, facts) for name, facts in held.items()]
    page = render_to_string("customers/archive.html", {"guest": guest, "now": now, "parts": parts})
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(_entry("guest.json"), json.dumps(held, indent=2, ensure_ascii=False))
        file.writestr(_entry("guest.html"), page)
    return buffer.getvalue()


def _part(name: str, facts: Any) -> tuple[str | Promise, list[Line]]:
    """What one app holds, under its title, as lines for people."""
    for provider in personal_data.PROVIDERS:
        if provider.name == name:
            return provider.title, list(provider.lines.of(facts))
    return TITLES[name], list(LINES.of(facts, key=name))


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=DATE_OF_ENTRIES)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry

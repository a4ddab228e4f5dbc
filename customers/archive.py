"""Everything held on one person, packed as a file: JSON for machines, a page for people."""

import io
import json
import zipfile
from datetime import datetime
from typing import Any

from django.template.loader import render_to_string

from customers import holdings, privacy
from customers.models import Customer

# An entry's date is a fact about the person's request, not about this machine's clock.
DATE_OF_ENTRIES = (1980, 1, 1, 0, 0, 0)


def pack(guest: Customer, *, now: datetime) -> bytes:
    held = privacy.collect(guest)
    titles = {holding.name: holding.title for holding in holdings.HOLDINGS}
    page = render_to_string(
        "customers/archive.html",
        {
            "guest": guest,
            "now": now,
            "parts": [(titles.get(k, k), _lines(v)) for k, v in held.items()],
        },
    )
    sheet = io.BytesIO()
    with zipfile.ZipFile(sheet, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(_entry("guest.json"), json.dumps(held, indent=2, ensure_ascii=False))
        file.writestr(_entry("guest.html"), page)
    return sheet.getvalue()


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, date_time=DATE_OF_ENTRIES)
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _lines(value: Any, path: str = "") -> list[tuple[str, str]]:
    """A tree of facts as lines: where it stands, and what it says."""
    if isinstance(value, dict):
        pairs = [(f"{path} › {key}" if path else key, inside) for key, inside in value.items()]
    elif isinstance(value, list):
        pairs = [(f"{path} {n}".strip(), inside) for n, inside in enumerate(value, start=1)]
    else:
        return [(path, "–" if value in (None, "") else str(value))]
    return [line for name, inside in pairs for line in _lines(inside, name)]

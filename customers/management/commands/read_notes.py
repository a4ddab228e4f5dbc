"""Notes as JSON lines in, what they say of allergies and diets as JSON lines out."""

import json
import sys
from codecs import BOM_UTF8
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand

from customers.allergies.findings import AllergenFinding, DietFinding, NoteReading
from customers.allergies.reading import read_note
from lib.processes.closed_pipes import until_nobody_reads


def allergen_line(found: AllergenFinding) -> dict[str, Any]:
    return {
        "code": found.code,
        "certainty": found.certainty,
        "severe": found.is_severe,
        "people": found.people,
        "span": list(found.span),
    }


def diet_line(found: DietFinding) -> dict[str, Any]:
    return {
        "code": found.code,
        "certainty": found.certainty,
        "people": found.people,
        "span": list(found.span),
    }


def as_line(reading: NoteReading) -> str:
    return json.dumps(
        {
            "allergens": [allergen_line(found) for found in reading.allergens],
            "diets": [diet_line(found) for found in reading.diets],
        }
    )


def text_of(line: bytes | str) -> str | None:
    """None for what is no note. A text of null is an empty one."""
    try:
        note = json.loads(line.removeprefix(BOM_UTF8) if isinstance(line, bytes) else line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(note, dict) or "text" not in note:
        return None
    text = "" if note["text"] is None else note["text"]
    return text if isinstance(text, str) else None


class Command(BaseCommand):
    help = "Read notes: JSON lines with text and locale in, allergens and diets out."
    requires_system_checks: list[str] = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        with until_nobody_reads():
            for number, line in enumerate(self._lines(), start=1):
                if line.strip():
                    self.stdout.write(self._answer(line, number=number))
                    self.stdout.flush()  # for a program that waits for each answer

    def _lines(self) -> Iterator[bytes | str]:
        """Bytes where there are some: a line that is no UTF-8 is named like any other fault."""
        return iter(getattr(sys.stdin, "buffer", sys.stdin))

    def _answer(self, line: bytes | str, *, number: int) -> str:
        text = text_of(line)
        if text is not None:
            return as_line(read_note(text))
        fault = f'Line {number} is not a note: {{"text": "…", "locale": "fr_FR"}}.'
        self.stderr.write(fault)
        return json.dumps({"allergens": [], "diets": [], "error": fault})

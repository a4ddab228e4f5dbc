"""Notes as JSON lines in, what they say of allergies and diets as JSON lines out."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from customers.allergies.findings import AllergenFinding, DietFinding, NoteReading
from customers.allergies.reading import read_note


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


class Command(BaseCommand):
    help = "Read notes: JSON lines with text and locale in, allergens and diets out."
    requires_system_checks: list[str] = []

    def handle(self, *_args: Any, **_options: Any) -> None:
        for number, line in enumerate(sys.stdin, start=1):
            if line.strip():
                note = self._note(line, number=number)
                self.stdout.write(as_line(read_note(note.get("text") or "", note.get("locale"))))

    def _note(self, line: str, *, number: int) -> dict[str, Any]:
        try:
            note = json.loads(line)
        except ValueError:
            note = None
        if not isinstance(note, dict) or not isinstance(note.get("text") or "", str):
            raise CommandError(
                f'Line {number} is not a note: {{"text": "…", "locale": "fr_FR"}}.'
                " The lines before it were read, those after it were not."
            )
        return note

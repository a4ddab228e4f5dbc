"""Notes as JSON lines in, what they say of allergies and diets as JSON lines out."""

import json
import sys
from typing import Any

from django.core.management.base import BaseCommand

from customers.allergies.findings import AllergenFinding, DietFinding, Reading
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


def as_line(reading: Reading) -> str:
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
        for line in sys.stdin:
            if line.strip():
                note = json.loads(line)
                self.stdout.write(as_line(read_note(note.get("text") or "", note.get("locale"))))

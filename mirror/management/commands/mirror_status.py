"""Print the health of the mirror, for scripts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from mirror.health import sections


class Command(BaseCommand):
    help = "Say how the way in is doing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")

    def handle(self, *_args: Any, **options: Any) -> None:
        now = timezone.now()
        parts = sections.sections(now)
        if options["json"]:
            self.stdout.write(json.dumps(sections.as_json(parts), default=str, indent=2))
            return
        self.stdout.write(sections.sentence(parts).sentence)
        for part in parts:
            self.stdout.write(f"  {part.title} [{part.state}]: {part.sentence}")

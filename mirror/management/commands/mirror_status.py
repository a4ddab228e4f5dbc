"""Print the health of the mirror, for scripts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from mirror.health import sections
from partner.named_connections import add_connection, named_connection


class Command(BaseCommand):
    help = "Say how the way in is doing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")
        add_connection(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        now = timezone.now()
        account = named_connection(options["connection"])
        parts = sections.sections(now, accounts=[account] if account else None)
        if options["json"]:
            self.stdout.write(json.dumps(sections.as_json(parts), default=str, indent=2))
            return
        self.stdout.write(sections.sentence(parts).sentence)
        for part in parts:
            self.stdout.write(f"  {part.heading} [{part.state}]: {part.sentence}")

"""Health check of containers: whether a worker or beat left a heartbeat lately."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from mirror.health import sections


class Command(BaseCommand):
    help = "Exit with 1 unless the process (worker or beat) was seen within half a minute."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("process", choices=["worker", "beat"])

    def handle(self, *, process: str, **options: Any) -> None:
        if sections.is_silent(process, now=timezone.now()):
            self.stderr.write(f"The {process} was not seen within half a minute.")
            sys.exit(1)

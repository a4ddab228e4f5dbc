"""Set up connections, groups and restaurants from a file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from partner.models import Connection
from restaurants.provisioning.entries import FileFaults
from restaurants.provisioning.provision import plan, provision


class Command(BaseCommand):
    help = "Set up connections, groups and restaurants from a TOML file. Repeating it is safe."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--plan", action="store_true", help="print what would change, and write nothing"
        )

    def handle(self, *, file: Path, **options: Any) -> None:
        apply = plan if options["plan"] else provision
        try:
            outcomes = apply(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            self.refuse([f"{file} cannot be read: {error}."])
        except FileFaults as error:
            self.refuse([f"{file}, {fault}" for fault in error.faults])
        for outcome in outcomes:
            self.stdout.write(str(outcome))
        if all(outcome.verb == "left" for outcome in outcomes):
            self.stdout.write("Nothing to change.")
        if options["plan"]:
            self.stdout.write("Nothing was written: this is a plan.")
        else:
            self.print_webhook_addresses()

    def refuse(self, sentences: list[str]) -> None:
        for sentence in sentences:
            self.stderr.write(sentence)
        sys.exit(1)

    def print_webhook_addresses(self) -> None:
        found = list(Connection.objects.active())
        if not found:
            self.stdout.write("No connection yet, so there is no webhook address.")
        for one in found:
            whose = f" of {one}" if len(found) > 1 else ""
            self.stdout.write(f"Webhook address{whose}: {one.webhook_url}")

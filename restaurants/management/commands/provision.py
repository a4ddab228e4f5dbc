"""Set up a connection, groups and restaurants from a file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from partner.errors import NotConfigured
from partner.models import Connection
from restaurants.provisioning.provision import FileFaults, provision


class Command(BaseCommand):
    help = "Set up a connection, groups and restaurants from a TOML file. Repeating it is safe."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *, file: Path, **options: Any) -> None:
        try:
            outcomes = provision(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            self.refuse([f"{file} cannot be read: {error}."])
        except FileFaults as error:
            self.refuse([f"{file}, {fault}" for fault in error.faults])
        for outcome in outcomes:
            self.stdout.write(str(outcome))
        if all(outcome.verb == "left" for outcome in outcomes):
            self.stdout.write("Nothing to change.")
        self.tell_webhook_address()

    def refuse(self, sentences: list[str]) -> None:
        for sentence in sentences:
            self.stderr.write(sentence)
        sys.exit(1)

    def tell_webhook_address(self) -> None:
        try:
            self.stdout.write(f"Webhook address: {Connection.objects.current().webhook_url}")
        except NotConfigured:
            self.stdout.write("No connection yet, so there is no webhook address.")

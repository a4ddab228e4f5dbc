"""Set up connections, groups and restaurants from a file."""

import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.models import User
from accounts.password_links.invitations import link_for
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
            self.print_sign_in_links()
            self.print_webhook_addresses()

    def refuse(self, sentences: list[str]) -> None:
        for sentence in sentences:
            self.stderr.write(sentence)
        sys.exit(1)

    def print_sign_in_links(self) -> None:
        """For owners who have never signed in and have no password: once, within a week."""
        for one in User.objects.owners().filter(last_login=None).order_by("email"):
            if not one.has_usable_password():
                self.stdout.write(f"Sign-in link of {one.email}: {link_for(one)}")

    def print_webhook_addresses(self) -> None:
        found = list(Connection.objects.active())
        if not found:
            self.stdout.write("No connection yet, so there is no webhook address.")
        for one in found:
            whose = f" of {one}" if len(found) > 1 else ""
            self.stdout.write(f"Webhook address{whose}: {one.webhook_url}")

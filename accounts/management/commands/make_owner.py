"""Make a person an owner of a connection, or of the installation, from the shell."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from partner.models import Connection
from partner.named_connections import add_connection, named_connection


class Command(BaseCommand):
    help = "Make a person an owner of the installation: connection, credentials, groups, owners."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")
        add_connection(parser)

    def handle(self, *, email: str, **options: Any) -> None:
        connection = named_connection(options["connection"])
        if connection is None and Connection.objects.current_ones().count() > 1:
            raise CommandError("Say which connection is meant: --connection NAME.")
        person = User.objects.filter(email__iexact=email, is_active=True).first()
        if person is None:
            raise CommandError(f"Nobody who may sign in has the address {email}.")
        person.make_owner([connection.pk] if connection else [])
        what = connection.name if connection else "the installation"
        self.stdout.write(f"{person.email} is an owner of {what}.")

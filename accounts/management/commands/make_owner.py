"""Make a person an owner of the installation, from the shell."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User


class Command(BaseCommand):
    help = "Make a person an owner of the installation: connection, credentials, groups, owners."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *, email: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=email, is_active=True).first()
        if person is None:
            raise CommandError(f"Nobody who may sign in has the address {email}.")
        person.make_owner()
        self.stdout.write(f"{person.email} is an owner of the installation.")

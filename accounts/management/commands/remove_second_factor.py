"""Remove a person's second factor, from the shell: after the loss of device and codes."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts import audit
from accounts.models import User


class Command(BaseCommand):
    help = "Remove the second factor and the recovery codes of a person. Check who asks first."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("email")

    def handle(self, *, email: str, **options: Any) -> None:
        person = User.objects.filter(email__iexact=email, is_active=True).first()
        if person is None:
            raise CommandError(f"Nobody who may sign in has the address {email}.")
        removed, _models = Authenticator.objects.filter(user=person).delete()
        audit.record(person, "lost the second factor", details={"count": removed})
        self.stdout.write(f"{person.email} signs in without a second factor now.")

"""The telephone system's address, for scripts that set an installation up."""

from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from phone.models import PhoneSystem


class Command(BaseCommand):
    help = "Print the address at which a telephone system reports its calls; make it if need be."

    def handle(self, *_args: Any, **_options: Any) -> None:
        system = PhoneSystem.objects.first()
        if system is None:
            system = PhoneSystem()
            system.rotate(now=timezone.now())
        self.stdout.write(system.address)

"""The telephone system's address, for scripts that set an installation up."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from partner.models import Connection
from partner.named_connections import add_connection, one_connection
from phone.models import PhoneSystem


class Command(BaseCommand):
    help = "Print the address at which a telephone system reports its calls; make it if need be."

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_connection(parser)

    def handle(self, *_args: Any, connection: str, **_options: Any) -> None:
        is_any = bool(connection) or Connection.objects.current_ones().exists()
        chosen = one_connection(connection) if is_any else None
        if chosen and chosen.state == Connection.State.RETIRED:
            raise CommandError(f"{chosen.name} is retired. No address was made.")
        system = PhoneSystem.objects.of(chosen)
        system = system or PhoneSystem.objects.rotate_of(chosen, now=timezone.now())
        self.stdout.write(system.address)

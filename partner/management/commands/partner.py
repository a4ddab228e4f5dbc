"""Operator command: test the connection, show the key's age, print an answer. No secrets."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from partner import factory
from partner.auth.capabilities import CapabilityMap
from partner.errors import PartnerError
from partner.group_moves import GROUP_MOVES, MoveRefused
from partner.models import Connection, Token, TokenRequest
from partner.named_connections import add_connection, named_connection, one_connection
from partner.setup_pages.probes import try_connection

STEERED = {
    "pause": "Nothing is sent or read; events are stored.",
    "resume": "What waited is sent and read now.",
    "retire": "Its credentials are deleted; its history is kept.",
}


class Command(BaseCommand):
    help = (
        "ping: try the key and each right · token: its age and end · get PATH: print an answer · "
        "pause, resume: stop and restart all calls · retire: delete the credentials for good · "
        "move GROUP --to NAME: to another connection, which must own it as well."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["ping", "token", "get", "move", *STEERED])
        parser.add_argument("path", nargs="?", default="")
        add_connection(parser)
        parser.add_argument("--to", default="", metavar="NAME", help="where a group moves")

    def handle(self, *args: Any, what: str, path: str, **options: Any) -> None:
        if what in STEERED:
            return self._steer(what, one_connection(options["connection"]))
        if what == "move":
            return self._move(path, options["to"])
        try:
            account = named_connection(options["connection"]) or Connection.objects.current()
            {"ping": self._ping, "token": self._token, "get": self._get}[what](account, path)
        except PartnerError as fault:
            raise CommandError(f"{fault.sentence} {fault.next_step} ({fault})") from fault

    def _steer(self, what: str, connection: Connection) -> None:
        if connection.state == Connection.State.RETIRED and what != "retire":
            raise CommandError(f"{connection.name} is retired. Nothing was changed.")
        getattr(connection, what)()
        self.stdout.write(f"{connection.name} is {connection.state}. {STEERED[what]}")

    def _move(self, group: str, to: str) -> None:
        target = named_connection(to)
        if target is None:
            raise CommandError("Say where the group moves: --to NAME.")
        try:
            for move in GROUP_MOVES:
                self.stdout.write(move(group, target))
        except MoveRefused as refused:
            raise CommandError(f"{refused} Nothing was changed.") from None
        except PartnerError as fault:
            raise CommandError(f"{fault.sentence} {fault.next_step} ({fault})") from fault

    def _ping(self, connection: Connection, _path: str) -> None:
        today = timezone.now().date()
        results = try_connection(factory.client(connection.pk), connection, today=today)
        for result in results:
            mark = "ok" if result.is_good else "--"
            self.stdout.write(f"{mark}  {result.label}: {result.sentence} {result.next_step}")
        if not results[0].is_good:
            raise CommandError("The key could not be tried.")

    def _token(self, connection: Connection, _path: str) -> None:
        row = Token.objects.of(connection)
        now = timezone.now()
        is_valid = bool(row.usable_until and row.usable_until > now)
        token_requests = TokenRequest.objects.filter(connection=connection)
        facts = {
            "valid": is_valid,
            "asked_at": row.requested_at and row.requested_at.isoformat(),
            "renewed_from": row.renew_from and row.renew_from.isoformat(),
            "paused_until": row.paused_until and row.paused_until.isoformat(),
            "last_error": row.last_error,
            "asked_for": token_requests.count(),
            "asked_for_early": token_requests.filter(is_forced=True).count(),
            "rights": [c.feature.key for c in CapabilityMap(connection).every() if c.is_granted],
        }
        self.stdout.write(json.dumps(facts, indent=2))

    def _get(self, connection: Connection, path: str) -> None:
        self.stdout.write(factory.client(connection.pk).get(path).text)

"""Every mirrored entity as one line of JSON, the payload exactly as the API sent it."""

import json
from argparse import ArgumentParser
from datetime import UTC, datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lib.processes.closed_pipes import until_nobody_reads
from lib.text import as_json_line
from mirror import kinds
from partner.named_connections import add_connection, named_connection


def instant(text: str) -> datetime:
    """Read an ISO 8601 instant or day; without an offset it is UTC."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise CommandError(f"“{text}” is not an ISO 8601 instant.") from None
    return found if timezone.is_aware(found) else found.replace(tzinfo=UTC)


class Command(BaseCommand):
    help = "Write the mirror as JSON Lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kind", required=True, choices=kinds.names())
        parser.add_argument("--since", type=instant, help="only what was read since")
        add_connection(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        kind = kinds.get(options["kind"])
        rows = kind.model._default_manager.order_by("pk")
        if options["since"]:
            rows = rows.filter(read_at__gte=options["since"])
        if account := named_connection(options["connection"]):
            rows = rows.filter(**{f"{kind.joins}__connection": account})
        with until_nobody_reads():
            for row in rows.select_related(kind.joins).iterator(chunk_size=500):
                self.stdout.write(self._line(kind, row))

    def _line(self, kind: kinds.Kind, row: Any) -> str:
        group, restaurant = kind.owner(row)
        head = {
            "kind": kind.name,
            "uuid": str(row.uuid),
            "group_uuid": str(group),
            "restaurant_uuid": str(restaurant) if restaurant else None,
            "state": row.presence,
            "read_at": row.read_at.isoformat(),
        }
        # The payload is pasted as text: parsing and printing it again could respell a number.
        return f'{json.dumps(head)[:-1]}, "payload": {as_json_line(row.raw)}}}'

"""How the way out is doing, for scripts."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.db.models import Count
from django.utils import timezone

from outbox.models import Intent
from partner.named_connections import add_connection, named_connection


class Command(BaseCommand):
    help = "Count intents by state, with the age of the oldest open one."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true")
        add_connection(parser)

    def handle(self, *_args: Any, **options: Any) -> None:
        states = dict.fromkeys(Intent.State.values, 0)
        intents = Intent.objects.all()
        if account := named_connection(options["connection"]):
            intents = intents.filter(restaurant__group__connection=account)
        counted = intents.order_by().values_list("state").annotate(n=Count("pk"))
        states.update(dict(counted))
        oldest = intents.open().order_by("created_at").first()
        age = (timezone.now() - oldest.created_at).total_seconds() if oldest else 0.0
        if options["json"]:
            report = {"states": states, "oldest_open_age_seconds": round(age, 1)}
            self.stdout.write(json.dumps(report))
            return
        for state, number in states.items():
            self.stdout.write(f"{state}: {number}")
        self.stdout.write(f"oldest open: {age:.0f} s")

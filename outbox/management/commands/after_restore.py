"""Prepare a restored database, before anything is started on it."""

from typing import Any

from django.contrib.sessions.models import Session
from django.core.management.base import BaseCommand
from django.utils import timezone

from outbox import engine


class Command(BaseCommand):
    help = (
        "Run this once on a restored database, before web, worker and beat: it withdraws the"
        " changes that waited to be sent, and signs everybody out."
    )

    def handle(self, **options: Any) -> None:
        withdrawn, open_questions = engine.stop_all(now=timezone.now())
        # Sign-outs since the backup count, and open pages show what this database has never seen.
        signed_out, _models = Session.objects.all().delete()
        self.stdout.write(f"Changes withdrawn that waited to be sent: {withdrawn}")
        self.stdout.write(f"Changes under way that a person decides about: {open_questions}")
        self.stdout.write(f"Sign-ins ended: {signed_out}")

"""Read a range of evenings, their guests and their reviews into the mirror."""

from argparse import ArgumentParser
from datetime import date
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from lib.database.sqlite import keep_few_statements
from lib.processes.gc_tuning import keep_what_is_loaded
from lib.processes.memory_arenas import use_few_arenas
from lib.processes.one_core import on_one_core
from mirror import kinds
from mirror.jobs import job_runner, lifecycle, windows
from mirror.models import Job
from partner.named_connections import add_connection, named_connection
from restaurants.models import Restaurant


class Command(BaseCommand):
    help = "Read reservations, customers and reviews of a range of days into the mirror."
    requires_system_checks: list[str] = []  # they load every page, 14 MiB for hours of reading

    def run_from_argv(self, argv: list[str]) -> None:
        keep_few_statements()  # while no connection is open
        super().run_from_argv(argv)

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--since", type=date.fromisoformat, required=True)
        parser.add_argument("--until", type=date.fromisoformat, required=True)
        parser.add_argument("--restaurant", type=UUID, action="append", default=[])
        parser.add_argument("--kind", action="append", default=[], choices=kinds.names())
        add_connection(parser)
        parser.add_argument("--wait", action="store_true", help="stay until everything is read")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["until"] < options["since"]:
            raise CommandError("--until lies before --since. Nothing was started.")
        if options["since"] < windows.EARLIEST or options["until"] > windows.LATEST:
            limits = f"{windows.EARLIEST} and {windows.LATEST}"
            raise CommandError(f"Days lie between {limits}. Nothing was started.")
        chosen = self._restaurants(options["restaurant"], options["connection"])
        jobs = [self._start(own, **options) for own in lifecycle.by_account(chosen)]
        if options["wait"]:
            keep_what_is_loaded()
            use_few_arenas()
            with on_one_core():
                for job in jobs:
                    job_runner.run_until_done(job, report=self.stdout.write)

    def _start(self, restaurants: list[Restaurant], **options: Any) -> Job:
        job = lifecycle.backfill(
            since=options["since"],
            until=options["until"],
            now=timezone.now(),
            kind_names=options["kind"],
            restaurants=restaurants,
        )
        self.stdout.write(f"Backfill {job.pk}: {job.slices.count()} listings to read.")
        return job

    def _restaurants(self, uuids: list[UUID], connection: str) -> list[Restaurant]:
        places = windows.everywhere()
        if account := named_connection(connection):
            places = places.filter(group__connection=account)
        if not uuids:
            if not places:
                raise CommandError("No restaurant is set up yet. Run `provision` first.")
            return list(places)
        found = list(places.filter(uuid__in=uuids))
        missing = {str(u) for u in uuids} - {str(r.uuid) for r in found}
        if missing:
            raise CommandError(f"Not set up here: {', '.join(sorted(missing))}.")
        return found

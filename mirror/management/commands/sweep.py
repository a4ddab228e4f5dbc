"""Compare the recent past with the service now, as the schedule would."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from mirror.jobs import job_runner, lifecycle, windows
from mirror.models import Job
from partner.named_connections import add_connection, named_connection
from restaurants.models import Restaurant

MOST_DAYS = 3660


class Command(BaseCommand):
    help = "Compare the recent past with the service and repair what events missed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, help="reach back this many days")
        add_connection(parser)
        parser.add_argument("--wait", action="store_true", help="stay until everything is read")

    def handle(self, *_args: Any, **options: Any) -> None:
        if not 0 <= (options["days"] or 0) <= MOST_DAYS:
            raise CommandError(f"--days is 1 to {MOST_DAYS}. Nothing was started.")
        places = windows.everywhere()
        if account := named_connection(options["connection"]):
            places = places.filter(group__connection=account)
        jobs = [self._start(own, options["days"]) for own in lifecycle.by_account(places) or [[]]]
        if options["wait"]:
            for job in jobs:
                job_runner.run_until_done(job, report=self.stdout.write)

    def _start(self, restaurants: list[Restaurant], days: int | None) -> Job:
        job = lifecycle.sweep(now=timezone.now(), days=days, restaurants=restaurants)
        self.stdout.write(f"Sweep {job.pk}: {job.slices.count()} listings to read.")
        return job

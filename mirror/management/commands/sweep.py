"""Compare the recent past with the service now, as the schedule would."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from mirror.jobs import job_runner, lifecycle


class Command(BaseCommand):
    help = "Compare the recent past with the service and repair what events missed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--days", type=int, help="reach back this many days")
        parser.add_argument("--wait", action="store_true", help="stay until everything is read")

    def handle(self, *_args: Any, **options: Any) -> None:
        job = lifecycle.sweep(now=timezone.now(), days=options["days"])
        self.stdout.write(f"Sweep {job.pk}: {job.slices.count()} listings to read.")
        if options["wait"]:
            job_runner.run_until_done(job, report=self.stdout.write)

"""Write made-up reservations and guests for load tests. Refused in production."""

import time
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from lib.database import bulk
from reservations import history

GUESTS_PER_RESERVATION = 0.3


class Command(BaseCommand):
    help = "Write made-up reservations and guests straight into the database, for load tests."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--reservations", type=int, required=True)
        parser.add_argument("--customers", type=int, help="default: 0.3 for each reservation")
        parser.add_argument("--restaurants", type=int, default=20)
        parser.add_argument("--seed", type=int, default=1, help="another seed adds more rows")

    def handle(self, *args: Any, **options: Any) -> None:
        if not (settings.DEBUG or settings.BENCH):
            raise CommandError("Made-up guests are for load tests: set DEBUG or BENCH.")
        number = options["reservations"]
        guests = options["customers"]
        plan = history.Plan(
            reservations=number,
            customers=int(number * GUESTS_PER_RESERVATION) if guests is None else guests,
            busy_day=timezone.localdate(),
            seed=options["seed"],
        )
        self._write(plan, restaurants=options["restaurants"])

    def _write(self, plan: history.Plan, *, restaurants: int) -> None:
        began = time.monotonic()
        places = history.set_up(restaurants)
        guests = bulk.load(history.customers(plan, places))
        bookings = bulk.load(history.reservations(plan, places))
        seconds = time.monotonic() - began
        self.stdout.write(
            f"{bookings} reservations and {guests} guests in {seconds:.0f} s; "
            f"the busy day is {plan.busy_day}."
        )

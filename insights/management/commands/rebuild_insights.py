"""Count all sums again. Needed after a restore, or after rows were changed by hand."""

import time
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from insights.sums import recount
from restaurants.models import Restaurant


class Command(BaseCommand):
    help = "Count the numbers of the insights pages anew, restaurant by restaurant."

    def handle(self, *args: Any, **options: Any) -> None:
        began = time.monotonic()
        restaurants = Restaurant.objects.all()
        months = sum(recount.rebuild(one, now=timezone.now()) for one in restaurants)
        seconds = time.monotonic() - began
        self.stdout.write(f"{months} months of {len(restaurants)} restaurants in {seconds:.0f} s.")

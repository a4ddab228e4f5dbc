"""The figures of the insights: kept up change by change, they are what a full count says."""

import json
from typing import NamedTuple

from tests.faults.installation import Installation

COMPARE = """
import io, json
from django.core.management import call_command
from django.db import connection, transaction
from django.utils import timezone
from insights.sums import recount
from insights.models import Campaign, Rating, Spend, BookingCount

def sums():
    return {
        (model.__name__, *map(str, row))
        for model in (BookingCount, Spend, Campaign, Rating)
        for row in model.objects.values_list(
            *(field.name for field in model._meta.concrete_fields if field.name != "id")
        )
    }

# The worker goes on storing: all of this sees the rows of one moment.
with transaction.atomic():
    if connection.vendor == "postgresql":
        connection.cursor().execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        connection.cursor().execute("LOCK TABLE insights_counter IN EXCLUSIVE MODE")
    recount.count_marked(now=timezone.now())
    kept = sums()
    call_command("rebuild_insights", stdout=io.StringIO())
    different = sorted(kept ^ sums())
print(json.dumps({"sums": len(kept), "different": different[:6]}))
"""


class Figures(NamedTuple):
    sums: int
    different: list[list[str]]  # between those that were kept and those counted anew


def compare(installation: Installation) -> Figures:
    output = installation.manage("shell", "--verbosity", "0", "-c", COMPARE)
    return Figures(**json.loads(output.splitlines()[-1]))

"""When each task of the schedule was last offered, so that whoever offers next goes on from there.

The clock is the database's: those of two machines differ.
"""

from datetime import timedelta

from django.db.models import DurationField, ExpressionWrapper, F
from django.db.models.functions import Now

from mirror.models import ScheduledTask


def claim(name: str, *, older_than: timedelta) -> bool:
    """Claim the next offer of a task. False: it was offered since, by somebody else."""
    _row, is_first = ScheduledTask.objects.get_or_create(name=name)
    recent = {"offered_at__gt": Now() - older_than, "offered_at__lte": Now()}
    due = ScheduledTask.objects.filter(name=name).exclude(**recent)
    return is_first or bool(due.update(offered_at=Now()))


def ages() -> dict[str, timedelta]:
    """How long ago each task was offered. In the future, for a clock set back, counts as now."""
    age = ExpressionWrapper(Now() - F("offered_at"), output_field=DurationField())
    found = ScheduledTask.objects.values_list("name", age)
    return {name: max(ago, timedelta(0)) for name, ago in found}

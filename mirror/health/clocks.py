"""The clocks of this machine and of the database, compared: all due times are written by the one
and read by the other."""

from datetime import datetime

from django.db import connection
from django.utils import timezone
from django.utils.translation import gettext as _

from mirror.health.sections import GOOD, LATE, Section

# A machine that is further off takes no work (`mirror.processes.clock_agreement`). Two that both
# work differ by twice this at most, which clock_jumps tolerates.
MOST_APART = 5  # seconds


def seconds_apart() -> float:
    """How far this machine is ahead of the database at least; SQLite has no clock of its own.

    The database's time lies between those before and after the query, however slow the network is.
    """
    if connection.vendor != "postgresql":
        return 0.0
    with connection.cursor() as cursor:
        before = timezone.now().timestamp()
        cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
        (there,) = cursor.fetchone()
        after = timezone.now().timestamp()
    return max(before - float(there), 0.0) + min(after - float(there), 0.0)


def is_too_far(apart: float) -> bool:
    return abs(apart) > MOST_APART


def section(_now: datetime) -> Section:
    measured = seconds_apart()
    apart, late = round(measured), is_too_far(measured)
    says = _(
        "The clocks of this machine and of the database differ by %(count)d s. Set them right."
    )
    return Section(
        name="clocks",
        title=_("Clocks"),
        state=LATE if late else GOOD,
        sentence=says % {"count": abs(apart)} if late else _("The clocks agree."),
        facts={"seconds_apart": apart},
        rows=[(_("Difference in seconds"), apart)],
    )

"""Overdue intents: a section of the health page and of the alerts."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror.health.sections import GOOD, LATE, Section
from outbox import engine

MOST = 1000


def section(now: datetime) -> Section:
    facts = figures(now)
    says = ngettext(
        "%(count)d change that was sent here has not left: nothing takes it up.",
        "%(count)d changes that were sent here have not left: nothing takes them up.",
        facts["overdue"],
    )
    return Section(
        name="outbox",
        title=_("Sent changes"),
        state=LATE if facts["overdue"] else GOOD,
        sentence=says % {"count": facts["overdue"]}
        if facts["overdue"]
        else _("Changes leave as they are sent."),
        facts=facts,
        rows=[(_("Overdue"), facts["overdue"])],
        url=reverse("outbox:index"),
    )


def figures(now: datetime) -> dict[str, Any]:
    """One query on the index of open intents.

    An intent that the service cannot take now gets a later due time, so only intents that no
    process tries are overdue.
    """
    since = now - timedelta(seconds=settings.STANDSTILL_SECONDS)
    return {"overdue": len(engine.due(since).order_by().values_list("pk")[:MOST])}

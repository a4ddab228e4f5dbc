"""Overdue intents: a section of the health page and of the alerts."""

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from mirror.health.sections import GOOD, LATE, Section
from outbox import engine
from outbox.models import Intent
from partner.models import Connection

MOST = 1000


def sections(accounts: Sequence[Connection], now: datetime) -> list[Section]:
    """One query on the index of open intents."""
    overdue = Counter(_overdue(now).values_list("restaurant__group__connection", flat=True)[:MOST])
    return [_section({"overdue": overdue[account.pk]}) for account in accounts]


def _section(facts: dict[str, Any]) -> Section:
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
    """Of all accounts. One query on the index of open intents."""
    return {"overdue": len(_overdue(now).values_list("pk")[:MOST])}


def _overdue(now: datetime) -> QuerySet[Intent]:
    """Intents that no process tries.

    An intent that the service cannot take now gets a later due time.
    """
    since = now - timedelta(seconds=settings.STANDSTILL_SECONDS)
    return engine.due(since).order_by()

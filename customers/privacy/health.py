"""Retention on the health page: it pauses until a person has approved a large erasure."""

from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from customers.models import PurgeQuestion
from mirror.health.sections import GOOD, LATE, Section


def section(_now: datetime) -> Section:
    question = PurgeQuestion.objects.filter(approved_at=None).first()
    count = question.count if question else 0
    text = ngettext(
        "%(count)d guest is due to be erased: a person has to decide. Nobody was erased.",
        "%(count)d guests are due to be erased at once: a person has to decide. Nobody was erased.",
        count,
    )
    return Section(
        name="retention",
        title=_("Guests to erase"),
        state=LATE if question else GOOD,
        sentence=text % {"count": count}
        if question
        else _("Guests are erased as their time comes."),
        facts={"due": count},
        rows=[(_("Waiting for a decision"), count)],
        url=reverse("customers:purge"),
    )

"""What the outbox adds to the mirror."""

from datetime import datetime

from django.utils.translation import gettext_lazy as _

from lib.registration import Registration
from mirror.health.sections import ACCOUNT_CHECKS, STANDSTILL_CHECKS
from mirror.processes.clock_jumps import MOMENTS, Moments
from mirror.processes.watch import URGENT
from outbox import engine, overdue
from outbox.models import Intent
from restaurants.setup.links import SETUP_LINKS, SetupLink


def send_what_is_due(now: datetime) -> None:
    engine.work(now=now, most=20)


REGISTRATION = Registration(
    ACCOUNT_CHECKS.add(overdue.sections),
    STANDSTILL_CHECKS.add(overdue.sections),
    MOMENTS.add(
        Moments(Intent, ("not_before", "lease_until", "created_at", "sent_at", "ended_at"))
    ),
    URGENT.add(send_what_is_due),
    SETUP_LINKS.add(
        SetupLink(
            place=60,
            url_name="outbox:index",
            icon="outbox",
            title=_("Sent changes"),
            text=_("What people asked the service to do, and its answers."),
            right="mirror.view_health",
        )
    ),
)

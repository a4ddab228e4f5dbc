"""The push message about the connection to the service: it has a fault that lasts."""

from datetime import datetime, timedelta

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from live.push import events
from live.push.kinds import PushKind
from live.push.models import PushEvent
from mirror.models import Alert

CONNECTION = "connection"
# Sections of the health page that are silent, late or down when the connection is.
CAUSES = ("token", "api", "webhooks", "freshness")
LIFE = timedelta(hours=12)


def note(alert: Alert, *, now: datetime) -> None:
    """Once for each alert. Two queries, or none."""
    if alert.cause in CAUSES:
        subject, ends = str(alert.pk), now + LIFE
        events.note([PushEvent(kind=CONNECTION, subject=subject, at=now, expires_at=ends)])


def connection_of(event: PushEvent) -> int | None:
    """Whose connection has the fault. One query."""
    found = Alert.objects.filter(pk=event.subject).values_list("connection", flat=True)
    return found.first()


def lasts(event: PushEvent, _now: datetime) -> bool:
    return Alert.objects.filter(pk=event.subject, closed_at=None).exists()


PUSH_KIND = PushKind(
    place=70,
    name=CONNECTION,
    label=_("The connection to the reservation service has a fault"),
    sentence=_("The connection to the reservation service has a fault."),
    right="mirror.view_health",
    url=lambda event: reverse("mirror:index"),
    holds=lasts,
    connection_of=connection_of,
    is_for_owners=True,
)

"""Setup steps for the connection to the real service; each step is read from the database."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from mirror.models import Job
from partner.models import Connection, Token
from restaurants.models import Restaurant


@dataclass(frozen=True, kw_only=True)
class ConnectingStep:
    title: Promise
    text: Promise
    url: str
    is_done: bool


def steps() -> list[ConnectingStep]:
    """Five steps in their order. Four queries."""
    connection = Connection.objects.first()
    has_token = Token.objects.filter(usable_until__isnull=False).exists()
    return [
        ConnectingStep(
            title=_("Addresses and key"),
            text=_("Type what the service's operator gave you."),
            url=reverse("partner:index"),
            is_done=connection is not None,
        ),
        ConnectingStep(
            title=_("Test the connection"),
            text=_("One call for the key; then you see what it may do."),
            url=reverse("partner:index"),
            is_done=has_token,
        ),
        ConnectingStep(
            title=_("Groups and restaurants"),
            text=_("The service does not list them: name each with its uuid."),
            url=reverse("restaurants:index"),
            is_done=Restaurant.objects.exists(),
        ),
        ConnectingStep(
            title=_("Address for events"),
            text=_("Hand it to the operator and wait for the first event."),
            url=reverse("partner:index") + "#webhook-title",
            is_done=bool(connection and connection.webhook_token_used_at),
        ),
        ConnectingStep(
            title=_("First copy"),
            text=_("Read a range of days: today first, then outward."),
            url=reverse("mirror:backfills"),
            is_done=Job.objects.filter(purpose=Job.Purpose.BACKFILL, state=Job.State.DONE).exists(),
        ),
    ]

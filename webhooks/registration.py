"""What the receiver adds to the mirror."""

from django.utils.translation import gettext_lazy as _

from lib.registration import Registration
from mirror.health.sections import ACCOUNT_CHECKS, CHECKS
from mirror.processes.clock_jumps import MOMENTS, Moments
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from restaurants.setup.links import SETUP_LINKS, SetupLink
from webhooks.health import receiver_section, sections
from webhooks.models import Delivery

REGISTRATION = Registration(
    CONNECTION_SIZES.add(
        ConnectionSize(place=60, label=_("Events stored"), model=Delivery, path="connection")
    ),
    ACCOUNT_CHECKS.add(sections),
    CHECKS.add(receiver_section),
    MOMENTS.add(Moments(Delivery, ("received_at", "routed_at"))),
    SETUP_LINKS.add(
        SetupLink(
            place=50,
            url_name="webhooks:index",
            icon="bell",
            title=_("Events"),
            text=_("Every delivery of the service, and what became of it."),
            right="mirror.view_health",
        )
    ),
)

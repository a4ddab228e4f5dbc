"""What the point of sale adds to the setup page."""

from django.utils.translation import gettext_lazy as _

from accounts import audit
from lib.registration import Registration
from partner.setup_pages.sizes import CONNECTION_SIZES, ConnectionSize
from pos.models import Logo
from restaurants.only_connection import BELONGING
from restaurants.setup.links import SETUP_LINKS, SetupLink

REGISTRATION = Registration(
    CONNECTION_SIZES.add(ConnectionSize(place=80, label=_("Files"), model=Logo, path="connection")),
    BELONGING.add(Logo),
    audit.LABELS.add(audit.VerbLabels("pos.send_logo", dict(Logo.State.choices))),
    SETUP_LINKS.add(
        SetupLink(
            place=80,
            url_name="pos:index",
            icon="image",
            title=_("Point of sale"),
            text=_("The identity and the logo that guests see on a bill."),
            right="pos.change_logo",
        )
    ),
)

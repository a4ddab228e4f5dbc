"""Links of the setup page: each app adds its own; those of this app and of those below it."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from lib.registration import ExtensionPoint


@dataclass(frozen=True, kw_only=True)
class SetupLink:
    place: int
    url_name: str
    icon: str
    title: Promise
    text: Promise
    right: str

    @property
    def url(self) -> str:
        return reverse(self.url_name)

    @property
    def url_namespace(self) -> str:
        return self.url_name.split(":")[0]


SETUP_LINKS: ExtensionPoint[SetupLink] = ExtensionPoint(
    "Links of the setup page", order=lambda link: link.place
)

OWN_LINKS = [
    SetupLink(
        place=10,
        url_name="partner:index",
        icon="plug",
        title=_("Connection"),
        text=_("Addresses, key and webhook token of the reservation service."),
        right="partner.change_connection",
    ),
    SetupLink(
        place=20,
        url_name="restaurants:index",
        icon="store",
        title=_("Groups and restaurants"),
        text=_("Names, time zones, service periods and stay lengths."),
        right="restaurants.change_restaurant",
    ),
    SetupLink(
        place=30,
        url_name="people:index",
        icon="people",
        title=_("People"),
        text=_("Who signs in, and what each may see and do."),
        right="accounts.manage_people",
    ),
    SetupLink(
        place=35,
        url_name="offline_devices:index",
        icon="devices",
        title=_("Offline copies"),
        text=_("Devices that can be read while the server is gone."),
        right="restaurants.change_restaurant",
    ),
    SetupLink(
        place=85,
        url_name="emergency_access:index",
        icon="people",
        title=_("Emergency access"),
        text=_("A role for a limited time, to mend something in a group."),
        right="restaurants.take_emergency_access",
    ),
    SetupLink(
        place=90,
        url_name="people:audit",
        icon="history",
        title=_("Audit trail"),
        text=_("Who changed, exported or revealed what."),
        right="accounts.view_audit",
    ),
]

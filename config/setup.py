"""Index of the setup pages: links to the pages that exist and that the person may open."""

from dataclasses import dataclass

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import NoReverseMatch, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from config.connecting import steps
from restaurants.access import can


@dataclass(frozen=True, kw_only=True)
class SetupLink:
    url_name: str
    icon: str
    title: Promise
    text: Promise
    right: str

    @property
    def url(self) -> str:
        """The address, or nothing where this installation has no such page."""
        try:
            return reverse(self.url_name)
        except NoReverseMatch:
            return ""


SETUP_LINKS = [
    SetupLink(
        url_name="partner:index",
        icon="plug",
        title=_("Connection"),
        text=_("Addresses, key and webhook token of the reservation service."),
        right="partner.change_connection",
    ),
    SetupLink(
        url_name="restaurants:index",
        icon="store",
        title=_("Groups and restaurants"),
        text=_("Names, time zones, service periods and stay lengths."),
        right="restaurants.change_restaurant",
    ),
    SetupLink(
        url_name="people:index",
        icon="people",
        title=_("People"),
        text=_("Who signs in, and what each may see and do."),
        right="accounts.manage_people",
    ),
    SetupLink(
        url_name="mirror:index",
        icon="pulse",
        title=_("Health"),
        text=_("What was read, what waits, and how old it is."),
        right="mirror.view_health",
    ),
    SetupLink(
        url_name="webhooks:index",
        icon="bell",
        title=_("Events"),
        text=_("Every delivery of the service, and what became of it."),
        right="mirror.view_health",
    ),
    SetupLink(
        url_name="outbox:index",
        icon="outbox",
        title=_("Sent changes"),
        text=_("What people asked the service to do, and its answers."),
        right="mirror.view_health",
    ),
    SetupLink(
        url_name="telephone:index",
        icon="calls",
        title=_("Telephone"),
        text=_("The address for your telephone system, and the steps of its installation."),
        right="partner.change_connection",
    ),
    SetupLink(
        url_name="pos:index",
        icon="image",
        title=_("Point of sale"),
        text=_("The identity and the logo that guests see on a bill."),
        right="pos.change_logo",
    ),
    SetupLink(
        url_name="people:audit",
        icon="history",
        title=_("Audit trail"),
        text=_("Who changed, exported or revealed what."),
        right="accounts.view_audit",
    ),
]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    links = [link for link in SETUP_LINKS if can(request.user, link.right)]
    if not links:
        raise PermissionDenied
    connection_steps = steps() if can(request.user, "partner.change_connection") else []
    done = [step for step in connection_steps if step.is_done]
    context = {
        "links": [link for link in links if link.url],
        "steps": connection_steps if len(done) < len(connection_steps) else [],
        "done": done,
    }
    return render(request, "setup/index.html", context)


app_name = "setup"
urlpatterns = [path("", index, name="index")]

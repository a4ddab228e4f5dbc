"""The index of the setup pages: a list of links, each shown when its room answers."""

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
class Door:
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


DOORS = [
    Door(
        url_name="partner:index",
        icon="plug",
        title=_("Connection"),
        text=_("Addresses, key and webhook token of the reservation service."),
        right="partner.change_connection",
    ),
    Door(
        url_name="restaurants:index",
        icon="store",
        title=_("Groups and restaurants"),
        text=_("Names, time zones, service periods and stay lengths."),
        right="restaurants.change_restaurant",
    ),
    Door(
        url_name="people:index",
        icon="people",
        title=_("People"),
        text=_("Who signs in, and what each may see and do."),
        right="accounts.manage_people",
    ),
    Door(
        url_name="mirror:index",
        icon="pulse",
        title=_("Health"),
        text=_("What was read, what waits, and how old it is."),
        right="mirror.view_health",
    ),
    Door(
        url_name="webhooks:index",
        icon="bell",
        title=_("Events"),
        text=_("Every delivery of the service, and what became of it."),
        right="mirror.view_health",
    ),
    Door(
        url_name="outbox:index",
        icon="outbox",
        title=_("Sent changes"),
        text=_("What people asked the service to do, and its answers."),
        right="mirror.view_health",
    ),
    Door(
        url_name="telephone:index",
        icon="calls",
        title=_("Telephone"),
        text=_("The address for your telephone system, and the steps of its installation."),
        right="partner.change_connection",
    ),
    Door(
        url_name="pos:index",
        icon="image",
        title=_("Point of sale"),
        text=_("The identity and the logo that guests see on a bill."),
        right="pos.change_logo",
    ),
    Door(
        url_name="people:audit",
        icon="history",
        title=_("Audit trail"),
        text=_("Who changed, exported or revealed what."),
        right="accounts.view_audit",
    ),
]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    doors = [door for door in DOORS if can(request.user, door.right)]
    if not doors:
        raise PermissionDenied
    way = steps() if can(request.user, "partner.change_connection") else []
    done = [step for step in way if step.is_done]
    context = {
        "doors": [door for door in doors if door.url],
        "steps": way if len(done) < len(way) else [],
        "done": done,
    }
    return render(request, "setup/index.html", context)


app_name = "setup"
urlpatterns = [path("", index, name="index")]

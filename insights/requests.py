"""What a request reaches, for all views of the app."""

from accounts.requests import SignedInRequest
from restaurants import exports
from restaurants.access import can
from restaurants.models import Restaurant
from restaurants.shell import shell_of

VIEW = "insights.view_insights"


def visible(request: SignedInRequest) -> list[Restaurant]:
    """The restaurants of the screen whose numbers the person may see."""
    return [one for one in shell_of(request).scope_restaurants if can(request.user, VIEW, one)]


def exportable(request: SignedInRequest) -> list[Restaurant]:
    """Those of them whose data the person may take away; 403 when there is none."""
    allowed = {one.pk for one in exports.exportable_restaurants(request)}
    return [one for one in visible(request) if one.pk in allowed]

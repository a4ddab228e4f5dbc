"""Middleware for each request: whose names and next steps the sentences of a page use."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from accounts.models import User
from partner.wording.names import OPENS_SETUP, READER
from restaurants.access import can, within_reach

SETUP = "partner.change_connection"


def name_their_app(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Name the app of the person's own restaurants, and send nobody to a Setup that they lack."""

    def middleware(request: HttpRequest) -> HttpResponse:
        token = READER.set(lambda: connections_of(request.user))
        setup = OPENS_SETUP.set(lambda: can(request.user, SETUP))
        try:
            return get_response(request)
        finally:
            OPENS_SETUP.reset(setup)
            READER.reset(token)

    return middleware


def connections_of(user: object) -> set[int | None]:
    """The connections of the person's places and those they own. No query where both are known."""
    if not isinstance(user, User):
        return set()
    places = {place.group.connection_id for place in within_reach(user)}
    return places | user.owned_connection_ids

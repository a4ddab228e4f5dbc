"""The kinds of push messages. Each app adds its own, and notes their events."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils.functional import Promise

from accounts.models import User
from lib.registration import ExtensionPoint
from live.push.models import PushEvent
from restaurants.access import can
from restaurants.models import Restaurant


def no_connection(_event: PushEvent) -> int | None:
    return None


def always(_event: PushEvent, _now: datetime) -> bool:
    return True


@dataclass(frozen=True, kw_only=True)
class PushKind:
    """One kind: whom it concerns, what it says, and what a click opens.

    `holds(event, now)` is checked before each sending: what is not true any more is not sent. The
    sentence says what happened, the title of the message where; neither names a person.
    """

    place: int
    name: str
    label: str | Promise
    sentence: str | Promise
    right: str
    url: Callable[[PushEvent], str]
    holds: Callable[[PushEvent, datetime], bool] = always
    # The connection that it is about, for what is about no restaurant.
    connection_of: Callable[[PushEvent], int | None] = no_connection
    is_urgent: bool = False
    is_for_owners: bool = False  # as well as for those with the right

    def concerns(self, user: User, event: PushEvent) -> bool:
        """Whether the person may see what happened there, as of now. Two queries or three."""
        if self.is_for_owners and user.owns_installation:
            return True
        there = Restaurant.objects.visible_to(user, self.right)
        if event.restaurant_id:
            return there.filter(pk=event.restaurant_id).exists()
        connection = self.connection_of(event)
        if connection is None or user.runs_instance:
            return can(user, self.right)
        is_own = self.is_for_owners and connection in user.owned_connection_ids
        return is_own or there.filter(group__connection=connection).exists()

    def may_concern(self, user: User) -> bool:
        """Whether the person may see such things anywhere: those kinds are offered to them."""
        return can(user, self.right) or (self.is_for_owners and user.owns_installation)


PUSH_KINDS: ExtensionPoint[PushKind] = ExtensionPoint(
    "Kinds of push messages", order=lambda kind: kind.place
)


def kind_of(event: PushEvent) -> PushKind | None:
    """The kind of an event, or None where no app knows it (it was stored by another version)."""
    return next((kind for kind in PUSH_KINDS if kind.name == event.kind), None)

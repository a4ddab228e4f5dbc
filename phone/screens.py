"""Announces changes of calls to open screens."""

from live.announce import announce
from live.models import Announcement
from phone.models import KIND, Call


def tell(call: Call) -> None:
    """Announce a change of the call in the present transaction; screens then fetch it."""
    announce(
        [
            Announcement(
                kind=KIND,
                uuid=call.uuid,
                version=call.version,
                group_id=call.restaurant.group_id,
                restaurant_id=call.restaurant_id,
            )
        ]
    )

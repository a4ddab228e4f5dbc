"""News of a call for the open screens."""

from live.announce import announce
from live.models import Announcement
from phone.models import KIND, Call


def tell(call: Call) -> None:
    """Say that it changed, in the caller's transaction; screens fetch the words themselves."""
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

"""A restaurant for the connection's test to read from."""

from partner.models import Connection
from partner.setup_pages.probes import ProbePlace
from restaurants.models import Restaurant


def place_to_try(connection: Connection) -> ProbePlace | None:
    """Return the first restaurant of the account, if there is one. One query."""
    own = Restaurant.objects.filter(group__connection=connection)
    found = own.select_related("group").order_by("pk").first()
    if found is None:
        return None
    return ProbePlace(group_uuid=found.group.uuid, restaurant_uuid=found.uuid)

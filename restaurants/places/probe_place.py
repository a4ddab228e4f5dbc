"""A restaurant for the connection's test to read from."""

from partner.setup_pages.probes import ProbePlace
from restaurants.models import Restaurant


def place_to_try() -> ProbePlace | None:
    """Return the first restaurant, if there is one. One query."""
    found = Restaurant.objects.select_related("group").order_by("pk").first()
    if found is None:
        return None
    return ProbePlace(group_uuid=found.group.uuid, restaurant_uuid=found.uuid, name=found.name)

"""The colour by which a restaurant is known on screens that show several."""

from collections import Counter

from restaurants.models import Restaurant

# Distinguishable at the size of a dot, on light and on dark ground.
PALETTE = (
    *("#155aa7", "#c2540a", "#0f8a7e", "#9250e8"),
    *("#c8327d", "#768200", "#9a6231", "#64748b"),
)


def least_used() -> str:
    """What a new restaurant gets unless somebody chooses otherwise."""
    used = Counter(Restaurant.objects.values_list("colour", flat=True))
    return min(PALETTE, key=lambda colour: used[colour])

"""Template filters for mirrored entities."""

from django import template

from mirror import kinds

register = template.Library()


@register.filter
def kind_label(name: str) -> str:
    """What people call an entity of this kind: Booking, Guest, Review."""
    return kinds.label_of(name)

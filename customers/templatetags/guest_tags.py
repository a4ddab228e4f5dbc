"""Tags of guests in the reader's language."""

from collections.abc import Iterable

from django import template

from customers.allergies.kitchen_names import read_by_people

register = template.Library()


@register.filter
def tag_names(tags: Iterable[str]) -> str:
    return ", ".join(read_by_people(tags))

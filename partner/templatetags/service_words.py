"""Words of the service for templates."""

from django import template

from partner.wording import names

register = template.Library()


@register.simple_tag
def host_app() -> str:
    """The name of the app in which restaurants work with the service."""
    return names.host_app()

"""Words of the service for templates."""

from django import template

from partner.wording import host_app as wording

register = template.Library()


@register.simple_tag
def host_app() -> str:
    """The name of the app in which restaurants work with the service."""
    return wording.host_app()

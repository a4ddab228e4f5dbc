"""The CSRF field of a form, also inside `{% include … only %}`, which drops the variable."""

from django import template
from django.middleware.csrf import get_token
from django.template import RequestContext
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def csrf_token(context: RequestContext) -> SafeString:
    """Render the hidden CSRF field with the token of the request.

    Django's own tag renders nothing where the variable is missing, and the form answers 403.
    """
    token = context.get("csrf_token") or get_token(context.request)
    return format_html('<input type="hidden" name="csrfmiddlewaretoken" value="{}">', token)

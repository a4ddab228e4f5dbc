"""The filter `date`, with days and months in the letters of the reader's language."""

from typing import Any

from django import template
from django.template import defaultfilters

from lib.dates import in_own_letters

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> str:
    """Django's own filter, but “24 nov” in French and Spanish, not “24 Nov”."""
    return in_own_letters(str(defaultfilters.date(value, form)), form or "")

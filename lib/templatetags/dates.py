"""The filter `date`, with days and months as the reader's language writes them."""

from datetime import date as plain_date
from typing import Any

from django import template
from django.template import defaultfilters

from lib.dates import date_format, in_own_letters, joined

register = template.Library()


@register.filter(expects_localtime=True, is_safe=False)
def date(value: Any, form: str | None = None) -> str:
    """Django's own filter, but “24 nov” in French and Spanish, not “24 Nov”."""
    if type(value) is plain_date:
        return date_format(value, form or "DATE_FORMAT")
    words = defaultfilters.date(value, joined(form) if form else form)
    return in_own_letters(str(words), form or "")

"""Which browser a person signed in with, in words that they recognise."""

from django import template
from django.utils.translation import gettext as _

register = template.Library()

# The first word that occurs names it: most browsers also claim to be some of those below them.
PROGRAMS = {
    "Edg": "Edge",
    "OPR/": "Opera",
    "Firefox": "Firefox",
    "Chrom": "Chrome",
    "Safari": "Safari",
}
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "Mac OS": "macOS",
    "Linux": "Linux",
}


@register.filter
def browser_name(user_agent: str) -> str:
    """`Chrome on Linux`, or the browser's own words where we know neither."""
    program = next((name for word, name in PROGRAMS.items() if word in user_agent), None)
    system = next((name for word, name in SYSTEMS.items() if word in user_agent), None)
    if program and system:
        return _("%(program)s on %(system)s") % {"program": program, "system": system}
    return program or system or user_agent or _("Unknown browser")

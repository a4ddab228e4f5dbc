"""Every component on one page, in both themes: the visual test target. Debug or admins only."""

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from lib.templatetags.ui import MARKS, PHASES
from restaurants.access import can
from restaurants.styleguide.forms import LONG, specimen

SECTIONS = ["colours", "words", "actions", "numbers", "forms", "tables", "messages", "waiting"]
COLOURS = [
    *["canvas", "surface", "sunken", "ink", "ink-2", "ink-3", "line", "control"],
    *["accent", "accent-soft", "focus", "good", "warn", "bad", "info"],
]
COVERS = [4, 9, 14, 22, 31, 27, 18, 24, 38, 44, 36, 21, 12, 7, 3]


def bars() -> list[dict[str, int]]:
    """A histogram on a canvas of 600 x 90."""
    return [
        {"x": 40 * place, "y": 90 - 2 * covers, "height": 2 * covers, "covers": covers}
        for place, covers in enumerate(COVERS)
    ]


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    if not (settings.DEBUG or can(request.user, "restaurants.change_restaurant")):
        raise PermissionDenied
    context = {
        "bars": bars(),
        "colours": COLOURS,
        "long": LONG,
        "marks": MARKS,
        "page": Paginator(range(412), 50).page(3),
        "panes": [{"theme": theme, "form": specimen(theme)} for theme in ("light", "dark")],
        "phases": PHASES,
        "sections": [f"styleguide/_{name}.html" for name in SECTIONS],
    }
    return render(request, "styleguide/index.html", context)

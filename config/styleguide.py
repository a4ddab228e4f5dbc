"""Every component on one page, in both themes: the visual test target. Debug or admins only."""

from django import forms
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.http import require_safe

from lib.templatetags.ui import MARKS, PHASES
from restaurants.access import can

SECTIONS = ["colours", "words", "actions", "numbers", "forms", "tables", "messages", "waiting"]
COLOURS = [
    *["canvas", "surface", "sunken", "ink", "ink-2", "ink-3", "line", "control"],
    *["accent", "accent-soft", "focus", "good", "warn", "bad", "info"],
]
COVERS = [4, 9, 14, 22, 31, 27, 18, 24, 38, 44, 36, 21, 12, 7, 3]
# The longest words that a label, a button or a cell may have to hold.
LONG = "Reservierungsbestätigungsbenachrichtigung für Stammgäste der Hafenrestaurants"


class SpecimenForm(forms.Form):
    name = forms.CharField(label="Name", help_text="As guests know it.")
    email = forms.EmailField(label="E-mail-Adresse für Benachrichtigungen")
    size = forms.ChoiceField(label="Party size", choices=[("2", "2 people"), ("4", "4 people")])
    note = forms.CharField(label="Note for the team", widget=forms.Textarea, required=False)
    is_vip = forms.BooleanField(label="VIP", required=False, help_text="Shown with a star.")
    meal = forms.ChoiceField(
        label="Meal", choices=[("l", "Lunch"), ("d", "Dinner")], widget=forms.RadioSelect
    )


def panes() -> list[dict[str, object]]:
    """One pane per theme, each with a form of its own, so that no element id is there twice."""
    data = {"email": "not an address", "size": "4", "note": LONG, "meal": "d"}
    return [
        {
            "theme": theme,
            "form": SpecimenForm({f"{theme}-{k}": v for k, v in data.items()}, prefix=theme),
        }
        for theme in ("light", "dark")
    ]


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
        "panes": panes(),
        "phases": PHASES,
        "sections": [f"styleguide/_{name}.html" for name in SECTIONS],
    }
    return render(request, "styleguide/index.html", context)


app_name = "styleguide"
urlpatterns = [path("", index, name="index")]

"""Views of the web app: its manifest, and its service worker at the root of the site."""

import json

from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.templatetags.static import static
from django.views.decorators.http import require_safe

from restaurants.web_app.parts import WORKER_PARTS

# The accent and the canvas of the light theme (static/css/tokens.css).
THEME, BACKGROUND = "#155aa7", "#f9fafc"
MANIFEST_TYPE = "application/manifest+json"
ICONS = (
    ("icons/couvert-192.png", "192x192", "any"),
    ("icons/couvert-512.png", "512x512", "any"),
    ("icons/couvert-maskable-512.png", "512x512", "maskable"),
)


@login_not_required
@require_safe
def manifest(request: HttpRequest) -> HttpResponse:
    """What a device needs to install Couvert. It says nothing about anybody."""
    described = {
        "id": "/",
        "name": "Couvert",
        "short_name": "Couvert",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "theme_color": THEME,
        "background_color": BACKGROUND,
        "icons": [
            {"src": static(path), "sizes": sizes, "type": "image/png", "purpose": purpose}
            for path, sizes, purpose in ICONS
        ],
    }
    return JsonResponse(described, content_type=MANIFEST_TYPE)


@login_not_required
@require_safe
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. Its scope is the site, because its address is at the root.

    It imports its parts under names that change with their content: a browser notices an upgrade by
    the bytes of this answer.
    """
    addresses = [static(f"js/worker/{name}.js") for name in WORKER_PARTS]
    return HttpResponse(f"importScripts(...{json.dumps(addresses)});\n", "text/javascript")

"""The setup page, and the guide from nothing to the first event."""

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from restaurants.setup.pages import setup_guide, setup_page


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    page = setup_page(request.user)
    if not page.links:
        raise PermissionDenied
    return render(request, "setup/index.html", {"page": page})


@require_safe
def guide(request: HttpRequest) -> HttpResponse:
    shown = setup_guide(request.user)
    if shown is None:
        raise PermissionDenied
    return render(request, "setup/guide.html", {"guide": shown})

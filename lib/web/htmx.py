"""Render a whole page or one part of it for htmx, from one view, template and context."""

from collections.abc import Collection
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_vary_headers
from django_htmx.http import reselect, reswap, retarget
from django_htmx.middleware import HtmxDetails


def render_part(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    *,
    parts: Collection[str],
    default: str,
) -> HttpResponse:
    """Render the page, or the part that the requesting element is named for.

    The server knows which parts there are; an unknown element gets the default one.
    """
    if part := part_of(request, parts=parts, default=default):
        template = f"{template}#{part}"
    response = render(request, template, context)
    patch_vary_headers(response, ["HX-Request", "HX-Target"])
    return response


def part_of(request: HttpRequest, *, parts: Collection[str], default: str) -> str:
    """The name of the part, or nothing for a whole page."""
    details: HtmxDetails = request.htmx  # type: ignore[attr-defined]  # set by the middleware
    if not details or details.boosted or details.history_restore_request:
        return ""
    return details.target if details.target and details.target in parts else default


def beside_the_page(answer: HttpResponse) -> HttpResponse:
    """Put an answer among the messages, in their place that holds one such sentence at a time.

    Nothing on the page is replaced, and nobody is led away: somebody may be writing there.
    """
    place = "#sign-in-ended"
    return retarget(reselect(reswap(answer, "outerHTML"), place), place)

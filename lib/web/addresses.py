"""Addresses: fast links that differ in one query parameter, the way back, old names of pages."""

from collections.abc import Callable
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

# Another choice begins on its first page, with the drawer closed.
ANEW = ("page", "r")


def opening(address: QueryDict, name: str) -> str:
    """The address up to the value of `name`, which goes at the end. Its other words stay.

    Worked out once for all links of a menu, where `{% querystring %}` copies the address for each.
    """
    kept = QueryDict(mutable=True)
    for key, values in address.lists():
        if key != name and key not in ANEW:
            kept.setlist(key, values)
    return f"?{kept.urlencode()}&{name}=" if kept else f"?{name}="


def return_address(request: HttpRequest) -> str:
    """The address a form of the frame leads back to; many that answer a POST open by no GET.

    For the page of a refused form that is the page before it, and nothing where nobody knows.
    """
    if request.method in ("GET", "HEAD"):
        return request.get_full_path()
    before = request.headers.get("Referer", "")
    return "" if urlsplit(before).path == request.path else before


def moved(name: str, *, to: str) -> Callable[..., HttpResponse]:
    """A view that leads from an address with an old name to the same with the new one.

    With the same method and body: a form of a page that is still open is sent once more, not lost.
    """

    @require_http_methods(["GET", "HEAD", "POST"])
    def view(request: HttpRequest, **_parts: object) -> HttpResponse:
        address = request.get_full_path().replace(f"/{name}/", f"/{to}/", 1)
        return redirect(address, permanent=True, preserve_request=True)

    return view

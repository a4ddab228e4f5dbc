"""Fast links that differ in one query parameter: menus and pictures have dozens of them."""

from urllib.parse import urlsplit

from django.http import HttpRequest, QueryDict

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

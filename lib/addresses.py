"""Addresses that differ in one word: menus and pictures have dozens of them."""

from django.http import QueryDict

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

"""The pages of a group in the middle of a service, for looks at all of them."""

from typing import Any

from customers.models import Customer
from reservations.testing import make_visit
from restaurants.testing import Cast, sign_in
from tests.addresses import all_addresses, may_be_a_page
from tests.form_states import in_use
from tests.url_examples import example

SPECIMENS = {"/styleguide/"}  # it shows what cannot be pressed, too


def pages_of_an_admin(cast: Cast) -> list[str]:
    objects = in_use(cast)
    guest = Customer.objects.get(pk=objects["customers.uuid"][0])
    make_visit(cast.quay, guest, days=7)

    def one(view: str, word: str) -> Any:
        app = view.split(":")[0]
        known = objects.get(f"{view}.{word}") or objects.get(f"{app}.{word}")
        return known[0] if known else example(view, word, cast=cast)

    client = sign_in(cast.dora)
    found = []
    for address in all_addresses():
        path = address.path(one)
        if may_be_a_page(path) and path not in SPECIMENS:
            answer = client.get(path)
            if not answer.streaming and answer.content.startswith(b"<!doctype html"):
                found.append(path)
            answer.close()
    return found

"""A person before the pages of a booking, and what those pages say."""

import re
from datetime import date, timedelta
from html import unescape
from itertools import count
from urllib.parse import unquote

from django.utils import timezone

from outbox.models import Intent
from tests.contract.places import carry

NUMBERS = count()
GUEST = {
    "first_name": "Jo",
    "last_name": "Martin",
    "phone": "01 99 00 12 34",
    "locale": "fr_FR",
    "civility": "mx",
}


class Funnel:
    """A person before the page of a new booking."""

    def __init__(self, client, place, *, day, size):
        self.client = client
        self.email = f"jo{next(NUMBERS)}@example.com"
        self.state = {"scope": place.uuid, "day": day, "size": size}

    def see(self, **more):
        return self.client.get("/reservations/new/", self.state | more)

    def times(self, **more):
        """The texts of the times that can be chosen."""
        page = unescape(self.see(**more).content.decode())
        return [unquote(text) for text in re.findall(r"[?&]slot=([^&\"]+)", page)]

    def book(self, slot, *, offer=None, **data):
        chosen = self.state | {"slot": slot} | ({"offer": offer} if offer else {})
        page = self.client.get("/reservations/new/", chosen)
        key = re.search(r'name="key" value="([^"]+)"', page.content.decode())
        sent = GUEST | {"email": self.email, "step": "confirm", "key": key[1] if key else ""} | data
        return self.client.post("/reservations/new/", sent, query_params=chosen)


def day_in(days) -> date:
    return timezone.now().date() + timedelta(days=days)


def latest() -> Intent:
    return Intent.objects.latest("pk")


def after(answer) -> str:
    """What the page of the intent says once the workers have been there."""
    assert answer.status_code == 302, text_of(answer)
    carry()
    return text_of(answer.client.get(answer.url))


def find(pattern, page):
    found = re.search(pattern, unescape(page))
    assert found, pattern
    return found


def main_of(answer) -> str:
    return unescape(answer.content.decode()).partition("<main")[2].partition("</main>")[0]


def text_of(answer) -> str:
    page = re.sub(r"<(script|style|template).*?</\1>", "", answer.content.decode(), flags=re.S)
    main = re.search(r"<main.*</main>", page, flags=re.S)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", main[0] if main else page)).split())

"""Every picture of insights has its numbers as a table on its page, and as a file.

On the overview a picture's card leads to the page that has both.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import partial
from html.parser import HTMLParser
from typing import Any

import pytest
import time_machine
from django.urls import reverse

from insights.expected.testing import fill
from insights.expected.training import train_restaurant
from insights.questions import QUESTIONS
from insights.sums import recount
from reservations.testing import make_reservation
from restaurants.testing import sign_in
from reviews.testing import make_review
from tests.addresses import all_addresses
from tests.url_examples import example

NOW = datetime(2026, 6, 17, 10, tzinfo=UTC)
APPS = ("insights", "calendar")
COMING = "day=2026-06-20"


@dataclass
class Found:
    """The pictures of a part of a page, and what stands beside them."""

    pictures: int = 0
    rows: int = 0  # of tables
    links: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


class PictureReader(HTMLParser):
    """Counts pictures, rows of tables and links: of the page, and of each section of it."""

    def __init__(self) -> None:
        super().__init__()
        self.page, self.sections = Found(), list[Found]()
        self.inside: list[Found] = []
        self.is_body = self.is_main = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        words = dict(attrs)
        self.is_main = self.is_main or tag == "main"
        if tag == "section":
            self.inside.append(Found())
            self.sections.append(self.inside[-1])
        self.is_body = self.is_body or tag == "tbody"
        for part in (self.page, *self.inside):
            part.pictures += self.is_main and tag == "svg" and not _is_icon(words)
            part.rows += tag == "tr" and self.is_body
            if tag == "a":
                place = part.files if "download" in words else part.links
                place.append(words.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self.is_main = self.is_main and tag != "main"
        self.is_body = self.is_body and tag != "tbody"
        if tag == "section":
            self.inside.pop()


def _is_icon(words: dict[str, str | None]) -> bool:
    return "icon" in (words.get("class") or "").split()


@pytest.fixture(autouse=True)
def _at_a_known_time() -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def manager(cast) -> Any:
    """Dora, who may see and take away everything; the Quay has numbers for every question."""
    fill(cast.quay, now=NOW, weeks=10)
    for days in range(1, 20):
        visit = {"meal_at": NOW - timedelta(days=days), "bill_amount": 80, "bill_currency": "EUR"}
        booked = {"utm": {"utm_campaign": "spring"}, "created_at": NOW - timedelta(days=days + 3)}
        make_review(cast.quay, reservation=make_reservation(cast.quay, **visit, **booked))
    recount.rebuild(cast.quay, now=NOW)
    train_restaurant(cast.quay, now=NOW)
    return sign_in(cast.dora)


def addresses(cast: Any) -> set[str]:
    pages = [one for one in all_addresses() if one.app in APPS]
    paths = {one.path(partial(example, cast=cast)) for one in pages}
    paths |= {reverse("insights:show", args=[slug]) for slug in QUESTIONS}
    of_all = {f"{reverse(f'insights:{one}')}?{COMING}" for one in ("expected", "prep")}
    return of_all | {f"{path}?scope={cast.quay.uuid}&{COMING}" for path in paths}


def read(client: Any, address: str) -> PictureReader | None:
    answer = client.get(address)
    reader = PictureReader()
    text = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if not answer.headers["Content-Type"].startswith("text/html"):
        return None
    reader.feed(text.decode())
    return reader


def has_both(client: Any, page: Found) -> bool:
    [*files] = (one for one in page.files if ".csv" in one)
    return page.rows > 0 and bool(files) and all(lines_of(client, one) > 1 for one in files)


def lines_of(client: Any, address: str) -> int:
    answer = client.get(address)
    return len(b"".join(answer.streaming_content).splitlines()) if answer.status_code == 200 else 0


def leads_to_both(client: Any, card: Found) -> bool:
    pages = [read(client, link) for link in card.links]
    return any(page and has_both(client, page.page) for page in pages)


def test_it_works(manager, cast):
    lonely, drawn = [], []
    for address in sorted(addresses(cast)):
        found = read(manager, address)
        if found is None or not found.page.pictures:
            continue
        drawn.append(address.split("?")[0])
        cards = [one for one in found.sections if one.pictures]
        alone = sum(one.pictures for one in cards) < found.page.pictures
        if not has_both(manager, found.page) and (
            alone or not all(leads_to_both(manager, one) for one in cards)
        ):
            lonely.append(address)

    assert lonely == []
    expected = {"index", "expected", "forecast_errors", "prep"}
    questions = {reverse("insights:show", args=[slug]) for slug in ("fullness", "channels", "lead")}
    assert {reverse(f"insights:{one}") for one in expected} | questions <= set(drawn)


def test_a_picture_alone_is_found(manager):
    page = PictureReader()
    page.feed('<main><svg class="icon"></svg><section><svg></svg></section>')

    assert page.page.pictures == 1
    assert not has_both(manager, page.page)
    assert not leads_to_both(manager, page.sections[0])

"""Any text that a service can send is stored, shown, found, exported, printed and erased.

The walk is the product's own: event → queue → read → copy → every page and file → export → erase.
"""

from collections.abc import Iterable
from datetime import timedelta
from io import StringIO
from itertools import cycle
from random import Random
from typing import Any
from uuid import UUID

import pytest
import time_machine
from django.core.cache import cache
from django.core.management import call_command
from django.test import Client as Browser
from django.utils import timezone
from hypothesis import Phase, example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from customers.models import Customer
from lib.text import storable
from mirror import kinds
from mirror.models import Mirrored, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from partner import factory
from partner.client import Client
from partner.errors import PartnerError
from partner.limits.priorities import CallPriority
from partner.testing import WEBHOOK_TOKEN, speak_through
from reservations.models import Feed, Reservation
from restaurants import directory
from restaurants.testing import Cast, make_cast, make_root, sign_in
from reviews.models import Review
from tests import any_text, url_examples
from tests.addresses import all_addresses
from tests.any_text import CANARY, GUEST, NASTY, ODD_JSON, RESERVATION, REVIEW, TEXTS, UUIDS
from webhooks.routing import route_new
from webhooks.testing import payload as event

EVENTS = {
    "reservation": "reservationUpdated",
    "customer": "customerUpdated",
    "review": "reviewCommentPublished",
}
APPS = {"reservations", "customers", "reviews", "insights", "mirror", "outbox", "webhooks", "phone"}
OWN = {"reservations.uuid": RESERVATION, "customers.uuid": GUEST, "reviews.uuid": REVIEW}
MAIN_PAGES = [
    *("reservations:index", "reservations:show", "reservations:brief", "reservations:export_csv"),
    *(
        "customers:index",
        "customers:show",
        "customers:export_xlsx",
        "reviews:index",
        "reviews:show",
    ),
]
OTHER_PAGES = ["/metrics", "/admin/", "/admin/accounts/user/"]
HALF_AN_EMOJI = "\ud83c"
# The same texts at every run, few enough for the quick tests.
QUICK = settings(
    max_examples=3,
    derandomize=True,
    database=None,
    phases=[Phase.explicit, Phase.generate],
)
ZOOMS = ("pulse", "arrivals", "stays", "list")

pytestmark = pytest.mark.walk


class Walk:
    """One installation with one guest, one booking and one review, and somebody who sees all."""

    def __init__(self, cast: Cast) -> None:
        self.cast = cast
        self.service = any_text.Service()
        speak_through(self.service)
        self.now = timezone.now()
        root = make_root()
        self.client = sign_in(root)
        self.client.raise_request_exception = False
        self.feed = Feed.make(cast.quay, by=root, now=self.now).address
        self.addresses = [address for address in all_addresses() if address.app in APPS]
        self.paths = {address.name: address.path(self._example) for address in self.addresses}
        self.paths |= {path: path for path in OTHER_PAGES}

    def _example(self, view: str, kwarg: str) -> Any:
        of_app = f"{view.split(':')[0]}.{kwarg}"
        is_own = of_app in OWN and f"{view}.{kwarg}" not in url_examples.EXAMPLES
        return OWN[of_app] if is_own else url_examples.example(view, kwarg, cast=self.cast)

    def receive(self, texts: list[str], odd: list[str], **fixed: str) -> None:
        """Let the service announce all three, and answer the reads."""
        self.now += timedelta(minutes=10)
        words = cycle(texts)
        moment = {"mealDate": timezone.now().isoformat()}
        for kind, uuid in UUIDS.items():
            self.service.answers[f"get_{kind}"] = any_text.write_answer(
                kind,
                self.cast.quay.uuid,
                text=words.__next__,
                odd=odd,
                fixed=moment | fixed if kind == "reservation" else {},
            )
            self.deliver(kind, uuid, remark=next(words)[:80])
        self.service.answers["list_offers"] = any_text.write_offers(words.__next__)
        route_new(now=self.now)
        client = factory.client(priority=CallPriority.EVENT)
        store.settle(
            [read(client, claim) for claim in sync_requests.claim(limit=9, now=self.now)],
            now=self.now,
        )

    def sent(self, kind: str) -> Any:
        return any_text.sent_values(self.service.answers[f"get_{kind}"])

    def deliver(self, kind: str, uuid: UUID, *, remark: str) -> None:
        place = {"groupUuid": str(self.cast.harbour.uuid), "restaurantUuid": None}
        raw = event(EVENTS[kind], uuid=str(uuid), remark=remark, **place)
        path = f"/webhooks/partner/?token={WEBHOOK_TOKEN}"
        assert Browser().post(path, raw, "application/json").status_code == 200

    def open_all(self, names: Iterable[str]) -> None:
        """Every page and file that may show any of it."""
        wrong = {}
        for name in names:
            for zoom in ZOOMS if name == "reservations:index" else ("",):
                answer = self.client.get(self.paths[name], {"zoom": zoom} if zoom else {})
                if answer.status_code >= 500:
                    wrong[name] = answer.status_code
                if answer.status_code == 200:
                    any_text.check_file(name, answer.getvalue())
        assert wrong == {}

    def page(self, path: str, **query: str) -> str:
        answer = self.client.get(path, query)
        assert answer.status_code == 200, path
        return any_text.visible(answer.content.decode())

    def take_calendar(self) -> None:
        answer = Browser().get(self.feed)
        any_text.check_calendar(answer.content)

    def take_archive(self) -> None:
        answer = self.client.post(f"/customers/{GUEST}/take-away/")
        assert answer.status_code == 200
        any_text.check_archive(answer.content, holds=CANARY)

    def erase(self) -> None:
        """By the clock of what was received: the booking was there before."""
        with time_machine.travel(self.now):
            answer = self.client.post(f"/customers/{GUEST}/erase/", {"sure": "on"})
        assert answer.status_code == 302


def read(client: Client, claim: sync_requests.Claim) -> ReadResult:
    """As a reader of the mirror does, but in this thread, which has the test's transaction."""
    try:
        return ReadResult(claim, answer=kinds.get(claim.kind).fetch(client, claim.uuid))
    except PartnerError as error:
        return ReadResult(claim, error=error)


def is_stored(walk: Walk) -> None:
    assert set(SyncRequest.objects.values_list("problem", flat=True)) == {""}
    for kind, model in {"reservation": Reservation, "customer": Customer, "review": Review}.items():
        row = model._default_manager.get(pk=UUIDS[kind])
        assert row.raw == walk.service.answers[f"get_{kind}"].decode()
    note = walk.sent("reservation")["customerNote"]
    assert Reservation.objects.get(pk=RESERVATION).customer_note == storable(note)


def is_shown(walk: Walk) -> None:
    guest = Customer.objects.get(pk=GUEST)
    review = Review.objects.get(pk=REVIEW)
    booking = Reservation.objects.get(pk=RESERVATION)
    day = str(booking.service_day)

    assert any_text.squeezed(booking.customer_note) in walk.page(f"/reservations/{RESERVATION}/")
    assert any_text.squeezed(booking.customer_note) in walk.page("/reservations/brief/", day=day)
    assert any_text.squeezed(guest.last_name) in walk.page("/", day=day, zoom="list")
    assert any_text.squeezed(guest.last_name) in walk.page(f"/customers/{GUEST}/")
    assert any_text.squeezed(guest.last_name) in walk.page("/customers/", q=CANARY)
    assert any_text.squeezed(review.comment) in walk.page(f"/reviews/{REVIEW}/")
    for text in (guest.last_name, guest.email, guest.phone):
        assert walk.page("/customers/", q=text)
        assert walk.page("/", day=day, q=text)
        assert walk.page("/reviews/", q=text)


def is_dumped(walk: Walk) -> None:
    for kind in UUIDS:
        out = StringIO()
        call_command("mirror_dump", kind=kind, stdout=out)
        dumped = [any_text.strict_json(line) for line in out.getvalue().splitlines()]
        [line] = [line for line in dumped if line["uuid"] == str(UUIDS[kind])]
        assert line["payload"].keys() == walk.sent(kind).keys()


def is_erased() -> None:
    guest = Customer.objects.get(pk=GUEST)
    assert guest.presence == Mirrored.Presence.ERASED
    assert any_text.places_with(CANARY) == set()


class TestAnyText(TestCase):
    """Each example has a database of its own."""

    def setup_example(self) -> None:
        super().setup_example()
        cache.clear()
        directory.clear()
        self.walk = Walk(make_cast())

    @settings(QUICK)
    @example([HALF_AN_EMOJI], [])
    @example(NASTY, ODD_JSON)
    @given(st.lists(TEXTS, min_size=80, max_size=80), st.lists(st.sampled_from(ODD_JSON)))
    def test_it_goes_all_the_way(self, texts: list[str], odd: list[str]) -> None:
        walk = self.walk
        walk.receive(texts, odd)
        is_stored(walk)
        walk.open_all(MAIN_PAGES)

        walk.receive(texts[1:] + texts[:1], odd, status="RECORDED")  # a change to be listed
        is_stored(walk)
        is_shown(walk)
        walk.open_all(walk.paths)
        walk.take_calendar()
        walk.take_archive()
        is_dumped(walk)

        walk.erase()
        is_erased()
        walk.receive(texts, odd)
        is_erased()
        walk.open_all(MAIN_PAGES)


@pytest.mark.django_db
def test_long_texts_go_all_the_way(cast):
    """A megabyte in one field, and in all others more than a row of an index or a pattern holds."""
    walk = Walk(cast)
    walk.receive([long_text(1_000_000)] + [long_text(60_000)] * 99, [])

    is_stored(walk)
    walk.open_all(MAIN_PAGES)
    walk.take_archive()
    walk.erase()
    is_erased()


def long_text(octets: int) -> str:
    """Of signs of three octets, in an order that nothing compresses."""
    signs = Random(octets)
    return "".join(chr(signs.randrange(0x4E00, 0x9FFF)) for _ in range(octets // 3))

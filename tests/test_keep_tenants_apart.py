"""Every address × the people of one tenant, a superuser and a stranger × what the other one has.

The addresses are read from the URL configuration: a page added later is tried too. One whose
object `tests/url_examples.py` does not know fails with the sentence how to add it there.
"""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from customers.models import Customer
from live.announcements import scope_of
from reservations.models import Reservation
from reservations.testing import DINNER
from restaurants.models import Restaurant
from restaurants.testing import Cast, make_user, sign_in
from reviews.models import Review
from tests import tenants
from tests.addresses import all_addresses
from tests.form_states import in_use
from tests.test_every_url import ask, close, path_of
from tests.test_keep_groups_apart import NOT_READ, tell_of_harbour
from tests.url_examples import OF_NO_GROUP, PUBLIC, example

ALL = all_addresses()
PLAIN = [one for one in ALL if not one.kwargs and one.name not in {*NOT_READ, "account_logout"}]
WITH_OBJECTS = [one for one in ALL if one.kwargs and one.name not in {*OF_NO_GROUP, *PUBLIC}]
READERS = ["owner", "manager", "staff", "superuser", "stranger"]
# From the other side the queries are the same, so a second database adds nothing.
SIDES = ["harbour", pytest.param("hill", marks=pytest.mark.once)]
WAYS: dict[str, dict[str, Any]] = {
    "pages": {},
    "fragments": {"headers": {"HX-Request": "true"}},
    "search": {"data": {"q": tenants.PART_OF_MARKS}},
}
# A fragment is a part of the template, over what the page reads or less: no other query.
WAYS_ON_A_DATABASE = ["pages", pytest.param("fragments", marks=pytest.mark.once), "search"]

pytestmark = pytest.mark.walk


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


@pytest.fixture(params=SIDES)
def sides(request, cast) -> tuple[Cast, Cast]:
    """The tenant that has everything, and the one whose people look."""
    both = tenants.two_tenants(cast)
    marked = both.pop(request.param)
    before = tenants.keys_of_rows()
    objects = in_use(marked)
    pat = make_user("pat@example.org")
    tell_of_harbour(marked, pat, Reservation.objects.get(pk=objects["reservations:show.uuid"][0]))
    tenants.mark_rows(marked, before)
    return marked, both.popitem()[1]


def client_of(reader: str, cast: Cast) -> Client:
    people = {"owner": cast.dora, "manager": cast.alice, "staff": cast.bob}
    if reader == "superuser":
        people[reader] = make_user("root@example.org", is_superuser=True, is_staff=True)
    client = sign_in(people[reader]) if reader in people else Client()
    client.raise_request_exception = False
    return client


def words_of(cast: Cast, reader: str) -> set[str]:
    """Marks and identifiers; whoever runs the server may know groups and restaurants."""
    places = Restaurant.objects.filter(group=cast.harbour)
    rows: list[Any] = [
        Customer.objects.filter(group=cast.harbour),
        Reservation.objects.filter(restaurant__in=places),
        Review.objects.filter(restaurant__in=places),
    ]
    words = {
        tenants.MARK,
        *(str(pk) for found in rows for pk in found.values_list("pk", flat=True)),
    }
    if reader != "superuser":
        uuids = places.values_list("uuid", flat=True)
        words |= {tenants.PLACE_MARK, str(cast.harbour.uuid), *map(str, uuids)}
    return {word.casefold() for word in words}


def found_in(text: str, words: set[str]) -> set[str]:
    """Each is looked for alone: one pattern of a hundred words takes longer than the page."""
    text = text.casefold()
    return {word for word in words if word in text}


def read(client: Client, path: str, **way: Any) -> str:
    answer: Any = client.get(path, **way)
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    if answer.streaming:
        close(answer)
    return body.decode(errors="replace") + str(dict(answer.headers))


@pytest.mark.parametrize("way", WAYS_ON_A_DATABASE)
def test_no_page_fragment_export_or_search_has_a_word_of_the_other(sides, way):
    marked, own = sides
    found: dict[str, set[str]] = {}
    for reader in READERS:
        client, words = client_of(reader, own), words_of(marked, reader)
        for address in PLAIN:
            read_words = found_in(read(client, reverse(address.name), **WAYS[way]), words)
            found |= {f"{address.name} ({reader})": read_words} if read_words else {}

    assert found == {}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_what_the_other_has_answers_as_what_does_not_exist(sides, method):
    """All readers over the same rows: nothing that they may do changes one."""
    marked, own = sides
    wrong = {}
    for reader in READERS:
        client = client_of(reader, own)
        for address in WITH_OBJECTS:
            if reader == "superuser" and address.app == "partner":
                continue  # whoever runs the server adds, pauses and retires every connection
            theirs = {word: example(address.name, word, cast=marked) for word in address.kwargs}
            nothing = {word: tenants.nowhere(value) for word, value in theirs.items()}
            answers = [
                ask(client, method, reverse(address.name, kwargs=kwargs)).status_code
                for kwargs in (theirs, nothing)
            ]
            if answers[0] != answers[1] or answers[0] < 300:
                wrong[address.name, reader] = answers

    assert wrong == {}


def test_the_database_admin_shows_a_superuser_nobody_of_either(sides):
    marked, own = sides
    client, words = client_of("superuser", own), words_of(marked, "superuser")

    for table in ("", "accounts/user/", "restaurants/group/", "restaurants/restaurant/"):
        assert found_in(read(client, f"/admin/{table}"), words) == set()


def test_live_streams_announce_nothing_of_the_other(sides):
    marked, own = sides
    for person in (own.dora, own.alice, own.bob):
        scope = scope_of(person)
        assert marked.harbour.pk not in scope.groups
        assert {marked.quay.pk, marked.loft.pk}.isdisjoint(scope.restaurants)


def test_the_tenant_itself_reads_its_marks(sides):
    """Else the tests above would find nothing anywhere."""
    marked, _own = sides
    client, words = client_of("owner", marked), words_of(marked, "owner")
    found = [one.name for one in PLAIN if found_in(read(client, reverse(one.name)), words)]

    assert len(found) > 30
    for name in (
        "people:index",
        "people:audit",
        "customers:index",
        "reviews:index",
        "mirror:index",
    ):
        assert name in found
    assert path_of(WITH_OBJECTS[0], marked)


def test_a_person_of_both_is_seen_by_each_owner_with_their_own_roles_only(sides):
    marked, own = sides
    both = own.bob
    both.memberships.create(restaurant=marked.quay, role="manager")
    page = sign_in(own.dora).get(f"/setup/people/{both.pk}/").text

    assert "Staff" in page
    assert tenants.PLACE_MARK not in page
    assert sign_in(own.dora).post(f"/setup/people/{both.pk}/deactivate/").status_code == 403
    assert timezone.now()

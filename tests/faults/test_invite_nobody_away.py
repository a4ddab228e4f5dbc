"""Inviting is no way to read: an admin invites a person of another group, and reads everything."""

import json
import re
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from tests.addresses import Address, all_addresses
from tests.faults.installation import Installation, open_installation
from tests.faults.people import PASSWORD, Person, words_of

pytestmark = pytest.mark.faults

ADMIN, INVITED = "admin@own.example", "vera@zanzibar.example"
# Workbooks are packed; the stream is read by itself; a sign-out would end the walk.
NOT_READ = re.compile(r"xlsx$|^live:stream$|^account_logout$")
# Names that stand on no page by chance: three letters are in a token of one page in 4,000.
WORLD = f"""
import json
from datetime import timedelta
from uuid import uuid4
from auditlog.context import set_actor
from django.db import transaction
from django.utils import timezone
from accounts import audit
from accounts.models import User
from customers.testing import make_customer
from live.announcements import announce
from live.testing import make_line
from mirror.jobs import lifecycle
from mirror.models import Alert, SyncRequest
from reservations.testing import make_intent, make_reservation
from restaurants.testing import make_group, make_member, make_restaurant
from reviews.testing import make_review
from webhooks.testing import delivery, payload

now = timezone.now()
own, away = make_group("Own Group"), make_group("Zanzibar Group")
place, other = make_restaurant(own, "Own Place"), make_restaurant(away, "Quixote")
for email, name, where, role in (
    ({ADMIN!r}, "Ada", place, "admin"),
    ({INVITED!r}, "Vera Vantongeren", away, "admin"),
    ("wilbrord@zanzibar.example", "Wilbrord Wuyts", other, "staff"),
):
    make_member(User.objects.create_user(email, {PASSWORD!r}, name=name), where, role)
vera, wim = User.objects.get(email={INVITED!r}), User.objects.get(name="Wilbrord Wuyts")
guest = make_customer(away, last_name="Yllera", email="yllera@guest.example")
booking = make_reservation(other, customer=guest, meal_at=now)
with transaction.atomic():
    make_review(other)
make_intent(other, uuid=booking.uuid)
lifecycle.backfill(since=now.date(), until=now.date(), now=now, restaurants=[other])
SyncRequest.objects.create(kind="reservation", uuid=booking.uuid, group_uuid=away.uuid,
    restaurant_uuid=other.uuid, requested_at=now, not_before=now, state="parked",
    sentence="Quixote.", evidence="Yllera")
delivery(payload(uuid=str(booking.uuid)), state="odd", uuid=booking.uuid,
    restaurant_uuid=other.uuid)
Alert.objects.create(cause="webhooks", sentence="No event: Quixote.", notified_at=now,
    opened_at=now - timedelta(hours=1))
with set_actor(vera):
    make_restaurant(away, "Quixote Annex")
audit.record(vera, "exported of Quixote", details={{"address": str(other.uuid)}}, within=[away])
lines = [make_line(other, uuid=booking.uuid), make_line(place)]
with transaction.atomic():
    announce(lines)
print(json.dumps({{
    "place": str(place.uuid), "own_line": str(lines[1].uuid), "vera": vera.pk,
    "paths": [
        f"/setup/people/{{vera.pk}}/", f"/setup/people/{{wim.pk}}/", f"/customers/{{guest.pk}}/",
        f"/reservations/{{booking.pk}}/", f"/setup/restaurants/{{other.uuid}}/",
        f"/setup/restaurants/groups/{{away.uuid}}/", "/setup/mirror/backfills/1/",
    ],
    "words": ["Zanzibar", "Quixote", "Yllera", "yllera@", "Wilbrord", "wilbrord@",
        *(str(one.pk) for one in (guest, booking)), str(other.uuid), str(away.uuid)],
    "vera_is": ["Vera", "Vantongeren"],
}}))
"""


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with open_installation(seed=34, processes=()) as installation:
        installation.collect_static()
        installation.begin(("web",))
        yield installation


def person(installation: Installation, email: str) -> Person:
    someone = Person(installation.environment["PUBLIC_URL"], email)
    someone.sign_in()
    return someone


def test_an_admin_who_invites_a_person_of_another_group_reads_no_word_of_it(installation):
    printed = installation.manage("shell", "--verbosity", "0", "-c", WORLD)
    world: dict[str, Any] = json.loads(printed.splitlines()[-1])
    secret = re.compile("|".join(map(re.escape, world["words"])))
    hidden = re.compile("|".join(map(re.escape, world["words"] + world["vera_is"])))
    admin = person(installation, ADMIN)
    admin.confirm()

    known = invite(admin, INVITED, world["place"])
    unknown = invite(admin, "nobody@zanzibar.example", world["place"])
    assert known == unknown
    assert found(admin, world["paths"], hidden) == {}
    assert world["own_line"] in stream_of(admin, until=world["own_line"], never=hidden)

    vera = person(installation, INVITED)
    waiting = vera.get("/invitations/").text
    assert "Staff · Own Place" in waiting, words_of(vera.get("/invitations/"))
    [accept] = re.findall(r'action="(/invitations/[^"]+/accept/)"', waiting)
    assert vera.post(accept).status == 200

    # From now on Ada sees Vera, and nothing that Vera is or did in the other group.
    shown = admin.get(f"/setup/people/{world['vera']}/")
    assert (shown.status, "Vera Vantongeren" in shown.text) == (200, True)
    paths = [path for path in world["paths"] if path != f"/setup/people/{world['vera']}/"]
    assert found(admin, paths, secret) == {}


def invite(admin: Person, email: str, place: str) -> set[str]:
    """The words that the inviter reads in answer, but for the address."""
    fields = {"email": email, "name": "Somebody", "place": place, "role": "staff"}
    page = admin.post("/setup/people/invite/", **fields)
    assert (page.status, email in page.text) == (200, True), words_of(page)
    return set(typed_out(words_of(page)).split())


def found(admin: Person, paths: list[str], words: re.Pattern[str]) -> dict[str, set[str]]:
    """Read every address without an object, every object of the others, whole and as fragments."""
    plain = [path_of(one) for one in all_addresses() if not one.kwargs and is_read(one)]
    seen = {}
    for path in plain:
        seen[path] = set(words.findall(typed_out(admin.get(path).text)))
    for path in paths:
        page = admin.get(path)
        assert page.status == 404, path
        seen[path] = set(words.findall(page.text))
    return {path: read for path, read in seen.items() if read}


def typed_out(text: str) -> str:
    """Leave out the addresses that Ada typed herself."""
    return text.replace(INVITED, "").replace("nobody@zanzibar.example", "")


def is_read(address: Address) -> bool:
    return not NOT_READ.search(address.name)


def path_of(address: Address) -> str:
    return address.path(lambda _view, _word: "")


def stream_of(admin: Person, *, until: str, never: re.Pattern[str]) -> str:
    """Read the stream of an open screen from its beginning up to a line."""
    request = urllib.request.Request(admin.address + "/live/stream/?since=0")
    cookies = "; ".join(f"{one.name}={one.value}" for one in admin.cookies)
    request.add_header("Cookie", cookies)
    heard = ""
    with urllib.request.urlopen(request, timeout=20) as answer:
        while until not in heard:
            heard += answer.readline().decode()
    assert not never.findall(heard)
    return heard

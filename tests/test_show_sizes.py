"""/setup/connection/sizes/: how much each connection holds, and nothing of what stands in it."""

import pytest
from django.urls import reverse
from django.utils import timezone

from customers.testing import make_customer
from mirror.models import SyncRequest
from partner import testing as partner
from pos.testing import make_logo
from reservations.testing import make_reservation
from restaurants.testing import make_user, sign_in
from reviews.testing import make_review
from tests import tenants
from webhooks.testing import delivery

PATH = "/setup/connection/sizes/"
pytestmark = pytest.mark.django_db


@pytest.fixture
def sides(cast):
    return tenants.two_tenants(cast)


@pytest.fixture
def root(sides):
    return sign_in(make_user("root@example.org", is_superuser=True))


def lines_of(client):
    page = client.get(PATH).context["page"]
    labels = [str(label) for label in page.labels]
    lines = {
        str(line.connection): dict(zip(labels, line.numbers, strict=True)) for line in page.lines
    }
    return lines, dict(zip(labels, page.totals, strict=True))


def fill(side):
    make_customer(side.harbour)
    make_review(side.quay)
    connection = side.harbour.connection
    delivery(b"{}", connection=connection)
    logo = make_logo()
    type(logo).objects.filter(pk=logo.pk).update(connection=connection)
    now = timezone.now()
    SyncRequest.objects.create(
        kind="review", uuid=side.quay.uuid, connection=connection, requested_at=now, not_before=now
    )


def test_it_works(sides, root):
    sides["hill"].harbour.refresh_from_db()
    fill(sides["hill"])
    make_reservation(sides["hill"].quay)
    lines, totals = lines_of(root)

    hill = lines["Second account"]
    assert hill["Groups"] == 1
    assert hill["Restaurants"] == 2
    assert all(hill.values())
    assert lines["Main"]["Guests"] == lines["Main"]["Files"] == 0
    assert totals["Restaurants"] == 4
    assert list(lines)[0] == "Second account"


def test_an_owner_reads_the_own_ones_only(sides):
    answer = sign_in(sides["hill"].dora).get(PATH)

    assert "Second account" in answer.text
    assert ">Main<" not in answer.text
    assert "Total" not in answer.text


def test_others_are_refused(sides):
    for person in (sides["hill"].alice, sides["hill"].bob):
        assert sign_in(person).get(PATH).status_code == 403


def test_it_names_nobody(sides, root):
    sides["hill"].harbour.refresh_from_db()
    before = tenants.keys_of_rows()
    make_reservation(sides["hill"].quay)
    fill(sides["hill"])
    tenants.mark_rows(sides["hill"], before)

    assert tenants.MARK not in root.get(PATH).text


def test_the_list_leads_to_it(sides, root):
    assert reverse("partner:sizes") in root.get("/setup/connection/").text


def test_queries_do_not_grow_with_connections(sides, root, django_assert_max_num_queries):
    for number in range(20):
        partner.connection(name=f"Account {number}", client_id=f"client-{number}")
    with django_assert_max_num_queries(20):
        root.get(PATH)

"""/setup/connection/sizes/: how much each connection holds, and nothing of what stands in it."""

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from customers.testing import make_customer
from mirror.models import SyncRequest
from partner import testing as partner
from partner.models import Connection
from partner.setup_pages.sizes import CONNECTION_SIZES
from pos.testing import make_logo
from reservations.models import Reservation
from reservations.testing import make_reservation, new_reservation
from restaurants.testing import make_user, sign_in
from reviews.testing import make_review
from tests import tenants
from webhooks.models import Delivery
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
    lines = {str(line.connection): numbers_of(labels, line.numbers) for line in page.lines}
    return lines, numbers_of(labels, page.totals)


def numbers_of(labels, counts):
    assert not any(count.is_about for count in counts)
    return dict(zip(labels, [count.number for count in counts], strict=True))


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


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite reads no sample of a table")
class TestALargeTable:
    """Some of its pages are read; who has few rows there is counted."""

    @pytest.fixture
    def sizes(self, sides):
        for side in sides.values():
            side.harbour.refresh_from_db()
        many = [new_reservation(sides["hill"].quay) for _ in range(4000)]
        Reservation.objects.bulk_create(many)
        make_reservation(sides["harbour"].quay)
        return next(one for one in CONNECTION_SIZES if one.model is Reservation)

    def counts(self, sizes, sides, *, percent):
        found = sizes.estimates(Connection.objects.values("pk"), percent=percent)
        return [found[side.harbour.connection_id] for side in (sides["hill"], sides["harbour"])]

    def test_many_rows_are_estimated(self, sizes, sides):
        many, few = self.counts(sizes, sides, percent=50)

        assert many.is_about
        assert 2000 < many.number < 6000
        assert few == (1, False)

    def test_all_pages_are_exact(self, sizes, sides):
        assert self.counts(sizes, sides, percent=100) == [(4000, False), (1, False)]

    def test_what_belongs_to_nobody_is_left_out(self, sides):
        stored = next(one for one in CONNECTION_SIZES if one.model is Delivery)
        account = Connection.objects.earliest("pk")
        delivery(connection=None)
        delivery(connection=account)

        found = stored.estimates(Connection.objects.values("pk"), percent=100)
        assert found == {account.pk: (1, False)}

"""The delivery log: who may see it, what it shows, and how to try again."""

from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from mirror.models import SyncRequest
from restaurants.testing import sign_in
from webhooks.models import Delivery
from webhooks.routing import route_new
from webhooks.testing import delivery, payload, some_payload
from webhooks.views import PAGE

INDEX = "/setup/webhooks/"


@pytest.fixture
def dora_client(dora):
    return sign_in(dora)


def words(response):
    return response.content.decode()


class TestShowDeliveries:
    def test_it_works(self, dora_client):
        delivery()
        route_new(now=timezone.now())

        page = words(dora_client.get(INDEX))

        assert "reservationUpdated" in page
        assert "7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33" in page
        assert "Processed" in page

    def test_people_without_a_sign_in_are_sent_to_the_sign_in_page(self, client, db):
        assert client.get(INDEX).status_code == 302

    def test_it_needs_the_right(self, alice, bob):
        assert sign_in(alice).get(INDEX).status_code == 403
        assert sign_in(bob).get(INDEX).status_code == 403

    def test_an_empty_log_says_so(self, dora_client):
        page = words(dora_client.get(INDEX))

        assert page.count("No event has arrived yet.") == 2
        assert "notice--warn" not in page
        assert "No delivery matches." in words(dora_client.get(INDEX, {"state": "odd"}))

    def test_it_shows_no_content_of_an_odd_body(self, dora_client):
        delivery(b'{"entityType": "reservation", "name": "Maria Rossi", "phone": "+33 6 12 34 56"}')
        route_new(now=timezone.now())

        page = words(dora_client.get(INDEX))

        assert "entityType" in page
        assert "Rossi" not in page
        assert "34" not in page.partition('class="raw"')[2].partition("</pre>")[0]

    def test_it_shows_markup_as_text(self, dora_client):
        delivery(b"<script>alert(1)</script>")

        assert "<script>alert" not in words(dora_client.get(INDEX))

    @pytest.mark.parametrize(
        ("query", "shown"),
        [
            ("", {"odd", "routed"}),
            ("?state=odd", {"odd"}),
            ("?entity_type=reservation", {"routed"}),
            ("?uuid=7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33", {"routed"}),
            ("?uuid=7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d34", set()),
            ("?state=odd&entity_type=reservation", set()),
            ("?uuid=nonsense", set()),
            ("?state=nonsense", set()),
            ("?before=nonsense", set()),
        ],
    )
    def test_it_filters(self, dora_client, query, shown):
        delivery()
        delivery(b"{")
        route_new(now=timezone.now())

        rows = dora_client.get(INDEX + query).context["rows"]

        assert {row.state for row in rows} == shown

    def test_it_leads_to_the_older_ones(self, dora_client):
        for _ in range(PAGE + 2):
            delivery()
        first = dora_client.get(INDEX)

        older = dora_client.get(f"{INDEX}?before={first.context['older']}")

        assert len(first.context["rows"]) == PAGE
        assert len(older.context["rows"]) == 2
        assert older.context["older"] is None

    def test_its_queries_do_not_grow(self, dora_client, django_assert_max_num_queries):
        for _ in range(PAGE):
            delivery(some_payload())
        route_new(now=timezone.now())
        dora_client.get(INDEX)

        with django_assert_max_num_queries(35):
            dora_client.get(INDEX)


class TestRouteAgain:
    def test_it_works(self, dora_client, quay):
        row = delivery(payload(restaurantUuid=str(uuid4())))
        route_new(now=timezone.now())
        quay.uuid = Delivery.objects.get().restaurant_uuid
        quay.save()

        response = dora_client.post(reverse("webhooks:route_again", args=[row.pk]), follow=True)

        assert "1 delivery is processed again." in words(response)
        route_new(now=timezone.now())
        row.refresh_from_db()
        assert row.state == "routed"
        assert SyncRequest.objects.exists()

    def test_all_odd_ones_go_at_once(self, dora_client):
        for raw in (b"{", b"", payload()):
            delivery(raw)
        route_new(now=timezone.now())

        dora_client.post(reverse("webhooks:route_odd_again"))

        states = sorted(Delivery.objects.values_list("state", flat=True))
        assert states == ["new", "new", "routed"]

    def test_it_needs_the_right(self, alice):
        row = delivery()

        for url in (reverse("webhooks:route_again", args=[row.pk]), INDEX + "route-again/"):
            assert sign_in(alice).post(url).status_code == 403

    def test_it_wants_a_post(self, dora_client):
        assert dora_client.get(INDEX + "route-again/").status_code == 405

    def test_an_unknown_delivery_is_not_found(self, dora_client):
        assert dora_client.post(reverse("webhooks:route_again", args=[7])).status_code == 404

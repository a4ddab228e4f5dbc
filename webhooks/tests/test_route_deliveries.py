"""From stored bytes to requests to read."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from mirror.models import Priority, SyncRequest
from webhooks.models import Delivery, HourlyCount
from webhooks.routing import BATCH, route_new
from webhooks.testing import FIXTURES, delivery, payload, some_payload

NOW = datetime(2026, 6, 12, 18, 4, 30, tzinfo=UTC)
RESERVATION = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")

pytestmark = pytest.mark.usefixtures("cast")


def routed(raw=None, **fields):
    """Deliver, route, and return what the delivery has become."""
    row = delivery(raw, **fields)
    route_new(now=NOW)
    row.refresh_from_db()
    return row


def deliver_many(count):
    Delivery.objects.bulk_create(
        Delivery(received_at=NOW, raw=some_payload(), size=1, slot="current", state="new")
        for _ in range(count)
    )


def refs():
    return SyncRequest.objects.get().request_count


class TestRouteDeliveries:
    def test_it_works(self, harbour, quay):
        row = routed()

        assert (row.state, row.reason) == ("routed", "")
        assert (row.entity_type, row.event_type) == ("reservation", "reservationUpdated")
        assert (row.uuid, row.restaurant_uuid) == (RESERVATION, quay.uuid)
        assert row.routed_at == NOW
        ref = SyncRequest.objects.get()
        assert (ref.kind, ref.uuid) == ("reservation", RESERVATION)
        assert (ref.group_uuid, ref.restaurant_uuid) == (harbour.uuid, quay.uuid)
        assert ref.priority == Priority.EVENT

    @pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
    def test_it_routes_every_known_event(self, path):
        assert routed(path.read_bytes()).state == "routed"
        assert SyncRequest.objects.count() == 1

    def test_it_changes_nothing_when_nothing_is_new(self):
        routed()
        before = refs()

        assert route_new(now=NOW) == 0
        assert refs() == before

    def test_the_same_event_later_is_a_new_request(self):
        routed()
        before = refs()
        routed()

        assert refs() == before + 1

    def test_a_hundred_events_at_once_are_one_request(self):
        routed()
        before = refs()
        for _ in range(100):
            delivery()

        assert route_new(now=NOW) == 100
        assert refs() == before + 1

    def test_a_later_payload_adds_to_an_earlier_one(self, quay):
        delivery(payload())
        delivery(payload("older_payload"))
        route_new(now=NOW)

        assert SyncRequest.objects.get().restaurant_uuid == quay.uuid

    def test_the_restaurant_tells_the_group(self, harbour):
        routed(payload(groupUuid=None))

        assert SyncRequest.objects.get().group_uuid == harbour.uuid

    def test_it_reads_no_place_that_no_event_names(self):
        delivery(payload())
        with CaptureQueriesContext(connection) as queries:
            route_new(now=NOW)

        places = [sql for query in queries if 'FROM "restaurants_' in (sql := query["sql"])]
        assert places
        assert all(" WHERE " in sql for sql in places)

    def test_it_works_through_more_than_one_batch(self):
        deliver_many(BATCH + 1)

        assert route_new(now=NOW) == BATCH + 1
        assert SyncRequest.objects.count() == BATCH + 1

    @pytest.mark.parametrize(
        ("raw", "state", "reason"),
        [
            (b"\x00", "odd", "no_json"),
            (payload(uuid="7"), "odd", "bad_uuid"),
            (payload(eventType="reservationSeated"), "ignored", "unknown_word"),
            (payload(restaurantUuid=str(uuid4())), "odd", "not_ours"),
            (payload("customerCreated", groupUuid=str(uuid4())), "odd", "not_ours"),
            (
                payload(groupUuid="22222222-0000-4000-8000-000000000001"),
                "odd",
                "two_groups",
            ),
        ],
    )
    def test_it_says_why_there_is_nothing_to_read(self, raw, state, reason):
        row = routed(raw)

        assert (row.state, row.reason) == (state, reason)
        assert row.get_reason_display()
        assert not SyncRequest.objects.exists()

    def test_an_odd_one_holds_up_nobody(self):
        delivery(b"{")
        delivery(payload())
        delivery(b"\xff")
        route_new(now=NOW)

        states = Delivery.objects.order_by("pk").values_list("state", flat=True)
        assert list(states) == ["odd", "routed", "odd"]

    def test_long_and_unstorable_words_are_kept_as_far_as_they_fit(self):
        row = routed(payload(entityType="x" * 99, eventType="\0" * 99))

        assert (row.entity_type, row.event_type) == ("x" * 32, "\ufffd" * 48)

    def test_it_counts_by_the_hour_of_arrival(self, quay):
        at = NOW - timedelta(hours=2)
        routed(received_at=at)
        routed(b"{", received_at=at)

        counts = set(HourlyCount.objects.values_list("what", "hour", "restaurant", "count"))
        hour = datetime(2026, 6, 12, 16, tzinfo=UTC)
        assert counts == {("routed", hour, str(quay.uuid), 1), ("odd", hour, "", 1)}


class TestRouteAgain:
    def test_it_works(self, quay):
        row = routed(payload(restaurantUuid=str(uuid4())))
        quay.uuid = UUID(str(row.restaurant_uuid))
        quay.save()

        assert Delivery.objects.odd().route_again() == 1
        route_new(now=NOW)

        row.refresh_from_db()
        assert (row.state, row.reason) == ("routed", "")

    def test_a_routed_one_may_be_repeated(self):
        row = routed()
        before = refs()
        Delivery.objects.filter(pk=row.pk).route_again()
        route_new(now=NOW)

        assert refs() == before + 1


class TestHoldBackUnknownEntities:
    """A leaked address may invent ids; it may not spend all of our requests on them."""

    @pytest.fixture(autouse=True)
    def _one_stranger_a_minute(self, settings):
        settings.WEBHOOK_UNKNOWN_PER_MINUTE = 1

    def test_it_works(self):
        first, second = delivery(some_payload()), delivery(some_payload())
        route_new(now=NOW)

        first.refresh_from_db()
        second.refresh_from_db()
        assert (first.state, first.is_first_sight) == ("routed", True)
        assert (second.state, second.reason) == ("held", "too_many")
        assert SyncRequest.objects.count() == 1

    def test_the_next_minute_lets_another_one_in(self):
        for _ in range(3):
            delivery(some_payload())
        route_new(now=NOW)
        route_new(now=NOW + timedelta(seconds=59))
        assert SyncRequest.objects.count() == 1

        route_new(now=NOW + timedelta(seconds=61))

        assert SyncRequest.objects.count() == 2
        assert Delivery.objects.filter(state="held").count() == 1

    def test_known_entities_do_not_wait_behind_unknown_ones(self):
        routed(payload())
        routed(some_payload())
        row = routed(payload())

        assert row.state == "routed"

    def test_many_events_of_one_stranger_are_one_stranger(self):
        for _ in range(5):
            delivery(payload())
        route_new(now=NOW)

        assert not Delivery.objects.filter(state="held").exists()

    def test_each_token_has_its_own_allowance(self):
        routed(some_payload(), slot="current")
        row = routed(some_payload(), slot="previous")

        assert row.state == "routed"


@pytest.mark.django_db(transaction=True)
def test_routers_side_by_side_deal_with_each_delivery_once(cast):
    deliver_many(3 * BATCH)

    def work(_number):
        try:
            return route_new(now=NOW)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as routers:
        routed_by_each = list(routers.map(work, range(4)))

    assert sum(routed_by_each) == 3 * BATCH
    assert SyncRequest.objects.values("request_count").distinct().count() == 1
    assert sum(HourlyCount.objects.values_list("count", flat=True)) == 3 * BATCH

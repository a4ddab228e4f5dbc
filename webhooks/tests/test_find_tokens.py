"""A token opens the receiver for its own connection, however many connections there are."""

from datetime import timedelta

import pytest
from django.db import connection as database
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from mirror.models import SyncRequest
from partner import testing
from partner.models import Connection, Slot
from partner.models.connection import OVERLAP
from partner.models.webhook_tokens import TokenTable
from webhooks import routing
from webhooks.models import Delivery
from webhooks.testing import delivery, payload

pytestmark = pytest.mark.django_db
OTHER = "token-of-the-second-connection"


@pytest.fixture
def first(cast):
    return testing.connection()


@pytest.fixture
def second(first):
    return testing.connection(name="Second", webhook_token=OTHER)


def find(token: str, **options):
    return TokenTable.read().find(token, **options)


class TestFind:
    def test_it_works(self, first, second):
        assert find(testing.WEBHOOK_TOKEN)[:2] == (first.pk, Slot.CURRENT)
        assert find(OTHER)[:2] == (second.pk, Slot.CURRENT)

    @pytest.mark.parametrize("token", ["", "wrong", OTHER + "x", "-" * 64])
    def test_others_are_refused(self, second, token):
        assert find(token) is None

    def test_an_old_address_works_until_its_end(self, first, second):
        second.rotate_webhook_token("the-next-one")
        second.save()

        assert find("the-next-one")[:2] == (second.pk, Slot.CURRENT)
        assert find(OTHER)[:2] == (second.pk, Slot.PREVIOUS)
        assert find(OTHER, now=timezone.now() + OVERLAP) is None

    def test_events_of_a_paused_one_are_taken_and_those_of_a_retired_one_are_not(self, second):
        Connection.objects.filter(pk=second.pk).update(state=Connection.State.PAUSED)
        assert find(OTHER)

        Connection.objects.filter(pk=second.pk).update(state=Connection.State.RETIRED)
        assert find(OTHER) is None

    def test_two_hundred_are_read_by_one_query(self, first):
        for number in range(200):
            testing.connection(webhook_token=f"token-number-{number}")

        with CaptureQueriesContext(database) as queries:
            table = TokenTable.read()
        assert len(queries) == 1
        found = table.find("token-number-199")
        assert found is not None
        assert found.slot == Slot.CURRENT


class TestForeignEvents:
    """An event by the address of one account about a group of another: stored, never acted on."""

    @pytest.fixture
    def of_quay(self, quay):
        quay_and_group = {"restaurantUuid": str(quay.uuid), "groupUuid": str(quay.group.uuid)}
        return payload(**quay_and_group)

    def route(self, raw, connection) -> Delivery:
        stored = delivery(raw, connection=connection)
        routing.route_new(now=timezone.now())
        stored.refresh_from_db()
        return stored

    def test_one_of_its_own_is_read(self, first, second, of_quay):
        stored = self.route(of_quay, first)

        assert stored.state == Delivery.State.ROUTED
        assert SyncRequest.objects.get().connection == first

    def test_one_of_another_is_kept_and_nothing_is_read(self, first, second, of_quay):
        stored = self.route(of_quay, second)

        assert (stored.state, stored.reason) == (Delivery.State.ODD, Delivery.Reason.NOT_OURS)
        assert stored.connection == second
        assert not SyncRequest.objects.exists()

    def test_it_is_found_out_without_a_group_in_the_event_too(self, first, second, of_quay):
        self.route(of_quay, first)
        before = SyncRequest.objects.values().get()
        stored = self.route(payload(restaurantUuid=None, groupUuid=None), second)

        assert (stored.state, stored.reason) == (Delivery.State.ODD, Delivery.Reason.NOT_OURS)
        assert SyncRequest.objects.values().get() == before

    def test_unknown_entities_of_one_do_not_use_up_the_minute_of_the_other(
        self, first, second, settings, quay
    ):
        settings.WEBHOOK_UNKNOWN_PER_MINUTE = 1
        now = timezone.now()
        for number in range(3):
            uuid = f"00000000-0000-4000-8000-00000000000{number}"
            delivery(payload(uuid=uuid, groupUuid=None, restaurantUuid=None), connection=second)
        delivery(payload(groupUuid=None, restaurantUuid=None), connection=first)

        routing.route_new(now=now)
        routing.route_new(now=now + timedelta(seconds=1))

        assert Delivery.objects.get(connection=first).state == Delivery.State.ROUTED
        assert Delivery.objects.filter(connection=second, state="held").count() == 2

import io
import json
from datetime import date
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command

from partner import testing
from partner.auth import capabilities
from partner.errors import NotConfigured
from partner.models import Connection, Token
from partner.setup_pages import probes
from partner.testing import FakeTransport

pytestmark = pytest.mark.django_db

DAY = date(2026, 12, 4)
PLACE = probes.ProbePlace(
    group_uuid=UUID("9d5b1c77-2d0e-4a86-8b0c-1e2f3a4b5c6d"),
    restaurant_uuid=UUID("c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10"),
)


@pytest.fixture
def place(monkeypatch):
    monkeypatch.setattr(probes.PROBE_PLACES, "entries", [lambda _connection: PLACE])
    return PLACE


def try_it(transport, **options):
    client = testing.client(transport, **options)
    return probes.try_connection(client, Connection.objects.current(), today=DAY)


class TestTry:
    def test_it_works(self, place):
        transport = FakeTransport(
            list_reservations=200,
            list_party_sizes=200,
            list_offers=200,
            list_customers=200,
            list_reviews=200,
        )

        results = try_it(transport)

        assert [f.is_good for f in results] == [True, True, False] + [True] * 6
        assert len(transport.requests) == 5
        assert transport.token_requests == []

    def test_a_refusal_is_shown_in_words(self, place):
        transport = FakeTransport(list_reservations=401)

        results = try_it(transport, scopes="svc-restaurant:reservations")

        assert "does not belong to it" in results[1].sentence
        assert results[1].next_step

    def test_what_is_not_granted_is_not_tried(self, place):
        transport = FakeTransport(list_offers=200)

        results = try_it(transport, scopes="svc-restaurant:offers")

        assert [request.operation for request in transport.requests] == ["list_offers"]
        assert "svc-restaurant:reviews" in results[-2].next_step

    def test_without_a_key_nothing_is_tried(self, place):
        client = testing.client(FakeTransport())
        Token.objects.update(is_refused=False, paused_until=client._clock.now().replace(year=2999))
        Token.objects.update(usable_until=None, suspect_since=client._clock.now())

        results = probes.try_connection(client, Connection.objects.current(), today=DAY)

        assert [f.is_good for f in results] == [False]


class TestCapabilities:
    def test_it_works(self):
        testing.connection(scopes="svc-restaurant:reviews")

        assert capabilities.can("reviews", connection=None)
        assert capabilities.can("reviews", connection=None).reason == ""
        offers = capabilities.can("offers", connection=None)
        assert not offers
        assert "svc-restaurant:offers" in offers.reason
        assert "client-for-tests" in offers.request_text

    def test_full_access_opens_all_but_what_the_contract_excepts(self):
        testing.connection(scopes="svc-restaurant")

        closed = [c.feature.key for c in self.every() if not c]

        assert closed == ["free_booking", "override"]

    def test_nothing_is_closed_before_the_first_key(self):
        testing.connection(scopes="")

        assert all(self.every())

    def test_real_names_are_compared(self, settings):
        settings.PARTNER_NAMES = {"svc-restaurant": "brand-restaurant"}
        testing.connection(scopes="brand-restaurant:offers")

        assert capabilities.can("offers", connection=None)
        assert capabilities.can("reviews", connection=None).scope == "brand-restaurant:reviews"

    def every(self):
        return capabilities.CapabilityMap(Connection.objects.current()).every()


class TestCommand:
    def run(self, *words):
        printed = io.StringIO()
        call_command("partner", *words, stdout=printed)
        return printed.getvalue()

    def test_token_prints_no_secret(self):
        testing.connection()

        printed = self.run("token")

        assert json.loads(printed)["valid"] is True
        assert testing.ACCESS_TOKEN not in printed

    def test_ping_says_what_it_knows(self):
        testing.connection(scopes="svc-restaurant:calls")

        assert "The key is valid" in self.run("ping")

    def test_without_a_connection_it_says_so(self):
        with pytest.raises(CommandError, match="No connection"):
            self.run("token")
        with pytest.raises(NotConfigured):
            capabilities.can("offers", connection=None)

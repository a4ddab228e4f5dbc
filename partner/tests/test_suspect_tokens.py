"""What is done about a valid token that the service refuses everywhere, and about its return."""

from contextlib import suppress
from datetime import date
from uuid import UUID

import pytest

from partner import errors, testing
from partner.calls import clear_states
from partner.client import Client
from partner.http.transport import Lost
from partner.limits.priorities import CallPriority
from partner.limits.throttle import ODD_ENOUGH
from partner.models import Connection, Token, TokenRequest
from partner.testing import FakeTransport

pytestmark = pytest.mark.django_db

RESERVATION = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
RESTAURANT = UUID("c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10")
OTHER = UUID("0b7c2a2e-5f0c-4b53-8b7e-3d1f9a6c2f40")
DAY = date(2026, 12, 4)


class TestSuspicion:
    def lists(self, client):
        return list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))

    def kinds_of(self, client, *, reads):
        """How each of so many reads of a booking fails."""
        kinds = []
        for _ in range(reads):
            with pytest.raises(errors.PartnerError) as fault:
                client.reservation(RESERVATION)
            kinds.append(type(fault.value))
        return kinds

    def test_a_token_that_is_refused_everywhere_stops_all_calls(self):
        transport = FakeTransport(list_reservations=[200, 401], get_reservation=401)
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)

        kinds = self.kinds_of(client, reads=8)

        assert kinds == [errors.NotOurs] * 4 + [errors.AuthSuspect] * 4
        assert len(transport.requests) <= 10
        assert transport.token_requests == []
        assert Token.objects.get().suspect_since

    def test_a_check_of_the_key_is_not_held_with_an_endpoint(self):
        transport = FakeTransport(list_reservations=[200, 401], get_reservation=401)
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)
        for number in range(ODD_ENOUGH):
            client._calls._state.throttle.note_odd(f"/{number}", of="list_reservations")

        assert errors.AuthSuspect in self.kinds_of(client, reads=8)

    @pytest.mark.parametrize("fault", [429, 503, Lost()])
    def test_an_outage_of_the_probe_proves_nothing(self, fault):
        """Neither that the token is revoked nor that the entity is another's: repeated later."""
        transport = FakeTransport(list_reservations=[200, *[fault] * 9], get_reservation=401)
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)

        kinds = self.kinds_of(client, reads=5)

        assert kinds[:4] == [errors.NotOurs] * 4
        assert issubclass(kinds[4], errors.Retryable)
        assert Token.objects.get().suspect_since is None

    def test_it_ends_with_the_token(self):
        transport = FakeTransport(
            list_reservations=[200, 401], get_reservation=[401] * 5 + [200], token="second"
        )
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)
        for _ in range(5):
            with pytest.raises(errors.PartnerError):
                client.reservation(RESERVATION)

        transport.clock.passed += 8602
        client.reservation(RESERVATION)

        assert Token.objects.get().suspect_since is None
        assert TokenRequest.objects.count() == 1

    def test_a_refusal_that_passes_holds_up_for_a_minute_only(self):
        transport = FakeTransport(
            list_reservations=[200, 401, 200], get_reservation=[401] * 5 + [200], token="second"
        )
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)
        for _ in range(5):
            with pytest.raises(errors.PartnerError):
                client.reservation(RESERVATION)

        transport.clock.passed += 61
        client.reservation(RESERVATION)

        assert TokenRequest.objects.count() == 0
        assert transport.token_requests == []

    def test_it_is_tried_once_a_minute_while_it_is_refused(self):
        refused = [401] * 20
        transport = FakeTransport(list_reservations=[200, *refused], get_reservation=refused)
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)
        for _ in range(30):
            transport.clock.passed += 10
            with pytest.raises(errors.PartnerError):
                client.reservation(RESERVATION)

        assert len(transport.requests) <= 10 + 5
        assert transport.token_requests == []

    def test_records_of_others_alone_are_no_reason(self):
        transport = FakeTransport(list_reservations=200, get_reservation=401)
        client = testing.client(transport, priority=CallPriority.EVENT)
        self.lists(client)

        for _ in range(12):
            with pytest.raises(errors.NotOurs):
                client.reservation(RESERVATION)

    def test_a_success_in_between_clears_the_doubt(self):
        transport = FakeTransport(list_reservations=[200, 200, 401], get_reservation=401)
        client = testing.client(transport, priority=CallPriority.EVENT)
        for _ in range(2):
            self.lists(client)
            for _ in range(4):
                with pytest.raises(errors.NotOurs):
                    client.reservation(RESERVATION)

        assert Token.objects.get().unauthorised_in_a_row == 4


class TestReturn:
    """A revoked key costs one read a minute, however many calls wait for it."""

    def suspect(self, transport):
        """A client whose token was just found to be refused everywhere."""
        client = testing.client(transport, priority=CallPriority.EVENT)
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))
        for _ in range(5):
            with pytest.raises(errors.PartnerError):
                client.reservation(RESERVATION)
        assert Token.objects.get().suspect_since
        transport.requests.clear()
        return client

    def operations(self, transport):
        return [request.path.partition("?")[0] for request in transport.requests]

    def test_only_the_read_that_is_known_to_work_is_sent(self):
        transport = FakeTransport(list_reservations=[200, *[401] * 9], get_reservation=401)
        client = self.suspect(transport)

        for _ in range(3):
            transport.clock.passed += 61
            for _ in range(8):
                with pytest.raises(errors.AuthSuspect):
                    client.reservation(RESERVATION)

        assert self.operations(transport) == ["/v1/reservations"] * 3

    def test_no_record_is_taken_for_another_ones_meanwhile(self):
        """It would be parked for a person, who can do nothing about it."""
        transport = FakeTransport(list_reservations=[200, *[401] * 9], get_reservation=401)
        client = self.suspect(transport)
        transport.clock.passed += 61

        with pytest.raises(errors.AuthSuspect) as fault:
            client.reservation(RESERVATION)

        assert 0 < fault.value.retry_after <= 60

    def test_another_process_waits_for_the_one_that_tries(self):
        transport = FakeTransport(list_reservations=[200, *[401] * 9], get_reservation=401)
        client = self.suspect(transport)
        transport.clock.passed += 61
        with pytest.raises(errors.AuthSuspect):
            client.reservation(RESERVATION)
        clear_states()
        other = Client(Connection.objects.current(), transport=transport)

        with pytest.raises(errors.AuthSuspect):
            other.reservation(RESERVATION)

        assert self.operations(transport) == ["/v1/reservations"]

    def test_the_first_call_goes_on_once_it_works(self):
        transport = FakeTransport(
            list_reservations=[200, 401, 200], get_reservation=[401] * 5 + [200]
        )
        client = self.suspect(transport)
        transport.clock.passed += 61

        assert client.reservation(RESERVATION).entity.party_size == 4
        assert Token.objects.get().suspect_since is None
        assert Token.objects.get().unauthorised_in_a_row == 0

    @pytest.mark.parametrize("fault", [429, 503, Lost()])
    def test_an_outage_leaves_it_suspected(self, fault):
        transport = FakeTransport(list_reservations=[200, 401, fault], get_reservation=401)
        client = self.suspect(transport)
        transport.clock.passed += 61

        for expected in (errors.Retryable, errors.AuthSuspect):
            with pytest.raises(expected):
                client.reservation(RESERVATION)


class TestPlaceThatIsLost:
    """The read that is known to work may be of a restaurant that is the client's no longer."""

    @pytest.mark.parametrize("is_of_a_person", [True, False])
    def test_it_takes_no_other_place_with_it(self, is_of_a_person):
        lost: list[str] = []

        def listing(request):
            return 401 if any(place in request.path for place in lost) else 200

        transport = FakeTransport(list_reservations=listing, get_reservation=401)
        priority = CallPriority.PERSON if is_of_a_person else CallPriority.EVENT
        client = testing.client(transport, priority=priority)
        for restaurant in (RESTAURANT, OTHER):
            list(client.reservation_uuids(restaurant=restaurant, start=DAY, end=DAY))
        lost.append(str(RESTAURANT))

        for _ in range(12):
            with pytest.raises(errors.NotOurs):
                client.reservation(RESERVATION)

        assert Token.objects.get().suspect_since is None
        assert str(OTHER) in Token.objects.get().known_good_path


class TestNewToken:
    """Of one that was issued a moment ago nothing is known, but what worked with the last one."""

    @pytest.mark.parametrize("is_of_a_person", [True, False])
    def test_one_that_not_all_of_the_service_knows_yet_gives_no_record_away(self, is_of_a_person):
        transport = FakeTransport(
            list_reservations=[200, 401], get_reservation=[401] * 9 + [200], token="second"
        )
        priority = CallPriority.PERSON if is_of_a_person else CallPriority.EVENT
        client = testing.client(transport, priority=priority)
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))
        transport.clock.passed += 8602

        kinds = []
        for _ in range(6):
            with pytest.raises(errors.PartnerError) as fault:
                client.reservation(RESERVATION)
            kinds.append(type(fault.value))

        few = 0 if is_of_a_person else 4
        assert kinds == [errors.NotOurs] * few + [errors.AuthSuspect] * (6 - few)
        assert TokenRequest.objects.count() == 1


class TestLongLifetime:
    """Its host promised days, or counted in milliseconds; the contract promises 8600 s."""

    def refused(self, *, passed, boot_id=""):
        transport = FakeTransport(
            list_reservations=[200, *[401] * 9], get_reservation=401, token="second"
        )
        transport.clock.boot_id = boot_id
        client = testing.client(transport, priority=CallPriority.EVENT)
        row = testing.store_token(
            Connection.objects.get(), lifetime=6 * 86400, now=transport.clock.now()
        )
        if boot_id:
            end = transport.clock.uptime() + 6 * 86400
            Token.objects.filter(pk=row.pk).update(
                boot_id=boot_id, usable_until_uptime=end, renew_from_uptime=end
            )
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))
        transport.clock.passed += passed
        for _ in range(5):
            with pytest.raises(errors.PartnerError):
                client.reservation(RESERVATION)
        transport.clock.passed += 61
        with suppress(errors.PartnerError):
            client.reservation(RESERVATION)
        return TokenRequest.objects.filter(is_forced=False).count()

    def test_a_token_that_is_refused_everywhere_ends_by_the_contract(self):
        assert self.refused(passed=8700) == 1

    def test_and_not_before(self):
        assert self.refused(passed=8000) == 0
        assert not TokenRequest.objects.exists()

    @pytest.mark.parametrize(("passed", "requests"), [(8000, 0), (8700, 1)])
    def test_within_a_boot_its_uptime_counts(self, passed, requests):
        assert self.refused(passed=passed, boot_id="this boot") == requests


class TestChangesOfPeople:
    def test_a_revoked_key_refuses_none(self):
        """The reason would be untrue: the booking is ours, and the key has to be renewed."""
        transport = FakeTransport(list_reservations=[200, 401], cancel_reservation=401)
        client = testing.client(transport)
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))

        with pytest.raises(errors.AuthSuspect):
            client.cancel_reservation(RESERVATION)

    def test_a_single_refusal_while_the_key_works_is_not_believed(self):
        """A proxy's hiccup: the change would end as refused, for a reason that is not true."""
        cancelled = FakeTransport(list_reservations=200, cancel_reservation=[401, 200])
        client = testing.client(cancelled)
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))

        client.cancel_reservation(RESERVATION)

        assert cancelled.token_requests == []

    def test_another_accounts_booking_is_named_as_such(self):
        transport = FakeTransport(list_reservations=[200, 200], cancel_reservation=401)
        client = testing.client(transport)
        list(client.reservation_uuids(restaurant=RESTAURANT, start=DAY, end=DAY))

        with pytest.raises(errors.NotOurs):
            client.cancel_reservation(RESERVATION)

        assert Token.objects.get().suspect_since is None

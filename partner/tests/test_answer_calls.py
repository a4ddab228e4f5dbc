"""What one call does about refusals, outages and an ended token."""

from datetime import date
from uuid import UUID

import pytest

from partner import errors, testing
from partner.http.addresses import AddressRefused
from partner.http.transport import Lost, NotConnected, TooLarge
from partner.limits.path_locks import PathLocks
from partner.limits.priorities import CallPriority
from partner.models import Token
from partner.testing import FakeClock, FakeTransport

pytestmark = pytest.mark.django_db

RESERVATION = UUID("7a2f8f0e-3c14-4f0a-8f7e-2b6f5f1f9d33")
OTHER = UUID("0d9b3c52-3b52-4d6a-9a36-0f1a9a3a7c11")
RESTAURANT = UUID("c1a5f2de-6b1e-4f57-9a3c-0c8d2b7e4f10")
DAY = date(2026, 12, 4)


def read(transport, **options):
    return testing.client(transport, **options).reservation(RESERVATION)


def write(transport, **options):
    return testing.client(transport, **options).cancel_reservation(RESERVATION)


class TestReads:
    @pytest.mark.parametrize("fault", [500, 503, NotConnected(), Lost()])
    def test_an_outage_of_a_moment_is_not_noticed(self, fault):
        transport = FakeTransport(get_reservation=[fault, fault, 200])

        assert read(transport).entity.party_size == 4
        assert len(transport.clock.naps) == 2

    @pytest.mark.parametrize("fault", [500, 503, NotConnected(), Lost()])
    def test_a_longer_one_is_the_callers(self, fault):
        transport = FakeTransport(get_reservation=fault)

        with pytest.raises(errors.Unavailable):
            read(transport)

        assert len(transport.requests) == 3

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_a_refusal_is_not_tried_again(self, status):
        transport = FakeTransport(get_reservation=status)

        with pytest.raises(errors.PartnerError):
            read(transport)

        assert len(transport.requests) == 1

    def test_a_person_gets_an_answer_within_eight_seconds(self):
        transport = FakeTransport(get_reservation=(503, {}, {"retry-after": "9"}))

        with pytest.raises(errors.Unavailable) as fault:
            read(transport)

        assert transport.clock.passed < 8
        assert fault.value.retry_after == 9

    def test_retry_after_is_honoured(self):
        transport = FakeTransport(get_reservation=[(503, {}, {"retry-after": "3"}), 200])

        read(transport)

        assert transport.clock.naps == [3]

    def test_a_429_slows_everyone_down(self):
        transport = FakeTransport(get_reservation=[(429, {}, {"retry-after": "2"}), 200])

        read(transport)

        assert 2 <= transport.clock.passed < 3

    def test_a_429_without_a_word_pauses_too(self):
        transport = FakeTransport(get_reservation=[429, 200])

        read(transport)

        assert 1 <= transport.clock.passed < 2

    def test_what_has_just_failed_is_left_alone_for_a_moment(self):
        transport = FakeTransport(get_reservation=500)
        client = testing.client(transport)
        with pytest.raises(errors.Unavailable):
            client.reservation(RESERVATION)
        transport.reply("get_reservation", 200)
        before = transport.clock.passed

        client.reservation(RESERVATION)

        assert transport.clock.passed - before == pytest.approx(0.25)

    def test_the_same_read_is_never_under_way_twice(self):
        path_locks = PathLocks(FakeClock())
        with path_locks.hold("/v1/reservations?page=1", give_up_at=0):
            with path_locks.hold("/v1/reservations?page=2", give_up_at=0):
                pass
            with (
                pytest.raises(errors.Busy),
                path_locks.hold("/v1/reservations?page=1", give_up_at=0),
            ):
                pass

    def test_a_body_beyond_all_bounds_is_malformed(self):
        with pytest.raises(errors.Malformed):
            read(FakeTransport(get_reservation=TooLarge()))

    def test_an_address_that_leads_inside_is_a_matter_of_set_up(self):
        with pytest.raises(errors.NotConfigured) as fault:
            read(FakeTransport(get_reservation=AddressRefused("inside")))

        assert fault.value.code == "ADDRESS_REFUSED"


class TestWrites:
    @pytest.mark.parametrize(
        ("fault", "kind"),
        [
            (500, errors.Ambiguous),
            (503, errors.Ambiguous),
            (Lost(), errors.Ambiguous),
            (TooLarge(), errors.Ambiguous),
            ((200, "<html>"), errors.Ambiguous),
            (NotConnected(), errors.NotSent),
            (429, errors.Throttled),
            (409, errors.Conflict),
            (400, errors.Refused),
        ],
    )
    def test_they_are_never_tried_again_here(self, fault, kind):
        transport = FakeTransport(cancel_reservation=fault)

        with pytest.raises(kind):
            write(transport)

        assert len(transport.requests) == 1

    def test_one_whose_process_stood_still_is_not_sent(self, monkeypatch):
        """Whoever took its work over may have looked already whether it was done."""
        transport = FakeTransport(cancel_reservation=200)
        client = testing.client(transport)
        take = client._calls._state.throttle.take

        def stand_still(*args, **options):
            take(*args, **options)
            transport.clock.passed += 60

        monkeypatch.setattr(client._calls._state.throttle, "take", stand_still)

        with pytest.raises(errors.NotSent):
            client.cancel_reservation(RESERVATION)
        assert transport.requests == []


class TestToken:
    def client(self, transport, *, lifetime):
        client = testing.client(transport)
        row = Token.objects.get()
        testing.store_token(row.connection, lifetime=lifetime, now=transport.clock.now())
        return client

    def test_a_valid_one_is_used(self):
        transport = FakeTransport(get_reservation=200)

        read(transport)

        assert transport.token_requests == []

    def test_an_ended_one_is_renewed_before_the_call(self):
        transport = FakeTransport(get_reservation=200, token="second")
        client = self.client(transport, lifetime=-1)

        client.reservation(RESERVATION)

        assert len(transport.token_requests) == 1
        assert transport.headers[0]["Authorization"] == "Bearer second"

    def test_one_that_ends_on_the_way_is_renewed_once_and_the_call_repeated_once(self):
        transport = FakeTransport(get_reservation=[401, 200], token="second")
        client = self.client(transport, lifetime=1.5)

        client.reservation(RESERVATION)

        assert len(transport.token_requests) == 1
        assert [h["Authorization"] for h in transport.headers] == [
            f"Bearer {testing.ACCESS_TOKEN}",
            "Bearer second",
        ]
        assert transport.clock.passed >= 1.5

    def test_a_write_is_repeated_too_for_it_was_not_carried_out(self):
        transport = FakeTransport(cancel_reservation=[401, 200], token="second")
        client = self.client(transport, lifetime=1)

        client.cancel_reservation(RESERVATION)

        assert len(transport.requests) == 2

    def test_a_second_401_is_not_ours(self):
        transport = FakeTransport(get_reservation=401, token="second")
        client = self.client(transport, lifetime=1)

        with pytest.raises(errors.NotOurs):
            client.reservation(RESERVATION)

        assert len(transport.token_requests) == 1
        assert len(transport.requests) == 2

    @pytest.mark.parametrize(
        "body",
        [
            {"statusCode": 401, "error": "Unauthorized", "data": {"code": ""}},
            {"message": "Unauthorized"},
            {"error": "access_denied", "error_description": "Unauthorized"},
            "<html>Unauthorized</html>",
            "",
        ],
    )
    def test_a_401_with_a_valid_one_asks_for_no_token(self, body):
        transport = FakeTransport(get_reservation=(401, body))

        with pytest.raises(errors.NotOurs):
            read(transport)

        assert transport.token_requests == []
        assert len(transport.requests) == 1

    def test_one_that_ends_while_the_permit_is_waited_for_is_not_sent(self):
        transport = FakeTransport(get_reservation=200, token="second")
        client = self.client(transport, lifetime=6)
        client._calls._state.throttle.slow_down(retry_after=7)

        client.reservation(RESERVATION)

        assert [h["Authorization"] for h in transport.headers] == ["Bearer second"]

    @pytest.mark.parametrize("late", [0, 0.5, 30])
    def test_a_401_is_no_doubt_while_another_thread_renews_the_ended_one(self, late):
        """That thread has emptied the memory of this process, and the row holds the ended one."""
        transport = FakeTransport(token="second")
        client = self.client(transport, lifetime=5)

        def refuse_while_renewed(request):
            transport.clock.passed += 5 + late
            client._calls._state.tokens.drop_cached()
            transport.reply("get_reservation", 200)
            return 401

        transport.reply("get_reservation", refuse_while_renewed)

        client.reservation(RESERVATION)

        assert Token.objects.get().unauthorised_in_a_row == 0
        assert transport.headers[-1]["Authorization"] == "Bearer second"

    def test_what_it_is_refused_for_is_not_sent_by_who_waited_for_a_permit(self):
        transport = FakeTransport(get_reservation=403)
        client = self.client(transport, lifetime=600)
        throttle, take = client._calls._state.throttle, client._calls._state.throttle.take

        def take_late(*args, **options):
            throttle.take = take
            with pytest.raises(errors.MissingScope):
                client.reservation(OTHER)  # another thread's, with the permit before
            take(*args, **options)

        throttle.take = take_late
        with pytest.raises(errors.MissingScope):
            client.reservation(RESERVATION)

        assert [request.target for request in transport.requests] == [OTHER]

    def test_one_that_another_process_renewed_is_taken_from_the_row(self):
        transport = FakeTransport(get_reservation=[200, 401, 200])
        client = testing.client(transport)
        client.reservation(RESERVATION)
        Token.objects.update(access_token="from elsewhere")

        client.reservation(RESERVATION)

        assert transport.headers[-1]["Authorization"] == "Bearer from elsewhere"
        assert transport.token_requests == []


class TestCircuit:
    def test_it_opens_on_an_outage_and_closes_on_an_answer(self):
        transport = FakeTransport(get_reservation=[503] * 5 + [200, 200])
        client = testing.client(transport, priority=CallPriority.EVENT)
        with pytest.raises(errors.Unavailable):
            client.reservation(RESERVATION)
        with pytest.raises(errors.CircuitOpen) as fault:
            client.reservation(RESERVATION)
        assert len(transport.requests) == 5

        transport.clock.passed += fault.value.retry_after + 0.1
        client.reservation(RESERVATION)
        client.reservation(RESERVATION)

        assert len(transport.requests) == 7

    def test_an_hour_of_outage_costs_some_hundred_and_twenty_calls(self):
        transport = FakeTransport(get_reservation=503)
        client = testing.client(transport, priority=CallPriority.BACKFILL)
        end = transport.clock.passed + 3600
        while transport.clock.passed < end:
            transport.clock.passed += 3
            with pytest.raises(errors.Retryable):
                client.reservation(RESERVATION)

        assert 110 <= len(transport.requests) <= 135

    def test_a_person_gets_the_error_at_once(self):
        transport = FakeTransport(get_reservation=NotConnected())
        client = testing.client(transport)
        for _ in range(2):
            with pytest.raises(errors.Retryable):
                client.reservation(RESERVATION)
        passed = transport.clock.passed

        with pytest.raises(errors.CircuitOpen):
            client.reservation(RESERVATION)

        assert transport.clock.passed == passed

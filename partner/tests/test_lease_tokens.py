"""The token: never early, never twice, never immortal, whatever clocks and processes do."""

from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.db import connection as database

from partner import errors, testing
from partner.auth.token_host import ClientCredentials, Granted, TokenFault
from partner.auth.tokens import TokenLease
from partner.client import Client
from partner.models import Connection, Token, TokenRequest
from partner.testing import FakeClock, FakeTransport

pytestmark = pytest.mark.django_db

LIFETIME = 8600


class Host:
    """A token host that knows which tokens are valid, on the test's clock."""

    def __init__(self, clock: FakeClock, *, latency: float = 0.5, drift: float = 0.0) -> None:
        self.clock = clock
        self.latency = latency
        self.drift = drift
        self.issued: list[float] = []
        self.early = 0
        self.faults: list[TokenFault] = []
        self.token_requests: list[ClientCredentials] = []

    def request_token(self, credentials: ClientCredentials) -> Granted:
        self.token_requests.append(credentials)
        if self.faults:
            raise self.faults.pop(0)
        now = self.clock.passed + self.latency
        self.clock.passed += 2 * self.latency
        if self.issued and now < self.issued[-1] + LIFETIME + self.drift:
            self.early += 1
        self.issued.append(now)
        return Granted(f"token {len(self.issued)}", "svc-restaurant", LIFETIME)

    def accepts(self, token: str) -> bool:
        is_newest = token == f"token {len(self.issued)}"
        return is_newest and self.clock.passed < self.issued[-1] + LIFETIME + self.drift


@pytest.fixture
def clock():
    return FakeClock()


@pytest.fixture
def host(clock):
    return Host(clock)


@pytest.fixture
def connection(db):
    made = testing.connection()
    Token.objects.all().delete()
    return made


def lease(connection, host):
    """Return a process's hold on the token, as after a restart."""
    return TokenLease(connection, request_token=host.request_token, clock=host.clock)


def bearer(tokens, clock, *, patience=30.0, refused=""):
    return tokens.bearer(give_up_at=clock.uptime() + patience, refused=refused)


def test_it_works(connection, host, clock):
    tokens = lease(connection, host)

    assert bearer(tokens, clock) == "token 1"
    assert bearer(tokens, clock) == "token 1"
    assert len(host.issued) == 1


def test_another_process_and_a_restart_find_it_in_the_row(connection, host, clock):
    bearer(lease(connection, host), clock)

    assert bearer(lease(connection, host), clock) == "token 1"
    assert len(host.issued) == 1


@pytest.mark.parametrize("latency", [0.01, 5.0])
@pytest.mark.parametrize("drift", [-0.4, 0.0, 0.4])
def test_a_day_takes_one_token_per_lifetime_and_none_early(connection, clock, latency, drift):
    host = Host(clock, latency=latency, drift=drift)
    processes = [lease(connection, host) for _ in range(3)]
    refused = 0
    while clock.passed < 24 * 3600:
        for process in processes:
            refused += not host.accepts(bearer(process, clock))
        clock.passed += 7.3

    assert host.early == 0
    assert len(host.issued) == 11
    assert refused <= len(host.issued)  # the service's clock may run ahead of ours


def test_in_its_last_moments_callers_wait(connection, clock):
    host = Host(clock, latency=5.0)
    tokens = lease(connection, host)
    bearer(tokens, clock)
    end = host.issued[0] + LIFETIME
    clock.passed = end - 4.0

    with pytest.raises(errors.Busy) as busy:
        bearer(tokens, clock, patience=1.0)
    assert busy.value.retry_after > 1.0
    assert bearer(tokens, clock) == "token 2"
    assert host.early == 0


class TestClock:
    def test_one_that_is_set_back_does_not_make_it_immortal(self, connection, host, clock):
        bearer(lease(connection, host), clock)
        clock.start -= timedelta(hours=10)
        clock.passed += LIFETIME + 10

        assert bearer(lease(connection, host), clock) == "token 1"  # its age is unknown now
        clock.passed += LIFETIME + 2
        assert bearer(lease(connection, host), clock) == "token 2"
        assert host.early == 0

    def test_a_process_that_lives_on_is_not_fooled(self, connection, host, clock):
        tokens = lease(connection, host)
        bearer(tokens, clock)
        clock.start -= timedelta(hours=10)
        clock.passed += LIFETIME + 10
        clock.boot_id = ""

        assert tokens._is_usable(tokens._cached, refused="") is False

    def test_within_a_boot_only_the_uptime_counts(self, connection, host, clock):
        clock.boot_id = "boot"
        bearer(lease(connection, host), clock)
        clock.start -= timedelta(hours=10)
        clock.passed += LIFETIME + 10

        assert bearer(lease(connection, host), clock) == "token 2"
        assert host.early == 0

    @pytest.mark.parametrize("hours", [-1, 1, 24 * 365 * 20])
    def test_a_step_asks_for_nothing_within_a_boot(self, connection, host, clock, hours):
        clock.boot_id = "boot"
        bearer(lease(connection, host), clock)
        clock.start += timedelta(hours=hours)

        assert bearer(lease(connection, host), clock) == "token 1"


class TestLease:
    def test_while_another_process_asks_we_wait_for_its_row(self, connection, host, clock):
        row = Token.objects.of(connection)
        Token.objects.filter(pk=row.pk).update(
            lease_owner="other", lease_until=clock.now() + timedelta(seconds=30)
        )

        with pytest.raises(errors.Busy):
            bearer(lease(connection, host), clock, patience=2)

        assert host.token_requests == []
        assert len(clock.naps) >= 30

    def test_a_killed_winners_lease_ends(self, connection, host, clock):
        row = Token.objects.of(connection)
        Token.objects.filter(pk=row.pk).update(
            lease_owner="other", lease_until=clock.now() + timedelta(seconds=3)
        )
        TokenRequest.objects.create(
            connection=connection, identity=row.identity, requested_at=clock.now()
        )

        assert bearer(lease(connection, host), clock, patience=40) == "token 1"
        assert TokenRequest.objects.order_by("-pk")[0].is_forced

    def test_a_lease_from_the_future_is_a_wrong_clocks(self, connection, host, clock):
        row = Token.objects.of(connection)
        Token.objects.filter(pk=row.pk).update(
            lease_owner="other", lease_until=clock.now() + timedelta(hours=1)
        )

        assert bearer(lease(connection, host), clock) == "token 1"

    def test_a_lost_token_can_be_waited_out(self, connection, host, clock):
        connection.wait_for_lost_token = True
        connection.save()
        row = Token.objects.of(connection)
        TokenRequest.objects.create(
            connection=connection, identity=row.identity, requested_at=clock.now()
        )

        with pytest.raises(errors.NotSent) as fault:
            bearer(lease(connection, host), clock)
        assert fault.value.retry_after == LIFETIME + 1

        clock.passed += LIFETIME + 2
        assert bearer(lease(connection, host), clock) == "token 1"
        assert not TokenRequest.objects.order_by("-pk")[0].is_forced


class TestRefusals:
    def test_pauses_grow_and_are_remembered(self, connection, host, clock):
        pauses = []
        for _ in range(6):
            host.faults = [TokenFault(status=401, code="ACCESS_DENIED")]
            with pytest.raises(errors.CredentialsRefused) as fault:
                bearer(lease(connection, host), clock)
            pauses.append((fault.value.pause_until - clock.now()).total_seconds() / 60)
            with pytest.raises(errors.CredentialsRefused):
                bearer(lease(connection, host), clock)
            clock.passed += pauses[-1] * 60 + 1

        assert pauses == [1, 5, 15, 60, 60, 60]
        assert len(host.token_requests) == 6

    def test_other_credentials_may_be_tried_at_once(self, connection, host, clock):
        host.faults = [TokenFault(status=401, code="ACCESS_DENIED")]
        with pytest.raises(errors.CredentialsRefused):
            bearer(lease(connection, host), clock)
        connection.client_secret = "corrected"
        connection.save()

        assert bearer(lease(Connection.objects.current(), host), clock) == "token 1"

    def test_trouble_is_left_alone_in_growing_steps(self, connection, host, clock):
        pauses = []
        for _ in range(10):
            host.faults = [TokenFault(status=500)]
            with pytest.raises(errors.NotSent) as fault:
                bearer(lease(connection, host), clock)
            pauses.append(fault.value.retry_after)
            clock.passed += fault.value.retry_after + 1

        assert pauses == [2, 4, 8, 16, 32, 64, 128, 256, 300, 300]

    def test_a_host_that_names_a_pause_is_left_alone_as_long(self, connection, host, clock):
        host.faults = [TokenFault(status=429, retry_after=90)]
        with pytest.raises(errors.NotSent) as fault:
            bearer(lease(connection, host), clock)

        assert fault.value.retry_after == 90

    def test_an_answer_that_got_lost_is_counted(self, connection, host, clock):
        host.faults = [TokenFault(is_lost=True)]
        with pytest.raises(errors.NotSent):
            bearer(lease(connection, host), clock)
        clock.passed += 10

        bearer(lease(connection, host), clock)

        assert list(TokenRequest.objects.order_by("pk").values_list("outcome", "is_forced")) == [
            (TokenRequest.Outcome.UNANSWERED, False),
            ("issued", True),
        ]

    def test_a_pause_from_the_future_is_a_wrong_clocks(self, connection, host, clock):
        row = Token.objects.of(connection)
        Token.objects.filter(pk=row.pk).update(paused_until=clock.now() + timedelta(days=3))

        assert bearer(lease(connection, host), clock) == "token 1"


class TestSecrets:
    def test_a_new_one_is_not_tried_before_the_token_ends(self, connection, host, clock):
        bearer(lease(connection, host), clock)
        connection.set_client_secret("new")
        connection.save()

        bearer(lease(Connection.objects.current(), host), clock)
        assert len(host.token_requests) == 1

        clock.passed += LIFETIME + 10
        bearer(lease(Connection.objects.current(), host), clock)
        assert host.token_requests[-1].client_secret == "new"
        assert Connection.objects.current().previous_client_secret == ""

    def test_a_refused_new_one_falls_back(self, connection, host, clock):
        connection.set_client_secret("mistyped")
        connection.save()
        host.faults = [TokenFault(status=401)]

        assert bearer(lease(Connection.objects.current(), host), clock) == "token 1"
        assert [a.client_secret for a in host.token_requests] == [
            "mistyped",
            "client-secret-for-tests",
        ]
        assert Connection.objects.current().previous_client_secret

    def test_two_refused_ones_are_a_refusal(self, connection, host, clock):
        connection.set_client_secret("mistyped")
        connection.save()
        host.faults = [TokenFault(status=401), TokenFault(status=403)]

        with pytest.raises(errors.CredentialsRefused):
            bearer(lease(Connection.objects.current(), host), clock)

    def test_one_before_that_no_key_opens_is_none(self, connection, host, clock):
        """Its key was dropped from the ring; without a pause the host would be requested on."""
        connection.set_client_secret("mistyped")
        connection.save()
        sealed = Fernet(Fernet.generate_key()).encrypt(b"the one before").decode()
        with database.cursor() as cursor:
            cursor.execute("UPDATE partner_connection SET previous_client_secret = %s", [sealed])
        host.faults = [TokenFault(status=401)]

        for _ in range(2):
            with pytest.raises(errors.CredentialsRefused):
                bearer(lease(Connection.objects.current(), host), clock)
        assert len(host.token_requests) == 1

    def test_a_missing_key_asks_for_nothing(self, connection, host, clock, settings):
        settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]

        for _ in range(3):
            with pytest.raises(errors.NotConfigured) as fault:
                bearer(lease(Connection.objects.current(), host), clock)

        assert fault.value.code == "KEY_MISSING"
        assert host.token_requests == []
        assert not TokenRequest.objects.exists()

    def test_another_client_has_its_own_token_and_finds_the_first_again(
        self, connection, host, clock
    ):
        bearer(lease(connection, host), clock)
        connection.client_id = "another"
        assert bearer(lease(connection, host), clock) == "token 2"
        connection.client_id = "client-for-tests"

        assert bearer(lease(connection, host), clock) == "token 1"


def test_one_given_up_by_order_is_replaced_and_that_is_counted(connection, host, clock):
    tokens = lease(connection, host)
    bearer(tokens, clock)
    Token.objects.of(connection).give_up()
    tokens.follow(Connection.objects.current())

    assert bearer(tokens, clock) == "token 2"
    assert TokenRequest.objects.order_by("-pk")[0].is_forced


def test_every_process_drops_one_given_up_and_one_of_them_asks(connection, host, clock):
    processes = [lease(connection, host) for _ in range(3)]
    for tokens in processes:
        bearer(tokens, clock)
    Token.objects.of(connection).give_up()
    for tokens in processes:
        tokens.follow(Connection.objects.current())

    assert {bearer(tokens, clock) for tokens in processes} == {"token 2"}
    assert len(host.issued) == 2


def test_a_changed_connection_keeps_its_token(connection, host, clock):
    tokens = lease(connection, host)
    bearer(tokens, clock)
    connection.requests_per_minute = 30
    connection.save()
    tokens.follow(Connection.objects.current())

    assert bearer(tokens, clock) == "token 1"
    assert len(host.issued) == 1


def test_a_token_that_a_key_no_longer_opens_is_replaced_and_that_is_counted(
    connection, host, clock, settings
):
    bearer(lease(connection, host), clock)
    settings.ENCRYPTION_KEYS = [Fernet.generate_key().decode()]
    Connection.objects.update(client_secret="entered again")

    assert bearer(lease(Connection.objects.current(), host), clock) == "token 2"
    assert TokenRequest.objects.order_by("-pk")[0].is_forced


def test_representations_hold_no_secret(connection, host, clock):
    tokens = lease(connection, host)
    bearer(tokens, clock)

    texts = (tokens._cached, host.token_requests, Granted("token 1"), str(TokenFault(status=401)))
    shown = " ".join(repr(text) for text in texts)

    assert "token 1" not in shown
    assert "client-secret" not in shown


def test_a_fake_transport_issues_tokens_too(connection):
    transport = FakeTransport(token=TokenFault(status=403, code="UNAUTHORIZED_CLIENT"))

    with pytest.raises(errors.CredentialsRefused) as refused:
        Client(connection, transport=transport).authorise()

    assert "not allowed for the client" in refused.value.sentence

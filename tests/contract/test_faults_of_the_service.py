"""What the service may do wrong, and what the client makes of it, over real sockets."""

import threading
from datetime import date, timedelta
from uuid import UUID

import pytest
from django.utils import timezone

from partner import factory
from partner.calls import clear_states
from partner.errors import (
    Ambiguous,
    CredentialsRefused,
    Malformed,
    NotConfigured,
    NotOurs,
    NotSent,
    Retryable,
    Throttled,
    Unavailable,
)
from partner.limits.priorities import CallPriority
from partner.models import Connection, Token, TokenRequest

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def restaurant(sandbox):
    return UUID(sandbox.world["groups"][0]["restaurants"][0]["uuid"])


@pytest.fixture
def api(connect):
    connect("full")
    return factory.client(priority=CallPriority.EVENT)


def offers(api, restaurant):
    return api.offers(restaurant, locale="en").entity


@pytest.mark.parametrize(
    "effect",
    [
        {"status": 500},
        {"status": 503},
        {"status": 503, "format": "html"},
        {"status": 500, "format": "empty"},
        {"status": 429},
        {"status": 429, "format": "scenario"},
        {"status": 429, "retry_after": 1},
        {"drop": True},
        {"truncate": True},
    ],
    ids=str,
)
def test_a_read_survives_a_fault_of_a_moment(api, sandbox, restaurant, effect):
    offers(api, restaurant)
    sandbox.fault({"endpoint": "list_offers"}, **effect, count=1)

    assert offers(api, restaurant)


@pytest.mark.parametrize(
    ("effect", "kind"),
    [
        ({"body": "<html>"}, Malformed),
        ({"body": ""}, Malformed),
        ({"body": "[{]"}, Malformed),
        ({"status": 404, "format": "html"}, Malformed),
        ({"status": 500}, Unavailable),
        ({"status": 429, "retry_after": 60}, Throttled),
    ],
    ids=str,
)
def test_a_lasting_fault_is_named(api, sandbox, restaurant, effect, kind):
    sandbox.fault({"endpoint": "list_offers"}, **effect)

    with pytest.raises(kind) as fault:
        offers(api, restaurant)

    assert fault.value.sentence


@pytest.mark.parametrize(
    "effect",
    [{"status": 500}, {"status": 500, "after_effect": True}, {"drop": True}, {"status": 503}],
    ids=str,
)
def test_a_write_is_ambiguous_and_sent_once(api, sandbox, restaurant, effect):
    sandbox.fault({"endpoint": "override_availability"}, **effect)
    day = date.fromisoformat(sandbox.world["anchor"]) + timedelta(days=1)

    with pytest.raises(Ambiguous):
        api.override_availability(restaurant, day=day, start_time="19:00", is_open=False)

    assert sandbox.requests_to("override_availability") == 1


@pytest.mark.parametrize("style", ["api", "gateway", "html", "empty", "token"])
def test_every_401_is_the_same(api, sandbox, restaurant, style):
    offers(api, restaurant)
    sandbox.fault({"endpoint": "list_offers"}, status=401, format=style, count=1)

    with pytest.raises(NotOurs):
        offers(api, restaurant)

    assert TokenRequest.objects.count() == 1


def test_a_service_that_is_not_there(connect, restaurant):
    connect("full", base_url="http://127.0.0.1:9")
    api = factory.client()

    with pytest.raises(Unavailable):
        offers(api, restaurant)
    with pytest.raises(NotSent):
        api.cancel_reservation(restaurant)


def test_a_private_address_is_refused_at_the_socket(connect, restaurant):
    connect("full")
    Connection.objects.update(base_url="https://10.0.0.1")

    with pytest.raises(NotConfigured):
        offers(factory.client(), restaurant)


class TestToken:
    def test_an_expired_one_is_renewed_once(self, api, sandbox, restaurant):
        offers(api, restaurant)
        sandbox.post("expire_tokens")
        ended = timezone.now() - timedelta(seconds=10)
        Token.objects.update(
            usable_until=ended, renew_from=ended, usable_until_uptime=0, renew_from_uptime=0
        )
        clear_states()

        assert offers(factory.client(), restaurant)
        assert TokenRequest.objects.count() == 2

    def test_a_restart_asks_for_none(self, api, restaurant):
        offers(api, restaurant)
        for _ in range(10):
            clear_states()
            offers(factory.client(), restaurant)

        assert TokenRequest.objects.count() == 1

    @pytest.mark.django_db(transaction=True)
    def test_many_threads_share_the_connection_state(self, connect, sandbox, restaurant):
        connect("full")
        api = factory.client(priority=CallPriority.BACKFILL)
        offers(api, restaurant)
        faults: list[Exception] = []

        def ask():
            try:
                for _ in range(5):
                    offers(api, restaurant)
            except Exception as fault:
                faults.append(fault)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert faults == []

    @pytest.mark.parametrize("status", [401, 403])
    def test_a_refusal_is_remembered(self, connect, sandbox, restaurant, status):
        connect("full")
        sandbox.fault({"endpoint": "request_token"}, status=status, format="token")
        for _ in range(5):
            with pytest.raises(CredentialsRefused) as refused:
                offers(factory.client(), restaurant)

        assert refused.value.pause_until
        assert refused.value.code == "ACCESS_DENIED"
        assert TokenRequest.objects.count() == 1

    def test_a_wrong_secret_is_a_refusal(self, connect, restaurant):
        connect("full", client_secret="wrong-secret-wrong-secret")

        with pytest.raises(CredentialsRefused) as refused:
            offers(factory.client(), restaurant)

        assert "wrong-secret" not in f"{refused.value!r} {refused.value.sentence}"

    def test_a_corrected_secret_is_tried_at_once(self, connect, sandbox, restaurant):
        connection = connect("full", client_secret="wrong-secret-wrong-secret")
        with pytest.raises(CredentialsRefused):
            offers(factory.client(), restaurant)

        connection.client_secret = sandbox.client("full")["client_secret"]
        connection.save()

        assert offers(factory.client(), restaurant)

    def test_a_mistyped_new_secret_falls_back_to_the_old_one(self, connect, sandbox, restaurant):
        connection = connect("full")
        connection.set_client_secret("mistyped-secret-mistyped")
        connection.save()

        assert offers(factory.client(), restaurant)
        assert Connection.objects.get().previous_client_secret

    @pytest.mark.parametrize(
        "effect", [{"status": 500}, {"status": 502, "format": "html"}, {"body": "<html>"}], ids=str
    )
    def test_trouble_at_the_token_host_is_left_alone_for_a_while(
        self, connect, sandbox, restaurant, effect
    ):
        connect("full")
        sandbox.fault({"endpoint": "request_token"}, **effect)
        for _ in range(3):
            with pytest.raises(Retryable):
                offers(factory.client(), restaurant)

        assert TokenRequest.objects.count() == 1

    def test_one_that_cannot_be_opened_is_a_lost_one(self, api, sandbox, restaurant):
        offers(api, restaurant)
        sandbox.post("expire_tokens")
        Token.objects.update(access_token="")
        clear_states()

        offers(factory.client(), restaurant)

        assert TokenRequest.objects.order_by("-pk")[0].is_forced

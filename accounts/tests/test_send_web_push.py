"""One Web Push request: only the browser can open it, and the push service knows who sent it."""

from datetime import UTC, datetime, timedelta

import pytest

from accounts.push import vapid, web_push
from accounts.push.models import VapidKey
from accounts.push.testing import HANG, running_push_service
from accounts.push.web_push import PushOutcome, Subscription, WebPush
from partner.http.transport import PooledTransport

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)
MESSAGE = WebPush(payload=b'{"title": "Quay", "body": "A VIP"}', seconds_to_live=60, topic="t1")


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


def send(subscription, message=MESSAGE):
    transport = PooledTransport()
    return web_push.send(subscription, message, signer=vapid.signer(), transport=transport, now=NOW)


def test_it_works(service):
    answer = send(service.subscribe().subscription)

    assert (answer.outcome, answer.status) == (PushOutcome.ACCEPTED, 201)
    [got] = service.received
    assert got.payload == {"title": "Quay", "body": "A VIP"}
    assert (got.headers["ttl"], got.headers["topic"]) == ("60", "t1")


def test_it_is_signed_for_this_push_service_and_half_a_day(service, settings):
    settings.PUBLIC_URL = "https://couvert.example.org:8443"
    send(service.subscribe().subscription)

    [got] = service.received
    assert got.key == vapid.public_key()
    assert got.claims == {
        "aud": service.address,
        "exp": int((NOW + timedelta(hours=12)).timestamp()),
        "sub": "https://couvert.example.org",
    }


def test_the_key_is_generated_once_and_stored_encrypted():
    key = vapid.public_key()

    assert vapid.public_key() == key
    stored = VapidKey.objects.extra(select={"raw": "private_key"}).values_list("raw", flat=True)
    assert "PRIVATE KEY" not in stored.get()


def test_without_the_right_encryption_key_there_is_no_public_key(settings):
    vapid.public_key()
    settings.ENCRYPTION_KEYS = ["8rY0J1mCqkqk0o3eZf9XHk0l1k9tq0o3rM3mYw7xq1s="]

    assert vapid.public_key() == ""


@pytest.mark.parametrize(
    ("status", "outcome"),
    [
        (200, PushOutcome.ACCEPTED),
        (404, PushOutcome.GONE),
        (410, PushOutcome.GONE),
        (413, PushOutcome.UNDELIVERABLE),
        (400, PushOutcome.UNDELIVERABLE),
        (403, PushOutcome.REFUSED),
        (429, PushOutcome.REFUSED),
        (500, PushOutcome.REFUSED),
        (HANG, PushOutcome.NO_ANSWER),
    ],
)
def test_every_answer_is_an_outcome(service, status, outcome):
    service.answers = [status]

    assert send(service.subscribe().subscription).outcome == outcome


def test_it_follows_no_redirect(service):
    service.answers = [307]

    assert send(service.subscribe().subscription).outcome == PushOutcome.REFUSED
    assert service.requests == 1


def test_a_busy_push_service_says_when_to_come_back(service):
    service.answers, service.retry_after = [429], "90"

    assert send(service.subscribe().subscription).retry_after == 90


def test_it_connects_to_no_private_network(service):
    subscription = service.subscribe().subscription._replace(endpoint="https://10.0.0.1/push")

    assert send(subscription).outcome == PushOutcome.NO_ANSWER


def good(service):
    return service.subscribe().subscription


@pytest.mark.parametrize(
    "change",
    [
        {"endpoint": "https://10.0.0.1/push"},
        {"endpoint": "https://[2606:4700::1]/push"},
        {"endpoint": "https://example.net/push"},
        {"endpoint": "https://notexample.org/push"},
        {"endpoint": "http://push.example.org/x"},
        {"endpoint": "https://user@push.example.org/x"},
        {"endpoint": "ftp://push.example.org/x"},
        {"endpoint": "https://push.example.org/é"},
        {"endpoint": "no address"},
        {"p256dh": "AAAA"},
        {"p256dh": "B" + "A" * 86},
        {"auth": "AAAA"},
        {"auth": ""},
    ],
    ids=str,
)
def test_what_no_browser_has_made_is_refused(service, change):
    with pytest.raises(ValueError):  # noqa: PT011, any of its kinds
        web_push.check_subscription(good(service)._replace(**change))


def test_what_a_browser_has_made_is_accepted(service):
    web_push.check_subscription(good(service))


def test_a_subscription_shows_no_secret_but_its_host(service):
    assert Subscription("https://push.example.org/secret", "k", "a").origin == (
        "https://push.example.org"
    )

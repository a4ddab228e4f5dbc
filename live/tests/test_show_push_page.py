"""The page of push messages: devices, kinds, quiet hours, and a test whose result is honest."""

from datetime import UTC, datetime, time

import pytest
from auditlog.models import LogEntry
from django.conf import settings

from accounts.models import PushDevice, PushPreferences
from accounts.push.testing import HANG, running_push_service
from live.push.testing import make_push_device
from restaurants.testing import sign_in

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 3, 5, 18, tzinfo=UTC)
PAGE = "/accounts/push/"


@pytest.fixture
def service():
    with running_push_service() as service:
        yield service


@pytest.fixture
def phone(bob, service):
    return make_push_device(bob, service.subscribe(), now=NOW)


def shown(client):
    return client.get(PAGE).content.decode()


def switch_on(client, browser):
    return client.post(f"{PAGE}on/", browser.subscription._asdict())


def renew(client, subscription, *, site="same-origin", **change):
    """As the service worker sends it; the browser itself adds from which site."""
    headers = {"Sec-Fetch-Site": site} if site else {}
    return client.post(f"{PAGE}renew/", subscription._asdict() | change, headers=headers)


def trail_of(user):
    """What the audit trail says that the person did with push messages, oldest first."""
    entries = LogEntry.objects.filter(actor=user, additional_data__isnull=False).order_by("pk")
    verbs = [entry.additional_data["verb"] for entry in entries]
    return [verb for verb in verbs if "push" in verb]


def test_it_works(bob, service):
    client = sign_in(bob)
    assert "No device gets push messages." in shown(client)

    answer = switch_on(client, service.subscribe())

    assert answer.headers["Location"] == PAGE
    cookie = answer.cookies[settings.PUSH_DEVICE_COOKIE_NAME]
    assert cookie["httponly"]
    assert bob.push_devices.count() == 1
    assert 'data-push="on"' in shown(client)
    assert 'data-push="off"' in shown(sign_in(bob))


def test_a_person_begins_with_every_kind(bob, service):
    switch_on(sign_in(bob), service.subscribe())

    assert {"large", "vip", "low-rating"} <= set(PushPreferences.objects.get(user=bob).kinds)


@pytest.mark.parametrize(
    "change", [{"endpoint": "https://10.0.0.1/x"}, {"auth": "x"}, {"p256dh": ""}]
)
def test_what_is_no_subscription_is_refused(bob, service, change):
    data = service.subscribe().subscription._asdict() | change

    assert sign_in(bob).post(f"{PAGE}on/", data).status_code == 422
    assert not PushDevice.objects.exists()


def test_a_browser_that_has_a_new_address_stays_the_same_device(bob, service):
    client = sign_in(bob)
    switch_on(client, service.subscribe())
    before = bob.push_devices.get()
    del client.cookies[settings.SESSION_COOKIE_NAME]  # the sign-in has ended by itself

    fresh = service.subscribe().subscription
    assert renew(client, fresh).status_code == 204

    device = bob.push_devices.get()
    assert device.pk == before.pk
    assert (device.endpoint, device.p256dh, device.auth) == fresh


@pytest.mark.parametrize("site", ["", "none", "same-site", "cross-site"])
def test_only_the_own_site_changes_an_address(bob, service, site):
    """A page of a sibling host sends the cookie too; whoever names no site is no such browser."""
    client = sign_in(bob)
    switch_on(client, service.subscribe())
    known = bob.push_devices.get().endpoint

    assert renew(client, service.subscribe().subscription, site=site).status_code == 403
    assert bob.push_devices.get().endpoint == known


def test_nobody_else_changes_an_address(bob, service, client):
    here = sign_in(bob)
    switch_on(here, service.subscribe())
    known = bob.push_devices.get().endpoint
    fresh = service.subscribe().subscription

    assert renew(client, fresh).status_code == 404
    assert renew(here, fresh, auth="x").status_code == 404
    assert bob.push_devices.get().endpoint == known


def test_a_new_address_takes_nothing_from_another_person(bob, alice, service):
    browser = service.subscribe()
    switch_on(sign_in(alice), browser)
    client = sign_in(bob)
    switch_on(client, service.subscribe())

    assert renew(client, browser.subscription).status_code == 404
    assert alice.push_devices.count() == bob.push_devices.count() == 1


def test_a_new_password_ends_the_device_for_its_new_address_too(bob, service):
    client = sign_in(bob)
    switch_on(client, service.subscribe())
    bob.set_password("correct horse battery staple")
    bob.save()

    assert renew(client, service.subscribe().subscription).status_code == 404


def test_the_audit_trail_has_every_change_and_no_address(bob, service):
    client = sign_in(bob)
    switch_on(client, service.subscribe())
    fresh = service.subscribe().subscription
    renew(client, fresh)
    client.post(f"{PAGE}{bob.push_devices.get().pk}/remove/")

    verbs = ["switched push messages on", "had a push address renewed"]
    assert trail_of(bob) == [*verbs, "switched push messages off"]
    stored = str(list(LogEntry.objects.values()))
    assert not [one for one in fresh if one in stored]


def test_a_shared_device_gets_none(bob, service):
    client = sign_in(bob)
    client.post("/accounts/device/share/", {"name": "Tablet"})

    assert "Several people use this device" in shown(client)
    assert switch_on(client, service.subscribe()).status_code == 403


def test_kinds_and_quiet_hours_are_kept(bob, phone):
    data = {"kinds": ["vip"], "quiet_from": "22:00", "quiet_until": "08:00"}

    sign_in(bob).post(PAGE, data)

    kept = PushPreferences.objects.get(user=bob)
    assert (kept.kinds, kept.quiet_from, kept.quiet_until) == (["vip"], time(22), time(8))


def test_kinds_of_others_are_not_offered(bob, dora, phone):
    assert "connection" not in shown(sign_in(bob))
    assert 'value="connection"' in shown(sign_in(dora))
    assert sign_in(bob).post(PAGE, {"kinds": ["connection"]}).status_code == 422


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (201, "Accepted by the push service."),
        (403, "The push service refused the message (answer 403)."),
        (HANG, "The push service did not answer."),
        (410, "The push service does not know this device any more"),
    ],
)
def test_the_test_says_what_the_push_service_answered(bob, phone, service, status, sentence):
    service.answers = [status]

    page = sign_in(bob).post(f"{PAGE}{phone.pk}/test/", follow=True).content.decode()

    assert sentence in page
    assert bob.push_devices.exists() == (status != 410)


def test_a_test_message_is_a_message(bob, phone, service):
    sign_in(bob).post(f"{PAGE}{phone.pk}/test/")

    assert service.texts == [("Couvert", "This is a test. Push messages reach this device.")]
    assert service.received[0].payload["url"] == PAGE


def test_a_device_can_be_removed(bob, phone):
    sign_in(bob).post(f"{PAGE}{phone.pk}/remove/")

    assert not bob.push_devices.exists()


@pytest.mark.parametrize("verb", ["remove", "test"])
def test_nobody_reaches_the_devices_of_others(alice, phone, verb):
    assert sign_in(alice).post(f"{PAGE}{phone.pk}/{verb}/").status_code == 404


def test_the_page_shows_no_secret(bob, phone, service):
    whole = PushDevice.objects.defer(None).get()

    page = shown(sign_in(bob))

    assert not [one for one in (whole.endpoint, whole.p256dh, whole.auth) if one in page]


def test_the_service_worker_shows_them(client):
    assert "js/worker/push" in client.get("/service-worker.js").content.decode()

"""Devices that keep an offline copy: an admin allows this browser, and stops any."""

from auditlog.models import LogEntry
from django.conf import settings
from django.test import Client
from django.urls import reverse

from accounts.models import User
from restaurants.offline_devices.models import OfflineDevice
from restaurants.testing import make_offline_device, sign_in
from tests.sessions import session_of

INDEX, ALLOW = reverse("offline_devices:index"), reverse("offline_devices:allow")


def sign_in_freshly(user: User) -> Client:
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = session_of(user)
    return client


def verbs() -> set[str]:
    return {str((entry.additional_data or {}).get("verb")) for entry in LogEntry.objects.all()}


def test_it_works(dora, quay):
    client = sign_in_freshly(dora)
    entry = {"name": "Tablet at the entrance", "restaurants": [quay.pk]}
    assert client.post(ALLOW, entry).status_code == 302

    device = OfflineDevice.objects.get()
    assert list(device.restaurants.all()) == [quay]
    assert device.allowed_by == dora
    assert client.cookies[settings.OFFLINE_DEVICE_COOKIE_NAME]["httponly"]
    assert "allowed an offline copy" in verbs()
    assert "This one" in client.get(INDEX).content.decode()


def test_it_asks_for_the_password_again(dora, quay):
    dora.set_password("correct horse battery staple")
    dora.save()
    sign_in(dora).post(ALLOW, {"name": "Tablet at the entrance", "restaurants": [quay.pk]})

    assert not OfflineDevice.objects.exists()


def test_a_manager_and_staff_allow_none(alice, bob, quay):
    for person in (alice, bob):
        client = sign_in_freshly(person)
        entry = {"name": "Tablet at the entrance", "restaurants": [quay.pk]}
        assert client.post(ALLOW, entry).status_code == 403

    assert not OfflineDevice.objects.exists()


def test_an_admin_allows_restaurants_of_theirs_only(alice, quay, cellar):
    alice.memberships.update(role="admin")
    client = sign_in_freshly(alice)
    entry = {"name": "Tablet at the entrance", "restaurants": [quay.pk, cellar.pk]}

    assert client.post(ALLOW, entry).status_code == 422


def test_stopping_one_is_in_the_audit_trail_and_ends_it(dora, quay):
    device = make_offline_device(quay)
    sign_in(dora).post(reverse("offline_devices:stop", args=[device.pk]))

    assert not OfflineDevice.objects.exists()
    assert "stopped an offline copy" in verbs()


def test_nobody_stops_the_device_of_another_group(alice, quay, cellar):
    alice.memberships.update(role="admin")
    device = make_offline_device(cellar, name="Tablet in the cellar")
    answer = sign_in(alice).post(reverse("offline_devices:stop", args=[device.pk]))

    assert answer.status_code == 404
    assert device.name not in sign_in(alice).get(INDEX).content.decode()

"""What a device may keep: the list that its offline copy is made by, and who gets one."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from reservations.testing import make_reservation
from restaurants.models import Membership
from restaurants.offline_devices.models import OfflineDevice
from restaurants.testing import make_member, make_offline_device, offline_cookie, sign_in

LIST = reverse("reservations:offline_copy")


def at_device(user: User, *places):
    """The browser of a device, in which the person has signed in."""
    client = sign_in(user)
    name, value = offline_cookie(make_offline_device(*places))
    client.cookies[name] = value
    return client


def owner(client) -> str:
    return str(client.get(LIST).json()["owner"])


def test_it_works(bob, quay):
    now = timezone.now()
    tonight = make_reservation(quay, meal_at=now)
    make_reservation(quay, meal_at=now + timedelta(days=5))

    listed = at_device(bob, quay).get(LIST).json()

    assert listed["bookings"] == {f"/reservations/{tonight.uuid}/": tonight.version}
    day = quay.service_day(now)
    assert listed["pages"] == [
        f"/?scope={quay.uuid}&day={day}&zoom=list",
        f"/?scope={quay.uuid}&day={day}&zoom=arrivals",
        f"/reservations/brief/?scope={quay.uuid}&day={day}",
        f"/?scope={quay.uuid}&day={day + timedelta(days=1)}&zoom=list",
        f"/?scope={quay.uuid}&day={day + timedelta(days=1)}&zoom=arrivals",
        f"/reservations/brief/?scope={quay.uuid}&day={day + timedelta(days=1)}",
    ]


def test_each_style_sheet_of_a_page_is_kept_with_what_it_imports(bob, quay):
    kept = at_device(bob, quay).get(LIST).json()["assets"]

    assert {"/static/css/app.css", "/static/css/reset.css", "/static/css/pages/boards.css"} <= {
        *kept
    }


def test_what_was_collected_into_a_sheet_is_not_kept_once_more(bob, quay, settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "lib.web.style_sheets.JoinedStaticFilesStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    kept = at_device(bob, quay).get(LIST).json()["assets"]

    names = {
        address.rpartition("/")[2].split(".")[0] for address in kept if address.endswith(".css")
    }
    assert {"app", "boards", "booking"} <= names
    assert names.isdisjoint({"reset", "tokens", "shell"})


def test_no_other_browser_gets_one(bob, quay):
    make_offline_device(quay)

    assert sign_in(bob).get(LIST).status_code == 403


def test_a_cookie_that_we_did_not_sign_opens_nothing(bob, quay):
    client = sign_in(bob)
    client.cookies[settings.OFFLINE_DEVICE_COOKIE_NAME] = make_offline_device(quay).uuid.hex

    assert client.get(LIST).status_code == 403


def test_a_device_that_is_stopped_gets_none(bob, quay):
    client = at_device(bob, quay)
    assert client.get(LIST).status_code == 200
    OfflineDevice.objects.all().delete()

    assert client.get(LIST).status_code == 403


def test_it_holds_the_restaurants_of_the_device_that_the_person_sees(bob, quay, loft):
    for place in (quay, loft):
        make_reservation(place, meal_at=timezone.now())

    listed = at_device(bob, quay, loft).get(LIST).json()

    assert len(listed["bookings"]) == 1
    assert all(str(quay.uuid) in page for page in listed["pages"])


def test_somebody_of_another_group_gets_none(charlie, quay):
    assert at_device(charlie, quay).get(LIST).status_code == 403


def test_it_ends_with_the_sign_in_and_after_18_hours_at_most(bob, quay, settings):
    seconds = at_device(bob, quay).get(LIST).json()["seconds"]
    settings.SESSION_COOKIE_AGE = 48 * 3600
    longest = at_device(bob, quay).get(LIST).json()["seconds"]

    settings.SESSION_IDLE_MINUTES = 30

    assert at_device(bob, quay).get(LIST).json()["seconds"] == 30 * 60
    assert seconds == pytest.approx(12 * 3600, abs=5)
    assert longest == 18 * 3600


def test_a_change_of_role_makes_the_copy_somebody_elses(bob, quay):
    client = at_device(bob, quay)
    before = owner(client)
    assert owner(client) == before
    Membership.objects.filter(user=bob).update(role="manager")

    assert owner(client) != before


def test_two_people_and_two_sign_ins_have_copies_of_their_own(bob, alice, quay):
    assert len({owner(at_device(person, quay)) for person in (bob, bob, alice)}) == 3


def test_a_page_names_whose_copy_it_keeps(bob, quay):
    client = at_device(bob, quay)

    assert f'data-offline-owner="{owner(client)}"' in client.get("/").content.decode()
    assert 'data-offline-owner=""' in sign_in(bob).get("/").content.decode()


def test_without_a_restaurant_there_is_none(bob, loft):
    assert at_device(bob, loft).get(LIST).status_code == 403
    make_member(bob, loft)
    assert at_device(bob, loft).get(LIST).status_code == 200


def test_it_is_kept_by_no_cache(bob, quay):
    assert "no-store" in at_device(bob, quay).get(LIST).headers["Cache-Control"]


@pytest.mark.parametrize("number", [1, 30])
def test_it_asks_as_often_for_many_bookings(bob, quay, number, django_assert_max_num_queries):
    for _booking in range(number):
        make_reservation(quay, meal_at=timezone.now())
    client = at_device(bob, quay)

    with django_assert_max_num_queries(10):
        client.get(LIST)

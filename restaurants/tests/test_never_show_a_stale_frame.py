"""The frame of a page is drawn once for the same facts, and never shown for others."""

import re

import pytest

from accounts.models import User
from restaurants.models import Restaurant
from restaurants.testing import sign_in

VALUE = re.compile(r' value="(.+?)"')
FORMS = ("rail-form", "preferences-form", "language-form", "sign-out-form")


def look(user, **address):
    return sign_in(user).get("/", address).content.decode()


def change(thing, **fields):
    type(thing).objects.filter(pk=thing.pk).update(**fields)


def pressed(page, name):
    """The value of the preference whose button is down."""
    buttons = re.findall(rf'<button[^>]* name="{name}"[^>]*>', page)
    return [value for one in buttons if 'pressed="true"' in one for value in VALUE.findall(one)]


def test_it_works(bob):
    page = look(bob)

    assert "Bob: account and preferences" in page
    assert pressed(page, "theme") == ["auto"]


def test_each_person_sees_their_own_name(bob, alice):
    User.objects.update(name="Sam")
    look(bob)
    page = look(alice)

    assert alice.email in page
    assert bob.email not in page


def test_a_new_name_is_shown(bob):
    look(bob)
    change(bob, name="Robert")

    assert "Robert: account and preferences" in look(bob)


@pytest.mark.parametrize(
    ("name", "value"),
    [("theme", "dark"), ("density", "compact"), ("language", "es"), ("weekly_digest", True)],
)
def test_a_new_preference_is_shown(alice, name, value):
    assert str(value).lower() not in pressed(look(alice), name)
    change(alice, **{name: value})

    assert pressed(look(alice), name) == [str(value).lower()]


def test_a_lost_right_takes_its_link_away(bob, without_right):
    assert "New booking" in look(bob)
    without_right("reservations.change_reservation")

    assert 'data-shortcut="n"' not in look(bob)


def test_a_renamed_restaurant_is_shown(bob, quay):
    look(bob, scope=str(quay.uuid))
    Restaurant.objects.filter(pk=quay.pk).update(name="Pier")
    page = look(bob, scope=str(quay.uuid))

    assert "Pier" in page
    assert "Quay" not in page


def test_links_keep_what_the_address_says(bob, quay):
    look(bob, day="2026-01-17")
    page = look(bob, day="2026-01-18", scope=str(quay.uuid), show="vip")

    assert f"?day=2026-01-17&amp;scope={quay.uuid}&amp;show=vip" in page
    assert f"?day=2026-01-19&amp;scope={quay.uuid}&amp;show=vip" in page


def test_every_form_of_the_frame_has_a_token_of_this_page(bob):
    client = sign_in(bob)
    first, second = (client.get("/").content.decode() for _time in range(2))
    token = r'name="csrfmiddlewaretoken" value="(\w{64})" form="%s"'

    for form in FORMS:
        assert f'id="{form}"' in first
        (one,), (other,) = (re.findall(token % form, page) for page in (first, second))
        assert one != other


def test_a_form_of_the_frame_leads_back_to_its_page(bob):
    look(bob)
    page = look(bob, zoom="list")

    assert 'name="next" value="/?zoom=list" form="language-form"' in page


@pytest.mark.parametrize(("referer", "back"), [("/?zoom=list", "/?zoom=list"), ("", "")])
def test_the_page_of_a_refused_form_leads_back_to_the_page_before(bob, referer, back):
    """Its own address answers a POST alone: opened by a GET it would be 405."""
    before = f"http://testserver{referer}" if referer else ""
    refused = sign_in(bob).post("/accounts/device/share/", {}, headers={"Referer": before})
    page = refused.content.decode()

    assert refused.status_code == 422
    assert (
        f'name="next" value="{before and "http://testserver"}{back}" form="language-form"' in page
    )

"""Every form that any page offers can be sent, with scripts and without.

Nothing here names a form: whoever adds one is tested by adding it. A form that no page of the walk
shows fails the test too: add the state that shows it to `tests/form_states.py`.
"""

import re
from datetime import timedelta
from itertools import chain

import pytest
import time_machine
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.http import HttpRequest
from django.test import Client, override_settings
from django.utils import timezone

from accounts.models import SharedDevice
from accounts.password_links.invitations import link_for
from accounts.push import devices
from accounts.tasks import send_mails
from live.push.testing import make_push_device, unreachable
from reservations.testing import DINNER
from restaurants.testing import just_confirmed, make_emergency_access, make_invitation, make_user
from tests.addresses import all_addresses
from tests.form_states import connect, in_use
from tests.form_walk import Walk, all_marks, forget_templates, mark_templates

# What no page of the walk can show, with the reason.
NEVER_SHOWN = {
    "restaurants/move.html:49:1": "it takes two accounts: tests/contract/test_move_groups.py",
    "people/_owner.html:10:1": "it takes two accounts: tests/test_part_what_was_one.py",
    "components/choose_connection.html:2:1": "as above",
}
# Pages whose forms lead nowhere, with the reason.
SPECIMENS = {"/styleguide/": "it shows what a form looks like"}
SETUP = ("setup", "partner", "telephone", "pos", "mirror", "webhooks", "outbox", "restaurants")
# Every app but what people do with their own account, which two of the walks are about.
EVERYWHERE = tuple({f"{one.app}:" for one in all_addresses()} - {"accounts:"})
WORK = ("reservations:", "reviews:", "customers:", "phone:")
PASSWORD = "correct horse battery staple"  # noqa: S105 - opens nothing
FEW = 4
OWN = ("account", "mfa_", "usersessions", "invitations")

# On another database the pages and their forms are the same; what is sent to it is each app's test.
pytestmark = [pytest.mark.walk, pytest.mark.once]


@pytest.fixture(autouse=True)
def _marked_templates():
    with pytest.MonkeyPatch.context() as patch:
        mark_templates(patch)
        yield
    forget_templates()


@pytest.fixture(autouse=True)
def _quick_passwords(settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _before_dinner():
    with time_machine.travel(DINNER - timedelta(hours=4), tick=False):
        yield


def browser_of(user):
    """A browser in which a person has just signed in, and which Django checks for tokens."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    session = client.session
    session.update(just_confirmed(user))
    session.save()
    get_push_messages(client, user)
    return client


def get_push_messages(client, user):
    """Switched on in this browser, and in another one that its push service refuses."""
    now, here = timezone.now(), unreachable().subscription
    make_push_device(user, unreachable(), now=now).note_problem("403", now=now)
    token = devices.switch_on(here, request=HttpRequest(), user=user, now=now)
    client.cookies[settings.PUSH_DEVICE_COOKIE_NAME] = token


def shared_browser_of(user, *, holder):
    client = browser_of(user)
    ends = client.session.get_expiry_date()
    device = SharedDevice.objects.create(name="Bar", owner=user, expires_at=ends)
    device.set_pin(holder, "4711")
    session = client.session
    session["shared_device"] = device.pk
    session.save()
    return client


def beginners(cast):
    """Who opens what while little is known."""
    yield browser_of(cast.dora), {"who": "an admin at the beginning", "views": SETUP}
    connect()
    yield browser_of(cast.bob), {"who": "staff before a guest is known", "views": ("phone:",)}


def users(cast):
    """Who opens what in the middle of an evening."""
    objects = in_use(cast)
    yield (
        browser_of(cast.dora),
        {"who": "an admin", "objects": objects, "views": EVERYWHERE, "is_thorough": True},
    )
    # What others see differs by their rights, of which a few objects show all.
    few = {name: found[::FEW] for name, found in objects.items() if name.endswith("show.uuid")}
    yield browser_of(cast.alice), {"who": "a manager", "objects": few, "views": ("reviews:",)}
    yield browser_of(cast.bob), {"who": "staff", "objects": few, "views": WORK}
    shared = shared_browser_of(cast.alice, holder=cast.bob)
    yield shared, {"who": "whoever holds a shared tablet", "views": OWN}
    with override_settings(DEMO_SANDBOX="http://127.0.0.1:9"):  # where nothing listens
        yield on_tour(browser_of(cast.bob), cast.quay), {"who": "on the tour", "views": ("tour:",)}
    root = make_emergency_access(cast.hill).person
    yield browser_of(root), {"who": "a superuser with a role", "views": ("emergency_access:",)}
    TOTP.activate(cast.dora, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    yield browser_of(cast.dora), {"who": "a person with a second factor", "views": OWN}
    ivy = make_user("ivy@example.org", password=PASSWORD)
    half = {"who": "between password and second factor", "views": ("mfa_authenticate",)}
    yield before_second_factor(ivy), half
    invited = make_invitation("gil@example.org", cast.quay, cast.dora).link
    letters = letters_to(make_user("fay@example.org", password=PASSWORD))
    paths = {"paths": [*letters, invited]}
    nobody = Client(enforce_csrf_checks=True)
    yield nobody, {"who": "somebody who is not signed in", "objects": paths, "views": OWN}


def before_second_factor(user):
    """A browser in which the password has been entered, and no code yet."""
    TOTP.activate(user, "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP")
    entered, client = Client(), Client(enforce_csrf_checks=True)
    entered.post("/accounts/login/", {"login": user.email, "password": PASSWORD})
    client.cookies = entered.cookies
    return client


def on_tour(client, place):
    """In the demo, after a step of its tour."""
    session = client.session
    session["tour"] = {"is_on": True, "played": {"late-party": [str(place.uuid), str(place.uuid)]}}
    session.save()
    return client


def letters_to(person):
    """The addresses that reach a person by mail."""
    Client().post("/accounts/password/reset/", {"email": person.email})
    send_mails()
    (reset,) = re.findall(r"/accounts/password/reset/key/\S+", str(mail.outbox[-1].body))
    return [link_for(person), reset]


def test_every_form_is_answered(cast):
    faults: dict[str, str] = {}
    shown = set(NEVER_SHOWN)
    for client, how in chain(beginners(cast), users(cast)):
        cache.clear()  # attempts to sign in are counted there, and Redis takes nothing back
        walk = Walk(client, cast, specimens=SPECIMENS, **{"objects": {}} | how)
        walk.over_all()
        faults |= walk.faults
        shown |= walk.shown

    assert faults == {}
    assert sorted(all_marks() - shown) == []

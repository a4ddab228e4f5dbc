"""The cast of every test: two groups, three restaurants, and the people around them.

    Harbour Group           Hill Group
      Quay    (Paris)         Cellar  (Madrid)
      Loft    (New York)

    Alice manages Harbour Group      Charlie manages Hill Group
    Bob   is staff at the Quay       Dora    is admin of both groups, and owner of the installation

Every name is a pytest fixture; `cast` holds them all. The functions make more of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from auditlog.context import disable_auditlog
from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.models import Permission
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.rights import Role
from restaurants import directory
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.invitations.models import Invitation
from restaurants.invitations.sending import invite
from restaurants.models import Group, Membership, Restaurant
from restaurants.offline_devices import devices
from restaurants.offline_devices.models import OfflineDevice


def make_user(email: str, **fields: Any) -> User:
    """A person without a password: `sign_in` needs none, and hashing one is slow."""
    fields.setdefault("name", email.split("@")[0].title())
    return User.objects.create_user(email, fields.pop("password", None), **fields)


def make_group(name: str = "Valley Group", *, uuid: UUID | None = None) -> Group:
    return Group.objects.create(name=name, uuid=uuid or uuid4())


def make_restaurant(group: Group, name: str = "Mill", **fields: Any) -> Restaurant:
    defaults = {
        "uuid": uuid4(),
        "timezone": "Europe/Paris",
        "currency": "EUR",
        "country": "FR",
    }
    return Restaurant.objects.create(group=group, name=name, **{**defaults, **fields})


def make_member(user: User, place: Group | Restaurant, role: str = Role.STAFF) -> Membership:
    field = "group" if isinstance(place, Group) else "restaurant"
    return Membership.objects.create(user=user, role=role, **{field: place})


def make_root(email: str = "root@example.org", **fields: Any) -> User:
    """Somebody whom nothing is closed to: runs the server, owns the installation, admin of all."""
    root = make_user(email, is_superuser=True, is_staff=True, is_owner=True, **fields)
    for group in Group.objects.all():
        make_member(root, group, Role.ADMIN)
    return root


def make_emergency_access(group: Group, person: User | None = None) -> EmergencyAccess:
    """Somebody who runs the server has a role in the group for four hours."""
    person = person or make_user(f"{uuid4().hex[:8]}@example.org", is_superuser=True)
    now = timezone.now()
    access = EmergencyAccess(
        person=person, group=group, reason="Something is missing", began_at=now
    )
    access.ends_at = now + timedelta(hours=4)
    access.begin()
    return access


def make_invitation(
    email: str, place: Group | Restaurant, invited_by: User, role: Role = Role.STAFF
) -> Invitation:
    return invite(email, name="Fay", place=place, role=role, invited_by=invited_by)


def sign_in(user: User) -> Client:
    """As `force_login`, which stores a session for nobody first."""
    client, request = Client(), HttpRequest()
    request.session = SessionStore()
    login(request, user, settings.AUTHENTICATION_BACKENDS[0])
    request.session.save()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(request.session.session_key)
    return client


def make_offline_device(*places: Restaurant, name: str = "Tablet at the door") -> OfflineDevice:
    device = OfflineDevice.objects.create(name=name, allowed_at=timezone.now())
    device.restaurants.set(places)
    return device


def offline_cookie(device: OfflineDevice) -> tuple[str, str]:
    """The name and the value of the cookie by which a browser is this device."""
    response = HttpResponse()
    devices.mark(response, device)
    [(name, cookie)] = response.cookies.items()
    return name, cookie.value


@dataclass(frozen=True)
class Cast:
    harbour: Group
    hill: Group
    quay: Restaurant
    loft: Restaurant
    cellar: Restaurant
    alice: User
    bob: User
    charlie: User
    dora: User


def make_cast() -> Cast:
    """They have been here for long: the trail of their arrival is nobody's question."""
    with disable_auditlog():
        return _make_cast()


def _make_cast() -> Cast:
    harbour = make_group("Harbour Group", uuid=UUID("11111111-0000-4000-8000-000000000001"))
    hill = make_group("Hill Group", uuid=UUID("22222222-0000-4000-8000-000000000001"))
    cast = Cast(
        harbour=harbour,
        hill=hill,
        quay=make_restaurant(
            harbour, "Quay", uuid=UUID("11111111-0000-4000-8000-000000000011"), colour="#155aa7"
        ),
        loft=make_restaurant(
            harbour,
            "Loft",
            uuid=UUID("11111111-0000-4000-8000-000000000012"),
            colour="#8a3ffc",
            timezone="America/New_York",
            currency="USD",
            country="US",
        ),
        cellar=make_restaurant(
            hill,
            "Cellar",
            uuid=UUID("22222222-0000-4000-8000-000000000011"),
            timezone="Europe/Madrid",
            country="ES",
        ),
        alice=make_user("alice@example.org"),
        bob=make_user("bob@example.org"),
        charlie=make_user("charlie@example.org"),
        dora=make_user("dora@example.org", is_owner=True),
    )
    make_member(cast.alice, harbour, Role.MANAGER)
    make_member(cast.bob, cast.quay, Role.STAFF)
    make_member(cast.charlie, hill, Role.MANAGER)
    make_member(cast.dora, harbour, Role.ADMIN)
    make_member(cast.dora, hill, Role.ADMIN)
    return cast


@pytest.fixture
def without_right(cast: Cast) -> Callable[[str], None]:
    """`without_right("customers.view_health")`: no role carries it for this test."""

    def take_away(right: str) -> None:
        app, codename = right.split(".")
        permission = Permission.objects.get(codename=codename, content_type__app_label=app)
        permission.group_set.clear()

    return take_away


@pytest.fixture(autouse=True)
def _fresh_directory():
    """The rows behind the directory go with each test."""
    directory.forget()


@pytest.fixture
def cast(db) -> Cast:
    return make_cast()


@pytest.fixture
def harbour(cast: Cast) -> Group:
    return cast.harbour


@pytest.fixture
def hill(cast: Cast) -> Group:
    return cast.hill


@pytest.fixture
def quay(cast: Cast) -> Restaurant:
    return cast.quay


@pytest.fixture
def loft(cast: Cast) -> Restaurant:
    return cast.loft


@pytest.fixture
def cellar(cast: Cast) -> Restaurant:
    return cast.cellar


@pytest.fixture
def alice(cast: Cast) -> User:
    return cast.alice


@pytest.fixture
def bob(cast: Cast) -> User:
    return cast.bob


@pytest.fixture
def charlie(cast: Cast) -> User:
    return cast.charlie


@pytest.fixture
def dora(cast: Cast) -> User:
    return cast.dora

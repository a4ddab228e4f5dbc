"""The cast of every test: two groups, three restaurants, and the people around them.

    Harbour Group           Hill Group
      Quay    (Paris)         Cellar  (Madrid)
      Loft    (New York)

    Alice manages Harbour Group      Charlie manages Hill Group
    Bob   is staff at the Quay       Dora    is admin of both groups, and owner of the installation

Every name is a pytest fixture; `cast` holds them all. The functions make more of each.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from auditlog.context import disable_auditlog
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import Permission
from django.contrib.sessions.backends.db import SessionStore
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from accounts.models import User
from accounts.rights import Role
from partner.models import Connection
from restaurants import directory
from restaurants.emergency_access.models import EmergencyAccess
from restaurants.invitations.models import Invitation
from restaurants.invitations.sending import invite
from restaurants.models import Group, Membership, Restaurant
from restaurants.offline_devices import devices
from restaurants.offline_devices.models import OfflineDevice

# Also where the settings of the product are in force, which know no such password.
NEVER_TYPED = MD5PasswordHasher().encode("never typed", "salt")
PARISIAN = {"timezone": "Europe/Paris", "currency": "EUR", "country": "FR"}


def make_user(email: str, **fields: Any) -> User:
    """A person whose password nobody types: `sign_in` needs none, and hashing one is slow."""
    fields.setdefault("name", email.split("@")[0].title())
    if password := fields.pop("password", None):
        return User.objects.create_user(email, password, **fields)
    return User.objects.create(email=email, password=NEVER_TYPED, **fields)


def make_group(name: str = "Valley Group", *, uuid: UUID | None = None) -> Group:
    return Group.objects.create(name=name, uuid=uuid or uuid4())


def make_restaurant(group: Group, name: str = "Mill", **fields: Any) -> Restaurant:
    return Restaurant.objects.create(
        group=group, name=name, **{**PARISIAN, "uuid": uuid4(), **fields}
    )


def make_member(user: User, place: Group | Restaurant, role: str = Role.STAFF) -> Membership:
    field = "group" if isinstance(place, Group) else "restaurant"
    return Membership.objects.create(user=user, role=role, **{field: place})


def make_root(email: str = "root@example.org", **fields: Any) -> User:
    """Somebody whom nothing is closed to: runs the server, owns the installation, admin of all."""
    root = make_user(email, is_superuser=True, is_staff=True, is_owner=True, **fields)
    for group in Group.objects.all():
        make_member(root, group, Role.ADMIN)
    return root


def make_emergency_access(
    group: Group, person: User | None = None, *, role: str = Role.STAFF
) -> EmergencyAccess:
    """Somebody who runs the server has a role in the group for four hours."""
    person = person or make_user(f"{uuid4().hex[:8]}@example.org", is_superuser=True)
    now = timezone.now()
    access = EmergencyAccess(
        person=person, group=group, role=role, reason="Something is missing", began_at=now
    )
    access.ends_at = now + timedelta(hours=4)
    access.begin()
    return access


def make_invitation(
    email: str, place: Group | Restaurant, invited_by: User, role: Role = Role.STAFF
) -> Invitation:
    return invite(email, name="Fay", place=place, role=role, invited_by=invited_by)


def sign_in(user: User) -> Client:
    """As `force_login` leaves it, by one row: Django's own way stores a session three times and
    has the audit trail compare every field of the person. Whose password nobody knows counts
    as having just given it again.
    """
    user.last_login = timezone.now()
    User.objects.filter(pk=user.pk).update(last_login=user.last_login)
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    if user.password == NEVER_TYPED:
        session.update(just_confirmed(user))
    session._session_key = uuid4().hex  # taken by no other: nobody has to look
    session.save(must_create=True)
    client = Client()
    client.cookies[settings.SESSION_COOKIE_NAME] = str(session.session_key)
    return client


def just_confirmed(user: User) -> dict[str, Any]:
    """What a session holds of somebody who has just entered the password once more."""
    now = {"method": "password", "at": time.time(), "reauthenticated": True}
    return {
        "account_authentication_methods": [now],
        "account_authentication_methods_user": str(user.pk),
    }


def make_offline_device(*places: Restaurant, name: str = "Tablet at the entrance") -> OfflineDevice:
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
    """They have been here for long: the trail of their arrival is nobody's question.

    Thousands of tests begin with them, so each table is written once.
    """
    has_any = Connection.objects.exists()  # hardly ever
    connection = Connection.objects.single() if has_any else None
    with disable_auditlog():
        harbour, hill = _make_groups(connection)
        quay, loft, cellar = _make_restaurants(harbour, hill)
        alice, bob, charlie, dora = _make_users("alice", "bob", "charlie", owner="dora")
        if connection:
            dora.owned_connections.add(connection)
        Membership.objects.bulk_create(
            [
                Membership(user=alice, role=Role.MANAGER, group=harbour),
                Membership(user=bob, role=Role.STAFF, restaurant=quay),
                Membership(user=charlie, role=Role.MANAGER, group=hill),
                Membership(user=dora, role=Role.ADMIN, group=harbour),
                Membership(user=dora, role=Role.ADMIN, group=hill),
            ]
        )
    return Cast(harbour, hill, quay, loft, cellar, alice, bob, charlie, dora)


def _make_groups(connection: Connection | None) -> list[Group]:
    uuids = {
        "Harbour Group": UUID("11111111-0000-4000-8000-000000000001"),
        "Hill Group": UUID("22222222-0000-4000-8000-000000000001"),
    }
    return Group.objects.bulk_create(
        [Group(name=name, uuid=uuid, connection=connection) for name, uuid in uuids.items()]
    )


def _make_restaurants(harbour: Group, hill: Group) -> list[Restaurant]:
    new_york = {"timezone": "America/New_York", "currency": "USD", "country": "US"}
    madrid = {"timezone": "Europe/Madrid", "currency": "EUR", "country": "ES"}
    quay = UUID("11111111-0000-4000-8000-000000000011")
    loft = UUID("11111111-0000-4000-8000-000000000012")
    cellar = UUID("22222222-0000-4000-8000-000000000011")
    return Restaurant.objects.bulk_create(
        [
            Restaurant(group=harbour, name="Quay", uuid=quay, colour="#155aa7", **PARISIAN),
            Restaurant(group=harbour, name="Loft", uuid=loft, colour="#8a3ffc", **new_york),
            Restaurant(group=hill, name="Cellar", uuid=cellar, **madrid),
        ]
    )


def _make_users(*names: str, owner: str) -> list[User]:
    users = [User(email=f"{name}@example.org", name=name.title()) for name in (*names, owner)]
    users[-1].is_owner = True
    for user in users:
        user.password = NEVER_TYPED
    return User.objects.bulk_create(users)


@pytest.fixture
def signed_in() -> Callable[[User], Client]:
    """`sign_in`, for tests of the apps that may not import this one."""
    return sign_in


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
    directory.clear()


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

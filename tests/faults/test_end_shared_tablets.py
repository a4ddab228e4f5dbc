"""A shared tablet over real HTTP: it ends with its owner's sign-in, and a PIN opens no more."""

from collections.abc import Iterator

import pytest

from tests.faults.installation import Installation, open_installation
from tests.faults.people import PASSWORD, Person, words_of

pytestmark = pytest.mark.faults

PIN = "2580"
NEW_PASSWORD = "quite another long phrase 7"  # noqa: S105 - opens a scratch database
PEOPLE = f"""
from accounts.models import User
from restaurants.models import Group, Membership
group = Group.objects.first()
for name, role in (("alice", "manager"), ("bob", "staff"), ("dora", "admin")):
    user = User.objects.create_user(f"{{name}}@example.org", {PASSWORD!r}, name=name.title())
    Membership.objects.create(user=user, group=group, role=role)
    print(user.pk)
"""


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MFA_REQUIRED_ROLES", "admin")
        with open_installation(seed=5, processes=()) as installation:
            installation.collect_static()
            installation.begin(("web",))
            yield installation


def test_it_ends_with_its_owners_sign_in(installation):
    made = installation.manage("shell", "--verbosity", "0", "-c", PEOPLE).split()
    _alice_id, bob_id, dora_id = made[-3:]
    address = installation.environment["PUBLIC_URL"]
    tablet, elsewhere = Person(address, "alice@example.org"), Person(address, "alice@example.org")
    tablet.sign_in()
    tablet.post("/accounts/device/share/", name="Tablet at the entrance")
    for person in ("bob", "dora"):
        fields = {"password": PASSWORD, "pin": PIN, "again": PIN}
        tablet.post("/accounts/device/pin/", email=f"{person}@example.org", **fields)

    # Whose role must have a second factor takes nothing over without one.
    tablet.post(f"/accounts/device/people/{dora_id}/", pin=PIN)
    assert "Alice" in words_of(tablet.get("/"))

    tablet.post(f"/accounts/device/people/{bob_id}/", pin=PIN)
    assert "Bob" in words_of(tablet.get("/"))

    elsewhere.sign_in()
    elsewhere.post(
        "/accounts/password/change/",
        oldpassword=PASSWORD,
        password1=NEW_PASSWORD,
        password2=NEW_PASSWORD,
    )

    assert "/accounts/login/" in tablet.get("/").address
    for person in (bob_id, dora_id):
        tablet.post(f"/accounts/device/people/{person}/", pin=PIN)
        assert "/accounts/login/" in tablet.get("/").address
    assert "/accounts/login/" not in elsewhere.get("/").address

"""The credentials belong to the installation: nothing is sent to whoever reaches for them."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.faults.installation import Installation, open_installation
from tests.faults.people import PASSWORD, Person, words_of

pytestmark = pytest.mark.faults

CONNECTION = "/setup/connection/1/"
ACTIONS = ("save/", "point-of-sale/", "webhook/rotate/", "webhook/revoke/", "test/", "new-token/")
PEOPLE = f"""
from accounts.models import User
from restaurants.models import Group, Membership, Restaurant
from uuid import uuid4

own = Group.objects.create(name="Own Group", uuid=uuid4())
place = Restaurant.objects.create(group=own, name="Own Place", uuid=uuid4(), country="FR",
    timezone="Europe/Paris")
admin = User.objects.create_user("admin@own.example", {PASSWORD!r})
Membership.objects.create(user=admin, restaurant=place, role="admin")
for name in ("owner", "second"):
    User.objects.create_user(f"{{name}}@example.org", {PASSWORD!r}, is_owner=True)
"""
STORED = """
import json
from partner.models import Connection
row = Connection.objects.get()
names = ("name", "base_url", "auth_url", "audience", "client_id", "webhook_token_hash")
print(json.dumps({name: getattr(row, name) for name in names} | {"secret": row.client_secret}))
"""
# As if all had signed in an hour ago.
AGE_SIGN_INS = """
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
for row in Session.objects.all():
    session = SessionStore(row.session_key)
    for record in session.get("account_authentication_methods", []):
        record["at"] -= 3600
    session.modified = True
    session.save()
"""
SEND_MAILS = "from accounts.tasks import send_mails; send_mails()"


class Listener:
    """An address of whoever is curious: it counts what arrives."""

    def __init__(self, port: int) -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.heard: list[str] = []


@contextmanager
def listening() -> Iterator[Listener]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            ear.heard.append(f"{self.headers} {self.rfile.read(length)!r}")
            self.send_response(200)
            self.end_headers()

        do_GET = do_POST

        def log_message(self, *_words: Any) -> None:
            """Nothing into the output of the tests."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    ear = Listener(server.server_port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield ear
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    with open_installation(seed=33, processes=()) as installation:
        installation.collect_static()
        installation.begin(("web",))
        installation.manage("shell", "--verbosity", "0", "-c", PEOPLE)
        yield installation


@pytest.fixture
def listener() -> Iterator[Listener]:
    with listening() as listener:
        yield listener


def stored(installation: Installation) -> dict[str, str]:
    found: dict[str, str] = json.loads(run(installation, STORED).splitlines()[-1])
    return found


def run(installation: Installation, code: str, **environment: str) -> str:
    installation.environment.update(environment)
    return installation.manage("shell", "--verbosity", "0", "-c", code)


def person(installation: Installation, email: str) -> Person:
    someone = Person(installation.environment["PUBLIC_URL"], email)
    someone.sign_in()
    return someone


def form(installation: Installation, **changes: str) -> dict[str, str]:
    kept = stored(installation)
    fields = ("name", "base_url", "auth_url", "audience", "client_id")
    return {name: kept[name] for name in fields} | {"client_secret": ""} | changes


def test_an_admin_of_another_group_gets_nothing_sent(installation, listener):
    before = stored(installation)
    admin = person(installation, "admin@own.example")

    assert admin.get("/setup/people/").status == 200
    assert admin.get(CONNECTION).status == 403
    for action in ACTIONS:
        assert (
            admin.post(CONNECTION + action, **form(installation, auth_url=listener.address))[0]
            == 403
        )
    assert admin.post("/setup/telephone/address/").status == 403

    assert stored(installation) == before
    assert listener.heard == []


def test_an_old_sign_in_changes_nothing_until_it_is_confirmed(installation, listener):
    before = stored(installation)
    owner = person(installation, "owner@example.org")
    run(installation, AGE_SIGN_INS)
    typed = form(installation, auth_url=listener.address, client_secret=before["secret"])

    assert "/accounts/reauthenticate/" in owner.get(CONNECTION).address
    refused = owner.post(CONNECTION + "save/", **typed)
    assert (refused.status, "Not saved yet" in words_of(refused)) == (403, True)
    for action in ("webhook/rotate/", "webhook/revoke/", "test/", "new-token/"):
        assert "/accounts/reauthenticate/" in owner.post(CONNECTION + action).address
    assert stored(installation) == before

    owner.get("/accounts/reauthenticate/")
    owner.confirm()
    assert owner.get(CONNECTION).status == 200
    assert listener.heard == []


def test_no_stored_secret_goes_to_another_address(installation, listener, tmp_path):
    before = stored(installation)
    owner = person(installation, "owner@example.org")
    owner.confirm()

    for field in ("base_url", "auth_url"):
        refused = owner.post(
            CONNECTION + "save/", **form(installation, **{field: listener.address})
        )
        assert (refused.status, "sent to no other address" in words_of(refused)) == (422, True)
    owner.post(CONNECTION + "test/")
    assert stored(installation) == before
    assert listener.heard == []

    # With the secret, it is an owner's decision, and every owner hears of it.
    typed = form(installation, auth_url=listener.address, client_secret=before["secret"])
    assert owner.post(CONNECTION + "save/", **typed).status == 200
    assert stored(installation)["auth_url"] == listener.address
    run(installation, SEND_MAILS, EMAIL_URL=f"filemail:///{tmp_path}")
    mails = "".join(file.read_text() for file in tmp_path.iterdir())
    assert all(f"To: {name}@example.org" in mails for name in ("owner", "second"))
    assert listener.address in mails
    assert before["secret"] not in mails

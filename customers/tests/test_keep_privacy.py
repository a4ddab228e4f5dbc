"""Export, erasure, retention, and the record of profile views."""

import io
import json
import zipfile
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from auditlog.models import LogEntry
from django.core.management import call_command

from accounts.rights import Role
from customers import personal_data
from customers.models import Customer, InternalNote, ProfileView
from customers.privacy import erasure, retention
from customers.profile import views
from customers.testing import make_customer
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Mirrored, Priority, SyncRequest
from mirror.queue import store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors, schemas
from partner.models import Connection, Token
from partner.payloads import reading
from partner.testing import connection
from restaurants.models import Group
from restaurants.testing import make_member, sign_in

NOW = datetime(2026, 11, 20, 19, tzinfo=UTC)
ERASED = Mirrored.Presence.ERASED
TELLING = {
    "email": "zoe@example.org",
    "first_name": "Zoë",
    "last_name": "Lefèvre",
    "phone": "+33612345678",
    "phone_e164": "+33612345678",
    "notes": "Peanut allergy!",
    "allergies_and_intolerances": ["nuts"],
    "raw": '{"firstName": "Zoë"}',
}


@pytest.fixture
def guest(harbour):
    return make_customer(harbour, **TELLING)


def read_again(guest, *, priority, error=None):
    """Store an answer of the service as the mirror does."""
    sync_requests.request(
        [EntityRef("customer", guest.pk, EntityLocation(guest.group.uuid))],
        priority=priority,
        now=NOW,
    )
    (claim,) = sync_requests.claim(limit=1, now=NOW)
    payload = {"customerUuid": str(guest.pk), "firstName": "Zoë", "email": "zoe@example.org"}
    entity, drift = reading.read(schemas.CustomerPayload, payload)
    answer = SimpleNamespace(
        entity=entity, payload=payload, raw=json.dumps(payload), drift=drift, started_at=NOW
    )
    store.settle([ReadResult(claim, None if error else answer, error, NOW)], now=NOW)


def erase(guest, actor=None):
    erasure.erase(guest, actor=actor, now=NOW)
    return Customer.objects.get(pk=guest.pk)


class TestErase:
    def test_it_works(self, guest):
        row = erase(guest)
        kept = [str(getattr(row, field.attname)) for field in Customer._meta.concrete_fields]

        assert row.presence == ERASED
        assert not any(word in " ".join(kept) for word in ("Zo", "612345678", "nut", "example"))

    @pytest.mark.parametrize("priority", [Priority.BACKFILL, Priority.EVENT, Priority.PERSON])
    def test_no_reading_brings_the_guest_back(self, guest, priority):
        erase(guest)
        read_again(guest, priority=priority)
        row = Customer.objects.get(pk=guest.pk)

        assert row.presence == ERASED
        assert row.first_name == row.email == row.raw == ""

    def test_a_removal_upstream_leaves_the_tombstone(self, guest):
        erase(guest)
        read_again(guest, priority=Priority.EVENT, error=errors.NotFound(status=404))

        assert Customer.objects.get(pk=guest.pk).presence == ERASED

    def test_the_dump_says_erased_and_nothing_else(self, guest):
        erase(guest)
        out = io.StringIO()
        call_command("mirror_dump", kind="customer", stdout=out)
        line = json.loads(out.getvalue())

        assert (line["uuid"], line["state"], line["payload"]) == (str(guest.pk), "erased", None)

    def test_the_traces_go_too(self, guest, alice):
        Change.objects.create(
            kind="customer", uuid=guest.pk, version=2, seen_at=NOW, field="notes", after="Peanut"
        )
        InternalNote.objects.create(pk=guest.pk, text="Peanut", changed_at=NOW)
        sync_requests.request(
            [EntityRef("customer", guest.pk, EntityLocation())], priority=Priority.EVENT, now=NOW
        )
        SyncRequest.objects.update(evidence='{"firstName": "Zoë"}')
        erase(guest)

        assert not Change.objects.exists()
        assert not InternalNote.objects.exists()
        assert SyncRequest.objects.get().evidence == ""

    def test_a_neighbour_stays(self, guest, harbour):
        neighbour = make_customer(harbour, last_name="Neighbour")
        erase(guest)
        neighbour.refresh_from_db()

        assert neighbour.last_name == "Neighbour"

    def test_twice_is_once(self, guest):
        version = erase(guest).version

        assert erase(guest).version == version


class TestErasePage:
    def post(self, user, guest, **data):
        return sign_in(user).post(f"/customers/{guest.pk}/erase/", data)

    def test_it_works(self, dora, guest):
        page = sign_in(dora).get(f"/customers/{guest.pk}/erase/").text
        self.post(dora, guest, sure="on")

        assert "cannot be undone" in page
        assert Customer.objects.get(pk=guest.pk).presence == ERASED
        assert LogEntry.objects.get(additional_data__verb="erased a guest").actor == dora

    def test_it_asks_whether_one_is_sure(self, dora, guest):
        assert self.post(dora, guest).status_code == 422
        assert Customer.objects.get(pk=guest.pk).presence == Mirrored.Presence.PRESENT

    def test_an_outsider_finds_nobody(self, charlie, guest):
        assert self.post(charlie, guest, sure="on").status_code == 404

    @pytest.mark.parametrize("person", ["alice", "bob"])
    def test_a_colleague_without_the_right_is_refused(self, cast, guest, person):
        assert self.post(getattr(cast, person), guest, sure="on").status_code == 403

    def test_the_right_at_one_restaurant_is_not_enough(self, bob, loft, guest):
        make_member(bob, loft, Role.ADMIN)

        assert self.post(bob, guest, sure="on").status_code == 403

    def test_the_erased_page_says_so(self, dora, guest):
        erase(guest)
        answer = sign_in(dora).get(f"/customers/{guest.pk}/")

        assert answer.status_code == 410
        assert "erased here" in answer.text


class TestTakeAway:
    def file(self, user, guest):
        answer = sign_in(user).post(f"/customers/{guest.pk}/take-away/")
        return zipfile.ZipFile(io.BytesIO(answer.content))

    def test_it_works(self, dora, guest):
        InternalNote.objects.create(pk=guest.pk, text="Corner table", changed_at=NOW)
        file = self.file(dora, guest)
        held = json.loads(file.read("guest.json"))

        assert held["guest"] == {"firstName": "Zoë"}
        assert held["house_notes"][0]["text"] == "Corner table"
        assert "Zoë" in file.read("guest.html").decode()
        assert LogEntry.objects.get(additional_data__verb="exported a guest").actor == dora

    def test_it_holds_nothing_of_another_guest(self, dora, guest, harbour):
        make_customer(harbour, last_name="Neighbour", raw='{"lastName": "Neighbour"}')
        file = self.file(dora, guest)

        assert not any("Neighbour" in file.read(name).decode() for name in file.namelist())

    def test_scripts_are_shown_and_not_run(self, dora, harbour):
        guest = make_customer(harbour, raw='{"firstName": "<script>alert(1)</script>"}')
        page = self.file(dora, guest).read("guest.html").decode()

        assert "&lt;script&gt;" in page

    def test_it_takes_the_right(self, alice, guest):
        assert sign_in(alice).post(f"/customers/{guest.pk}/take-away/").status_code == 403

    def test_an_outsider_finds_nobody(self, charlie, guest):
        assert sign_in(charlie).post(f"/customers/{guest.pk}/take-away/").status_code == 404


class TestReveal:
    def post(self, user, guest, **headers):
        return sign_in(user).post(f"/customers/{guest.pk}/reveal/", headers=headers)

    def test_it_works(self, bob, guest):
        words = self.post(bob, guest).text

        assert "+33612345678" in words
        assert "zoe@example.org" in words

    def test_it_is_written_down(self, bob, guest):
        self.post(bob, guest)

        assert ProfileView.objects.get().what == ProfileView.What.REVEALED
        entry = LogEntry.objects.get(additional_data__verb="revealed contacts")
        assert entry.actor == bob
        assert "Lef" not in str(entry.additional_data) + entry.object_repr

    def test_alone_it_is_the_section(self, bob, guest):
        words = self.post(bob, guest, **{"HX-Request": "true"}).text

        assert words.lstrip().startswith('<section class="card" id="contacts"')

    def test_nobody_reveals_the_whole_copy(self, alice, bob, guest, settings, caplog):
        settings.ACCOUNT_RATE_LIMITS = {"reveal": "2/h/user"}
        answers = [self.post(bob, guest) for _number in range(3)]

        assert [one.status_code for one in answers] == [200, 200, 429]
        assert "+33612345678" not in answers[2].text
        assert "quotas.exceeded" in caplog.text
        assert self.post(alice, guest).status_code == 200

    def test_it_takes_the_right(self, bob, guest, without_right):
        without_right("customers.reveal_contact")

        assert self.post(bob, guest).status_code == 403
        assert ">Reveal<" not in sign_in(bob).get(f"/customers/{guest.pk}/").text

    def test_an_outsider_finds_nobody(self, charlie, guest):
        assert self.post(charlie, guest).status_code == 404


class TestProfileViews:
    def test_opening_a_page_is_written_down(self, bob, dora, guest):
        sign_in(bob).get(f"/customers/{guest.pk}/")
        words = sign_in(dora).get(f"/customers/{guest.pk}/").text

        assert "Bob · Opened the page" in words

    def test_others_do_not_see_who_viewed(self, alice, guest):
        assert "Who looked" not in sign_in(alice).get(f"/customers/{guest.pk}/").text


class TestRetention:
    def test_without_a_rule_nobody_is_erased(self, harbour):
        make_customer(harbour)

        assert retention.purge(now=NOW) == 0

    def test_it_works(self, harbour, settings):
        settings.GUEST_RETENTION_MONTHS = 6
        old = make_customer(harbour)
        make_customer(harbour, first_seen_at=NOW)
        retention.purge(now=NOW)

        assert [row.pk for row in Customer.objects.filter(presence=ERASED)] == [old.pk]

    def test_who_was_seen_is_kept(self, harbour, settings, monkeypatch):
        settings.GUEST_RETENTION_MONTHS = 6
        guest = make_customer(harbour)
        seen = personal_data.PersonalDataProvider(
            "till",
            title="Till",
            collect=lambda _guest: [],
            erase=lambda _guest: None,
            latest=lambda _guests: {guest.pk: NOW},
        )
        monkeypatch.setattr(personal_data, "PROVIDERS", [seen])

        assert retention.purge(now=NOW) == 0

    def test_who_is_gone_upstream_is_erased_after_a_month(self, harbour):
        gone = {"presence": Mirrored.Presence.GONE}
        long = make_customer(harbour, changed_at=NOW - timedelta(days=31), **gone)
        make_customer(harbour, changed_at=NOW - timedelta(days=3), **gone)
        retention.purge(now=NOW)

        assert [row.pk for row in Customer.objects.filter(presence=ERASED)] == [long.pk]

    def test_the_page_and_the_purge_name_the_same_day(self, guest, settings):
        """Bookings from before our first read may not be in the copy yet."""
        settings.GUEST_RETENTION_MONTHS = 6
        read_at = NOW - timedelta(days=2)
        Customer.objects.update(creation_date=NOW - timedelta(days=900), first_seen_at=read_at)
        until = retention.keep_until(Customer.objects.get(), now=NOW)
        assert until

        assert retention.purge(now=until - timedelta(minutes=1)) == 0
        assert retention.purge(now=until + timedelta(minutes=1)) == 1

    def test_the_page_says_until_when(self, dora, guest, settings):
        settings.GUEST_RETENTION_MONTHS = 600
        words = sign_in(dora).get(f"/customers/{guest.pk}/").text

        assert "Our copy is kept until" in words


class TestInternalNote:
    def post(self, user, guest, text="Corner table"):
        return sign_in(user).post(f"/customers/{guest.pk}/house-note/", {"text": text})

    def test_it_works(self, bob, guest):
        self.post(bob, guest)
        words = sign_in(bob).get(f"/customers/{guest.pk}/").text

        assert "Corner table" in words
        assert "Only in this dashboard" in words

    def test_an_outsider_finds_nobody(self, charlie, guest):
        assert self.post(charlie, guest).status_code == 404

    def test_it_may_tell_of_health_and_takes_that_right(self, bob, guest, without_right):
        without_right("customers.view_health")

        assert self.post(bob, guest).status_code == 403

    def test_of_an_erased_guest_none_is_kept(self, bob, guest):
        erase(guest)
        self.post(bob, guest, "Peanut")
        assert not InternalNote.objects.exists()

        views._save_internal_note(guest, "Peanut", user=bob)  # erased while it was written
        assert not InternalNote.objects.exists()

    def test_too_long_a_note_is_refused_and_kept_on_the_page(self, bob, guest):
        answer = self.post(bob, guest, text="x" * 5001)

        assert answer.status_code == 422
        assert "x" * 5001 in answer.text


@pytest.mark.parametrize(
    ("scopes", "priorities", "words"),
    [
        ("", [Priority.PERSON], "The profile is being read again."),
        ("svc-restaurant:reviews", [], "Our key lacks the right"),
    ],
)
def test_a_fresh_read_can_be_requested(bob, guest, scopes, priorities, words):
    account = connection()
    Group.objects.update(connection=account)
    Token.objects.update_or_create(
        connection=account, identity=account.identity, defaults={"scopes": scopes}
    )
    page = sign_in(bob).post(f"/customers/{guest.pk}/refresh/", follow=True).text

    requests = SyncRequest.objects.filter(uuid=guest.pk)
    assert list(requests.values_list("priority", flat=True)) == priorities
    assert words in page


def test_a_fresh_read_from_a_paused_account_waits_and_says_so(bob, guest):
    Group.objects.update(connection=connection(state=Connection.State.PAUSED))
    page = sign_in(bob).post(f"/customers/{guest.pk}/refresh/", follow=True).text

    assert SyncRequest.objects.filter(uuid=guest.pk).exists()
    assert "The connection is paused" in page
    assert "being read again" not in page


def test_health_is_in_no_log(bob, guest, log_lines):
    client = sign_in(bob)
    client.get(f"/customers/{guest.pk}/")
    client.post(f"/customers/{guest.pk}/reveal/")
    client.get("/customers/", {"show": "allergies"})

    assert not any(word in log_lines() for word in ("nuts", "Peanut", "Lef", "612345678"))

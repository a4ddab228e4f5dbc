"""Health and alerts of one account reach its owners and whoever runs the server, nobody else."""

import json
from datetime import UTC, datetime, timedelta
from io import StringIO
from uuid import uuid4

import pytest
import time_machine
from django.core import mail
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.push.testing import running_push_service
from config.monitoring import metrics
from live.models import Announcement, PushEvent
from live.push import sending
from live.push.testing import make_push_device
from mirror.health import alerts, freshness, reach, sections
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Alert, Heartbeat, Priority, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import sync_requests
from outbox.models import Intent
from partner.models import Connection, Token
from restaurants.testing import make_user, sign_in
from tests import tenants

NOW = datetime(2026, 6, 12, 17, tzinfo=UTC)
REFUSED = "refused"
SECOND = "Second account"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _at_noon():
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def both(cast):
    """Dora owns the first account, Olga the second, and Root runs the server."""
    found = tenants.two_tenants(cast)
    heartbeat.beat("worker", now=NOW)
    make_user("root@example.org", is_superuser=True)
    return found


@pytest.fixture
def second(both):
    return Connection.objects.get(name=SECOND)


def refuse_key(account):
    Token.objects.filter(connection=account).update(
        is_refused=True, paused_until=NOW + timedelta(hours=1), usable_until=None
    )


def fail(account):
    """The key of the account is refused, for longer than a moment."""
    refuse_key(account)
    for minutes in (0, 3):
        alerts.check(now=NOW + timedelta(minutes=minutes))


def mails_about(subject):
    return {one.to[0]: one.body for one in mail.outbox if one.subject.startswith(subject)}


def lines_of(user):
    page = sign_in(user).get("/live/alerts/")
    return page.content.decode()


class TestAlerts:
    def test_it_works(self, both, second):
        fail(second)

        (alert,) = Alert.objects.filter(cause="token", closed_at=None)
        assert alert.connection == second
        readers = mails_about("Couvert: Key")
        assert set(readers) == {both["hill"].dora.email, "root@example.org"}

    def test_two_accounts_have_an_alert_each(self, second):
        fail(second)
        fail(tenants.first_connection())

        open_ = Alert.objects.filter(cause="token", closed_at=None)
        assert open_.values("connection").distinct().count() == 2
        refused_once = Token.objects.filter(connection=second)
        refused_once.update(paused_until=None, usable_until=NOW + timedelta(hours=2))
        alerts.check(now=NOW + timedelta(minutes=4))
        assert open_.get().connection == tenants.first_connection()

    def test_pages_of_the_other_account_show_nothing(self, both, second):
        fail(second)
        with time_machine.travel(NOW + timedelta(minutes=4)):
            own = lines_of(both["hill"].dora)
            others = [lines_of(both["harbour"].dora), lines_of(both["harbour"].bob)]

        assert REFUSED in own
        assert SECOND not in own  # there is only one that they know
        assert not any(REFUSED in page or "The copy of the service" in page for page in others)

    def test_whoever_runs_the_server_reads_which_account_it_is(self, both, second):
        fail(second)
        with time_machine.travel(NOW + timedelta(minutes=4)):
            page = lines_of(make_user("two@example.org", is_superuser=True))

        assert f"{SECOND}: " in page

    def test_an_admin_of_the_account_reads_that_there_is_a_fault(self, both, second):
        both["hill"].alice.memberships.update(role="admin")
        both["harbour"].alice.memberships.update(role="admin")
        fail(second)

        readers = mails_about("Couvert: Key")
        assert both["harbour"].alice.email not in readers
        assert REFUSED not in readers[both["hill"].alice.email]

    def test_it_is_pushed_to_its_owners(self, both, second):
        with running_push_service() as service:
            for person in (both["harbour"].dora, both["hill"].dora):
                make_push_device(person, service.subscribe(), now=NOW)
            fail(second)
            about_key = PushEvent.objects.filter(subject=str(Alert.objects.get(cause="token").pk))
            PushEvent.objects.exclude(pk__in=about_key).delete()
            sending.send_due(now=NOW + timedelta(minutes=4))

            assert len(service.texts) == 1

    def test_it_is_read_in_the_language_of_the_reader(self, both, second):
        owner = both["hill"].dora
        type(owner).objects.filter(pk=owner.pk).update(language="fr")
        owner.refresh_from_db()
        fail(second)
        with time_machine.travel(NOW + timedelta(minutes=4)):
            page = lines_of(owner)

        french = (Alert.objects.get(cause="token").translations or {})["fr"]
        assert french != Alert.objects.get(cause="token").sentence
        assert french in page.replace("&#x27;", "'")
        assert any(french in one.body for one in mail.outbox if one.to == [owner.email])

    def test_accounts_that_work_are_judged_once(self, second, monkeypatch):
        looked_at = []

        def note(accounts, now):
            looked_at.append([account.pk for account in accounts])
            return [sections.Section(name="n", title="", state="good", sentence="")] * len(accounts)

        healthy = Connection.objects.create(name="Third account", client_id="c3")
        refuse_key(second)
        monkeypatch.setattr(sections.ACCOUNT_CHECKS, "entries", [*sections.ACCOUNT_CHECKS, note])
        alerts.check(now=NOW)

        every, *again = looked_at
        assert {second.pk, healthy.pk} < set(every)
        assert again
        assert all(second.pk in some and healthy.pk not in some for some in again)

    def test_queries_do_not_grow_with_accounts_at_fault(self, both):
        for number in range(20):
            account = Connection.objects.create(name=f"Account {number}", client_id=f"c{number}")
            Token.objects.create(connection=account, identity=account.identity)
        every = Token.objects.filter(connection__name__startswith="Account")

        def queries_of_a_check():
            with CaptureQueriesContext(connection) as queries:
                alerts.check(now=NOW)
            return len(queries)

        def queries_while_at_fault(tokens):
            tokens.update(is_refused=True, paused_until=NOW + timedelta(hours=1))
            found = [queries_of_a_check()]
            assert Alert.objects.filter(closed_at=None, cause="token").count() == len(tokens)
            Alert.objects.update(sentence="For 1 s.")
            found.append(queries_of_a_check())
            assert not Alert.objects.filter(closed_at=None, sentence="For 1 s.").exists()
            every.update(is_refused=False, paused_until=None)
            found.append(queries_of_a_check())
            assert not Alert.objects.filter(closed_at=None, cause="token").exists()
            return found

        one = every.filter(connection__name="Account 7")
        few = queries_while_at_fault(one)
        more = queries_while_at_fault(every)

        # Figures that are kept for seconds are read anew in some of the checks.
        grown = [now - before for before, now in zip(few, more, strict=True)]
        assert max(grown) < len(every) / 2

    def test_open_screens_of_the_other_account_do_not_reload(self, both, second):
        Announcement.objects.all().delete()
        alerts.refresh_screens([second.pk])

        groups = Announcement.objects.values_list("group_id", flat=True)
        assert list(groups) == [both["hill"].harbour.pk]


class TestMachine:
    """What is about the machine names no account."""

    @pytest.fixture
    def stopped(self, both):
        Heartbeat.objects.update_or_create(name="worker", defaults={"at": NOW})
        with time_machine.travel(NOW + timedelta(minutes=5)):
            for minutes in (5, 8):
                alerts.check(now=NOW + timedelta(minutes=minutes))
        return both

    def test_it_works(self, stopped):
        assert Alert.objects.get(cause="worker").connection is None

    def test_owners_of_one_account_read_no_more_than_that_there_is_a_fault(self, stopped):
        readers = mails_about("Couvert: Workers")

        assert "Start the worker again." in readers["root@example.org"]
        for side in ("harbour", "hill"):
            assert "Start the worker" not in readers[stopped[side].dora.email]
            assert "Whoever runs the installation" in readers[stopped[side].dora.email]

    def test_everybody_reads_that_screens_may_be_old(self, stopped):
        with time_machine.travel(NOW + timedelta(minutes=9)):
            for side in ("harbour", "hill"):
                assert "what you see may be old" in lines_of(stopped[side].bob)


@pytest.mark.parametrize("check", [alerts.check, alerts.check_standstills])
def test_changes_that_do_not_leave_concern_their_account_only(both, second, check):
    Intent.objects.create(
        action="reservation.cancel",
        kind="reservation",
        uuid=uuid4(),
        restaurant=both["hill"].quay,
        payload={},
        created_at=NOW,
        not_before=NOW - timedelta(minutes=2),
    )
    check(now=NOW)

    assert "have not left yet" in lines_of(both["hill"].bob)
    assert "have not left yet" not in lines_of(both["harbour"].bob)
    figures = metrics.render().decode()
    assert f'couvert_standstill{{cause="outbox",connection="{second.pk}"}} 1.0' in figures
    assert SECOND not in figures


class TestParked:
    @pytest.fixture
    def unplaced(self, both):
        """What the first account has read, and whose restaurant is now one of the second."""
        location = EntityLocation(both["harbour"].harbour.uuid)
        refs = [EntityRef("reservation", uuid4(), location)]
        sync_requests.request(refs, priority=Priority.SWEEP, now=NOW)
        place = both["hill"].quay.uuid
        facts = {"state": SyncRequest.State.PARKED, "problem": "unplaced"}
        SyncRequest.objects.update(restaurant_uuid=place, evidence="Zo", **facts)

    def test_what_belongs_to_no_restaurant_here_is_of_the_group_that_has_read_it(
        self, both, unplaced
    ):
        assert reach.parked_of(both["harbour"].dora).exists()

    def test_it_is_not_of_the_account_that_has_its_restaurant(self, both, unplaced):
        assert not reach.parked_of(both["hill"].dora).exists()


class TestSections:
    def request(self, place, *, count):
        location = EntityLocation(place.group.uuid, place.uuid)
        refs = [EntityRef("reservation", uuid4(), location) for _ in range(count)]
        sync_requests.request(refs, priority=Priority.EVENT, now=NOW)

    def figures(self, user, name="queue"):
        return [part for part in reach.sections(user, now=NOW) if part.name == name]

    def test_it_works(self, both):
        self.request(both["hill"].quay, count=3)
        self.request(both["harbour"].quay, count=1)

        (olgas,) = self.figures(both["hill"].dora)
        (doras,) = self.figures(both["harbour"].dora)
        assert (olgas.facts["waiting"], doras.facts["waiting"]) == (3, 1)
        assert olgas.heading == "Reading"

    def test_whoever_runs_the_server_reads_those_of_all(self, both, second):
        root = make_user("two@example.org", is_superuser=True)
        headings = [part.heading for part in self.figures(root)]

        assert headings == [f"Reading · {tenants.first_connection().name}", f"Reading · {SECOND}"]

    def test_the_cards_of_an_account_stand_together_below_its_name(self, both, second):
        refuse_key(second)
        page = sign_in(make_user("two@example.org", is_superuser=True)).get("/setup/mirror/")
        names = {one.pk: one.name for one in Connection.objects.all()}

        worst, *others = page.context["page"].blocks
        assert (worst.name, worst.worst.state, worst.cards[0].name) == (SECOND, "down", "token")
        assert others[-1].name == "This installation"
        for block in (worst, *others):
            assert {names.get(part.connection, "This installation") for part in block.cards} == {
                block.name
            }
        assert f">{SECOND} <" in page.text.replace("\n", "")
        assert f"Key · {SECOND}" not in page.text.split('id="account-')[1]

    def test_one_account_has_no_name_on_the_page(self, both):
        page = sign_in(both["harbour"].dora).get("/setup/mirror/")

        assert [block.name for block in page.context["page"].blocks] == [""]
        assert 'id="account-' not in page.text

    def test_an_event_without_a_place_makes_no_other_account_old(self, both, second):
        refs = [EntityRef("customer", uuid4(), EntityLocation(both["hill"].harbour.uuid))]
        sync_requests.request(refs, priority=Priority.EVENT, now=NOW - timedelta(minutes=30))
        request = SyncRequest.objects.get()
        behind = {one.connection: one.behind for one in freshness.of_accounts([], now=NOW)}

        assert request.connection == second
        assert behind[second.pk] == timedelta(minutes=30)
        assert behind[tenants.first_connection().pk] == timedelta()

    def test_the_places_of_an_account_are_read_and_no_others(self, both, second):
        found = freshness.of_accounts([second], now=NOW)

        assert {place.connection for place in found} == {second.pk}

    def test_the_number_of_queries_does_not_grow_with_accounts(
        self, both, django_assert_max_num_queries
    ):
        for number in range(20):
            Connection.objects.create(name=f"Account {number}", client_id=f"c{number}")
        with django_assert_max_num_queries(45):
            parts = sections.sections(NOW)

        assert len([part for part in parts if part.name == "queue"]) == 22

    def test_a_paused_account_says_how_many_records_wait(self, both, second):
        self.request(both["hill"].quay, count=3)
        second.pause()
        page = sign_in(both["hill"].dora).get("/setup/mirror/").content.decode()

        assert "Paused: 3 records wait; nothing is read until it is resumed." in page
        assert "Nothing is waiting for long." not in page
        assert "All good." not in page
        (queue,) = self.figures(both["harbour"].dora)
        assert queue.state == sections.GOOD

    def test_a_pause_wakes_nobody(self, second):
        second.pause()
        for minutes in (0, 3):
            alerts.check(now=NOW + timedelta(minutes=minutes))

        assert not Alert.objects.filter(connection=second).exists()


class TestCommands:
    def status(self, *options):
        out = StringIO()
        call_command("mirror_status", "--json", *options, stdout=out)
        return json.loads(out.getvalue())

    def test_the_status_is_of_one_account(self, both, second):
        refuse_key(second)

        assert self.status("--connection", SECOND)["token"]["state"] == "refused"
        first = self.status("--connection", str(tenants.first_connection().pk))
        assert first["token"]["state"] == "valid"
        assert len(first["freshness"]) == 2

    def test_the_status_of_all_adds_up(self, both, second):
        status = self.status()

        assert len(status["freshness"]) == 4
        assert f"token-{second.pk}" in status["sections"]

    def test_changes_are_counted_by_account(self, both):
        Intent.objects.create(
            action="x",
            kind="reservation",
            restaurant=both["hill"].quay,
            payload={},
            created_at=NOW,
            not_before=NOW,
        )
        counts = []
        for name in (SECOND, str(tenants.first_connection().pk)):
            out = StringIO()
            call_command("outbox_status", "--json", "--connection", name, stdout=out)
            counts.append(json.loads(out.getvalue())["states"]["waiting"])

        assert counts == [1, 0]

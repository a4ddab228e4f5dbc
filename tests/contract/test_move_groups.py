"""A group changes its account with the service: both own it, and everything stored stays."""

import io
from uuid import UUID

import pytest
from auditlog.models import LogEntry
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from mirror.jobs import lifecycle
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Job, Priority, SyncRequest
from mirror.queue import moved_groups, sync_requests
from mirror.queue.handover import NEVER, NOT_OURS
from partner import testing
from partner.calls import clear_states
from partner.models import Connection, Token
from reservations.models import Reservation
from reservations.testing import make_reservation
from restaurants.models import Group
from restaurants.testing import make_member, make_restaurant, make_user, sign_in
from tests.contract.local import LocalSandbox
from webhooks.models import Delivery
from webhooks.routing import route_new
from webhooks.testing import delivery, some_payload

pytestmark = pytest.mark.django_db
UNKNOWN = UUID("99999999-0000-4000-8000-000000000001")


@pytest.fixture(scope="module")
def running(tmp_path_factory):
    local = LocalSandbox(tmp_path_factory.mktemp("local"))
    yield local
    local.stop()


@pytest.fixture
def sandbox(running, db):
    running.delete("faults")
    running.post("reset")
    clear_states()
    yield running
    assert running.breaches() == {}


@pytest.fixture
def olga(db):
    return make_user("olga@example.org")


@pytest.fixture
def old(sandbox):
    return testing.connection(name="Old", **sandbox.credentials("full"))


@pytest.fixture
def group(sandbox, old, olga):
    known = sandbox.world["groups"][0]
    made = Group.objects.create(uuid=UUID(known["uuid"]), name=known["name"])
    for place in known["restaurants"]:
        make_restaurant(made, place["name"], uuid=UUID(place["uuid"]))
    make_member(olga, made, "admin")
    return made


@pytest.fixture
def new(sandbox, old, group, olga):
    """The account of another client that owns the group as well."""
    made = testing.connection(name="New", **sandbox.credentials("limited"))
    Token.objects.all().delete()
    olga.make_owner([old.pk, made.pk])
    return made


def page_of(group):
    return reverse("restaurants:move", args=[group.uuid])


def move(olga, group, to):
    return sign_in(olga).post(page_of(group), {"to": to.pk})


class TestSteps:
    def test_it_works(self, olga, group, old, new):
        booking = make_reservation(group.restaurants.first())
        client = sign_in(olga)

        assert "New" in client.get(page_of(group)).text
        page = client.get(page_of(group), {"to": new.pk}).text
        assert "1 stored booking stays" in page
        assert "Move the group" in page
        assert move(olga, group, new).status_code == 302

        group.refresh_from_db()
        assert group.connection == new
        assert Reservation.objects.filter(pk=booking.pk).exists()

    def test_an_account_that_does_not_own_it_is_refused(self, sandbox, olga, group, old):
        stranger = testing.connection(name="Other", **sandbox.credentials("stranger"))
        Token.objects.all().delete()
        olga.make_owner([old.pk, stranger.pk])

        page = sign_in(olga).get(page_of(group), {"to": stranger.pk}).text
        assert "does not belong to the account “Other”" in page
        assert "Move the group" not in page
        assert move(olga, group, stranger).status_code == 422
        group.refresh_from_db()
        assert group.connection == old

    def test_who_does_not_own_both_moves_nothing(self, olga, group, old, new):
        olga.end_ownership([new.pk])
        make_user("other@example.org", is_owner=True).make_owner([new.pk])
        olga.owned_connections.set([old])

        assert "no other connection in use" in sign_in(olga).get(page_of(group)).text
        assert move(olga, group, new).status_code == 422
        assert sign_in(make_user("x@example.org")).get(page_of(group)).status_code == 404

    def test_it_names_owners_who_lose_sight(self, olga, group, old, new):
        make_user("ivo@example.org").make_owner([old.pk])

        page = sign_in(olga).get(page_of(group), {"to": new.pk}).text

        assert "Ivo loses sight of the group as an owner." in page

    def test_both_sides_have_an_audit_entry(self, olga, group, old, new):
        move(olga, group, new)

        entries = LogEntry.objects.filter(additional_data__verb="moved a group", actor=olga)
        assert {int(entry.object_id) for entry in entries} == {old.pk, new.pk}


class TestReading:
    @pytest.fixture
    def now(self):
        return timezone.now()

    def ask(self, group, now, **location):
        place = EntityLocation(**location)
        refs = [EntityRef("reservation", UNKNOWN, place)]
        sync_requests.request(refs, priority=Priority.EVENT, now=now)

    def test_what_waits_goes_on_with_the_other_account(self, olga, group, new, now):
        self.ask(group, now, group_uuid=group.uuid)

        move(olga, group, new)

        assert SyncRequest.objects.get().connection == new

    def test_what_another_group_has_read_of_a_place_of_this_one_stays(
        self, olga, group, old, new, now
    ):
        """Its booking moved here, to another account. It may move back."""
        self.ask(group, now, group_uuid=UNKNOWN, restaurant_uuid=group.restaurants.first().uuid)
        SyncRequest.objects.update(
            connection=old, state=SyncRequest.State.PARKED, problem="unplaced"
        )

        move(olga, group, new)

        assert SyncRequest.objects.get().connection == old

    def test_a_request_without_a_place_goes_by_the_copy(self, olga, group, old, new, now):
        booking = make_reservation(group.restaurants.first())
        request = SyncRequest(kind="reservation", uuid=booking.pk, connection=old)
        request.requested_at = request.not_before = now
        request.save()

        move(olga, group, new)

        assert SyncRequest.objects.get(uuid=booking.pk).connection == new

    def test_a_read_under_way_is_requested_anew(self, olga, group, new, now):
        self.ask(group, now, group_uuid=group.uuid)
        sync_requests.claim(limit=1, now=now)

        move(olga, group, new)

        row = SyncRequest.objects.get()
        assert (row.state, row.request_count) == (SyncRequest.State.WAITING, 2)

    def test_the_other_account_is_compared_as_a_whole(self, olga, group, new):
        move(olga, group, new)

        job = Job.objects.get(purpose=Job.Purpose.SWEEP)
        assert job.connection == new
        assert set(job.slices.values_list("group_uuid", flat=True)) == {group.uuid}

    def test_listings_to_come_are_of_the_other_account(self, olga, group, old, new, now):
        day = now.date()
        backfill = lifecycle.backfill(
            since=day, until=day, now=now, restaurants=group.restaurants.select_related("group")
        )

        move(olga, group, new)

        parted = Job.objects.get(purpose=Job.Purpose.BACKFILL, connection=new)
        assert parted.slices.exists()
        assert not backfill.slices.exists()

    def test_what_a_process_still_put_at_the_old_account_is_taken_over(
        self, olga, group, old, new, now
    ):
        move(olga, group, new)
        self.ask(group, now, group_uuid=group.uuid)
        refused = {"state": SyncRequest.State.PARKED, "problem": NOT_OURS, "not_before": NEVER}
        SyncRequest.objects.update(connection=old, **refused)

        assert moved_groups.adopt_strays(now=now) == 1
        row = SyncRequest.objects.get()
        assert (row.connection, row.state) == (new, SyncRequest.State.WAITING)
        assert row.not_before == now

    def test_events_by_the_old_address_are_foreign(self, olga, group, old, new, now):
        move(olga, group, new)
        place = str(group.restaurants.first().uuid)
        event = some_payload(restaurantUuid=place, groupUuid=str(group.uuid))
        row = delivery(event, connection=old)

        route_new(now=now)

        assert Delivery.objects.get(pk=row.pk).state == Delivery.State.ODD
        assert not SyncRequest.objects.exists()


class TestCommand:
    def run(self, *words):
        printed = io.StringIO()
        call_command("partner", "move", *words, stdout=printed)
        return printed.getvalue()

    def test_it_works(self, group, new):
        printed = self.run(str(group.uuid), "--to", "New")

        group.refresh_from_db()
        assert group.connection == new
        assert f"{group} belongs to New now." in printed
        assert (
            LogEntry.objects.filter(additional_data__verb="moved a group", actor=None).count() == 2
        )

    def test_what_cannot_be_done_is_a_sentence(self, sandbox, group, new):
        testing.connection(name="Other", **sandbox.credentials("stranger"))
        Token.objects.all().delete()

        for words, sentence in (
            ([group.name], "Say where the group moves"),
            (["Nobody", "--to", "New"], "“Nobody” does not name one group"),
            ([group.name, "--to", "Old"], "cannot move from where it is"),
            ([group.name, "--to", "Other"], "does not belong to Other"),
        ):
            with pytest.raises(CommandError, match=sentence):
                self.run(*words)
        assert Connection.objects.get(name="Old").groups.get() == group

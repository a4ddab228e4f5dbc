"""A service whose answers lag behind its events: no change is lost until the next sweep."""

from dataclasses import replace
from datetime import timedelta
from uuid import uuid4

import pytest

from customers.models import Customer
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Priority, SyncRequest
from mirror.processes import heartbeat
from mirror.queue import sync_requests
from mirror.queue.worker_loop import process_queue
from partner import errors
from partner.models import Connection
from tests.mirror.conftest import NOW

pytestmark = pytest.mark.django_db


class LateService:
    """Each read answers with what the guest was so many seconds ago."""

    def __init__(self, service):
        self.service, self.uuid, self.at = service, uuid4(), NOW
        self.names = [(NOW - timedelta(days=1), "before")]
        self.seconds = 0
        heartbeat.start_anew()

    def change(self, name):
        """A change and its event, which arrives at once."""
        self.names.append((self.at, name))
        ref = EntityRef("customer", self.uuid, EntityLocation())
        of = Connection.objects.get().pk
        sync_requests.request([ref], priority=Priority.EVENT, now=self.at, connection=of)

    def pass_time(self, seconds):
        for _ in range(seconds):
            shown = [name for at, name in self.names if at <= self.at - self.lag]
            self.service.guests[self.uuid] = shown[-1]
            if SyncRequest.objects.filter(state="waiting", not_before__lte=self.at):
                process_queue(now=lambda: self.at)
            self.at += timedelta(seconds=1)

    @property
    def lag(self):
        return timedelta(seconds=self.seconds)

    @property
    def copy(self):
        return Customer.objects.get(uuid=self.uuid).first_name


@pytest.fixture
def late(service):
    late = LateService(service)
    late.change("before")
    late.pass_time(60)
    late.seconds = 3
    return late


def notice(late):
    """One change alone, whose second look finds the news."""
    late.change("first")
    late.pass_time(60)
    assert late.copy == "first"


def is_known_to_be_late():
    return heartbeat.last(f"late answers {Connection.objects.get().pk}") is not None


def test_two_changes_in_a_row_both_arrive(late):
    notice(late)

    late.change("second")
    late.pass_time(1)
    late.change("third")
    late.pass_time(30)

    assert late.copy == "third"


def test_a_change_soon_after_another_is_not_explained_by_it(late):
    late.change("first")
    late.pass_time(12)
    assert late.copy == "first"

    late.change("second")  # its first answer has no news, and the copy changed just now
    late.pass_time(30)

    assert late.copy == "second"


def test_the_look_after_an_event_is_less_urgent_and_one(late, service):
    notice(late)
    before = len(service.reads)

    late.change("second")
    late.pass_time(2)
    row = SyncRequest.objects.get()
    assert (row.state, row.confirms) == (SyncRequest.State.WAITING, 1)  # no news yet
    late.pass_time(120)

    assert late.copy == "second"
    # at the event, ten seconds later with the news, and the one after the news
    assert len(service.reads) - before == 3
    assert SyncRequest.objects.get().state == SyncRequest.State.SETTLED


def test_a_service_that_answers_at_once_is_read_once_for_each_event(late, service):
    late.seconds = 0
    for name in ("first", "second", "third"):
        before = len(service.reads)
        late.change(name)
        late.pass_time(60)
        assert (late.copy, len(service.reads) - before) == (name, 1)


def test_a_404_that_comes_back_does_not_prove_it(late, service):
    late.seconds = 0
    service.faults[late.uuid] = errors.NotFound(status=404)
    late.change("first")
    late.pass_time(5)
    service.faults.clear()
    late.pass_time(30)

    assert late.copy == "first"
    assert not is_known_to_be_late()


def test_news_a_minute_after_the_event_are_those_of_another_change(late):
    """And one more look after ten seconds would not find them."""
    late.seconds = 30
    late.change("first")
    late.pass_time(120)

    assert late.copy == "first"
    assert not is_known_to_be_late()


class TestModeration:
    """A record that is looked at every five minutes, because no event announces the result."""

    @pytest.fixture(autouse=True)
    def _looks(self, late, monkeypatch):
        every = timedelta(minutes=5)
        kind = replace(
            kinds.get("customer"),
            reread=lambda _row, now: NOW + every * ((now - NOW) // every + 1),
        )
        monkeypatch.setattr(kinds.KINDS, "entries", [kind])

    def test_it_works(self, late, service):
        late.seconds = 0
        late.change("sent")
        late.pass_time(60)
        before = len(service.reads)
        late.pass_time(30 * 60)

        assert len(service.reads) - before == 6
        late.names.append((late.at, "published"))
        late.pass_time(5 * 60)
        assert late.copy == "published"

    def test_a_late_service_does_not_make_them_less_urgent(self, late, service):
        notice(late)
        late.change("sent")
        late.pass_time(60)

        assert SyncRequest.objects.get().priority == Priority.EVENT
        before = len(service.reads)
        late.pass_time(30 * 60)
        assert len(service.reads) - before == 6

    @pytest.mark.parametrize("late_for", [0, 3])
    def test_an_event_without_news_does_not_end_them(self, late, service, late_for):
        if late_for:
            notice(late)
        late.seconds = late_for
        late.pass_time(60)
        late.change(late.copy)
        late.pass_time(10 * 60)  # the three looks for its news
        before = len(service.reads)
        late.pass_time(30 * 60)

        assert len(service.reads) - before == 6


def test_what_was_noticed_of_one_account_is_not_believed_of_another(late):
    notice(late)
    connection = Connection.objects.get()

    assert is_known_to_be_late()
    assert not heartbeat.last(f"late answers {connection.pk + 1}")


def test_it_is_forgotten_after_a_day(late, service):
    notice(late)
    late.seconds, late.at = 0, late.at + timedelta(hours=25)
    before = len(service.reads)

    late.change("second")
    late.pass_time(60)

    assert (late.copy, len(service.reads) - before) == ("second", 1)

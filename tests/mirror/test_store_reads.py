"""From answers to rows: what is stored, announced and requested next."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace
from uuid import uuid4

import pytest
from django.db import OperationalError

from customers.models import Customer
from live.models import Announcement, LatencySample
from mirror import kinds
from mirror.kinds import EntityLocation, EntityRef
from mirror.models import Change, Drift, Job, Priority, Slice, SyncRequest
from mirror.queue import parked, store, sync_requests
from mirror.queue.store import ReadResult
from partner import errors
from partner.http.protocol import DriftItem
from tests.mirror.made_up_kind import FRIEND, build, related

NOW = datetime(2026, 11, 20, 19, 0, tzinfo=UTC)
LONG_AFTER = NOW + timedelta(hours=1)


@pytest.fixture
def kind(monkeypatch):
    kind = kinds.Kind(
        name="customer",
        model=Customer,
        fetch=lambda client, uuid: None,
        build=build,
        is_of_group=True,
        list=lambda *_args: iter(()),
        related=related,
        change_labels={"first_name": "first name"},
        reread=lambda row, now: LONG_AFTER if row.first_name == "Moderated" else None,
    )
    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    return kind


@pytest.fixture
def answer_for(harbour, kind):
    def answer(name="Maria", *, at=NOW, drift=(), **payload):
        payload = {"firstName": name, **payload}
        return SimpleNamespace(
            raw=json.dumps(payload), payload=payload, drift=drift, started_at=at, group=harbour
        )

    return answer


def ask(uuid=None, *, priority=Priority.EVENT, now=NOW, requested_at=None):
    uuid = uuid or uuid4()
    ref = EntityRef("customer", uuid, EntityLocation())
    sync_requests.request([ref], priority=priority, now=now, requested_at=requested_at)
    [claimed] = sync_requests.claim(limit=1, now=now)
    return claimed


def read(uuid, answer, *, now=NOW, priority=Priority.EVENT):
    claimed = ask(uuid, priority=priority, now=now)
    store.settle([ReadResult(claimed, answer=answer)], now=now)
    return SyncRequest.objects.get(pk=claimed.pk)


def test_it_works(answer_for):
    uuid = uuid4()
    row = read(uuid, answer_for("Maria"))

    customer = Customer.objects.get(uuid=uuid)
    assert (customer.first_name, customer.version, customer.read_at) == ("Maria", 1, NOW)
    assert row.state == SyncRequest.State.SETTLED


def test_it_keeps_the_answer_to_the_letter(answer_for):
    uuid, answer = uuid4(), answer_for()
    answer.raw = '{"firstName":  "Maria", "new": 1.50}'
    read(uuid, answer)

    assert Customer.objects.get(uuid=uuid).raw == answer.raw


def test_a_difference_is_a_new_version_and_a_line_of_the_history(answer_for):
    uuid = uuid4()
    read(uuid, answer_for("Maria"))
    read(uuid, answer_for("Mary"), now=LONG_AFTER)

    customer = Customer.objects.get(uuid=uuid)
    [change] = Change.objects.all()
    assert (customer.version, customer.first_seen_at, customer.changed_at) == (2, NOW, LONG_AFTER)
    assert (change.field, change.before, change.after) == ("first_name", "Maria", "Mary")


def test_the_same_answer_again_changes_only_the_time_of_reading(answer_for):
    uuid = uuid4()
    read(uuid, answer_for())
    read(uuid, answer_for(at=LONG_AFTER), now=LONG_AFTER)

    customer = Customer.objects.get(uuid=uuid)
    assert (customer.version, customer.read_at, customer.changed_at) == (1, LONG_AFTER, NOW)
    assert not Change.objects.exists()


def test_a_slow_old_answer_never_overwrites_a_newer_one(answer_for):
    uuid = uuid4()
    slow = ask(uuid)
    SyncRequest.objects.update(state=SyncRequest.State.WAITING)
    [quick] = sync_requests.claim(limit=1, now=NOW)
    store.settle([ReadResult(quick, answer=answer_for("New"))], now=NOW)
    store.settle([ReadResult(slow, answer=answer_for("Old"))], now=NOW)

    assert Customer.objects.get(uuid=uuid).first_name == "New"


def test_an_unchanged_newer_read_also_bars_an_older_one(answer_for):
    uuid = uuid4()
    read(uuid, answer_for("Same"))
    slow = ask(uuid, now=LONG_AFTER)
    SyncRequest.objects.update(state=SyncRequest.State.WAITING)
    [quick] = sync_requests.claim(limit=1, now=LONG_AFTER)
    store.settle([ReadResult(quick, answer=answer_for("Same"))], now=LONG_AFTER)
    store.settle([ReadResult(slow, answer=answer_for("Old"))], now=LONG_AFTER)

    assert Customer.objects.get(uuid=uuid).first_name == "Same"


def test_a_slow_old_404_never_marks_a_newer_copy_gone(answer_for):
    uuid = uuid4()
    slow = ask(uuid)
    SyncRequest.objects.update(state=SyncRequest.State.WAITING)
    [quick] = sync_requests.claim(limit=1, now=NOW)
    store.settle([ReadResult(quick, answer=answer_for("Back"))], now=NOW)
    believed = replace(slow, confirms=1)
    store.settle([ReadResult(believed, error=errors.NotFound(status=404))], now=NOW)

    customer = Customer.objects.get(uuid=uuid)
    assert (customer.presence, customer.fetch_no) == ("present", quick.fetch_no)


def test_a_request_during_the_read_causes_one_more(answer_for):
    uuid = uuid4()
    claimed = ask(uuid)
    sync_requests.request(
        [EntityRef("customer", uuid, EntityLocation())], priority=Priority.EVENT, now=NOW
    )
    store.settle([ReadResult(claimed, answer=answer_for())], now=NOW)

    assert not sync_requests.claim(limit=9, now=NOW)
    assert len(sync_requests.claim(limit=9, now=NOW + sync_requests.SPACING)) == 1


def test_requests_during_the_read_are_as_old_as_the_first_of_them(answer_for):
    claimed = ask()
    during = [NOW + timedelta(seconds=second) for second in (1, 2)]
    for now in during:
        sync_requests.request(
            [EntityRef("customer", claimed.uuid, EntityLocation())],
            priority=Priority.EVENT,
            now=now,
        )
    store.settle([ReadResult(claimed, answer=answer_for())], now=during[-1])

    [next_one] = sync_requests.claim(limit=1, now=LONG_AFTER)
    assert (claimed.requested_at, next_one.requested_at) == (NOW, during[0])


def test_a_request_is_as_old_as_it_is_after_a_read_that_failed(answer_for):
    claimed = ask()
    later = NOW + timedelta(seconds=1)
    sync_requests.request(
        [EntityRef("customer", claimed.uuid, EntityLocation())], priority=Priority.EVENT, now=later
    )
    store.settle([ReadResult(claimed, error=errors.Unavailable(status=503))], now=later)

    assert SyncRequest.objects.get().requested_at == NOW


def test_a_person_does_not_wait_for_the_spacing(answer_for):
    claimed = ask()
    sync_requests.request(
        [EntityRef("customer", claimed.uuid, EntityLocation())], priority=Priority.PERSON, now=NOW
    )
    store.settle([ReadResult(claimed, answer=answer_for())], now=NOW)

    assert len(sync_requests.claim(limit=9, now=NOW)) == 1


def test_it_tells_open_screens(answer_for, harbour):
    uuid = uuid4()
    read(uuid, answer_for())

    [line] = Announcement.objects.all()
    assert (line.kind, line.uuid, line.version, line.group_id) == ("customer", uuid, 1, harbour.pk)


def test_a_backfill_tells_screens_once_per_place(answer_for):
    for _ in range(3):
        sync_requests.request(
            [EntityRef("customer", uuid4(), EntityLocation())], priority=Priority.BACKFILL, now=NOW
        )
    claims = sync_requests.claim(limit=9, now=NOW)
    store.settle([ReadResult(c, answer=answer_for()) for c in claims], now=NOW)

    assert [line.uuid for line in Announcement.objects.all()] == [store.EVERYTHING]


def test_it_notes_the_way_of_a_change_that_an_event_announced(answer_for):
    claimed = ask(requested_at=NOW - timedelta(seconds=2))
    fetched = NOW - timedelta(milliseconds=3)
    store.settle([ReadResult(claimed, answer=answer_for(), fetched_at=fetched)], now=NOW)

    sample = LatencySample.objects.get()
    assert (sample.received_at, sample.fetched_at, sample.stored_at) == (
        claimed.requested_at,
        fetched,
        NOW,
    )


def test_it_notes_no_way_for_a_backfill(answer_for):
    read(uuid4(), answer_for(), priority=Priority.BACKFILL)

    assert not LatencySample.objects.exists()


def test_it_asks_for_what_the_answer_names(answer_for):
    read(uuid4(), answer_for("Host"))

    [claimed] = sync_requests.claim(limit=9, now=NOW)
    assert claimed.uuid == FRIEND


def test_it_looks_again_when_no_event_will_tell(answer_for):
    row = read(uuid4(), answer_for("Moderated"))

    assert (row.state, row.not_before) == (SyncRequest.State.WAITING, LONG_AFTER)
    assert row.served == row.request_count


def test_a_request_during_the_read_does_not_wait_for_a_later_look(answer_for):
    claimed = ask()
    sync_requests.request(
        [EntityRef("customer", claimed.uuid, EntityLocation())], priority=Priority.EVENT, now=NOW
    )
    store.settle([ReadResult(claimed, answer=answer_for("Moderated"))], now=NOW)

    row = SyncRequest.objects.get()
    assert (row.state, row.not_before) == (SyncRequest.State.WAITING, NOW + sync_requests.SPACING)


def test_a_request_during_the_read_lifts_a_row_out_of_parking(answer_for):
    claimed = ask()
    sync_requests.request(
        [EntityRef("customer", claimed.uuid, EntityLocation())], priority=Priority.EVENT, now=NOW
    )
    store.settle([ReadResult(claimed, error=errors.NotOurs(status=401))], now=NOW)

    assert SyncRequest.objects.get().state == SyncRequest.State.WAITING


def test_an_event_without_news_is_looked_at_again(answer_for):
    uuid = uuid4()
    read(uuid, answer_for())
    row = read(uuid, answer_for(), now=LONG_AFTER)

    assert (row.state, row.confirms) == (SyncRequest.State.WAITING, 1)


def test_a_recent_change_explains_an_event_without_news(answer_for):
    uuid = uuid4()
    read(uuid, answer_for())
    row = read(uuid, answer_for(), now=NOW + timedelta(seconds=5))

    assert row.state == SyncRequest.State.SETTLED


def test_a_404_that_stays_marks_the_copy_and_keeps_it(answer_for):
    uuid = uuid4()
    read(uuid, answer_for("Maria"))
    for seconds in (60, 120):
        now = NOW + timedelta(seconds=seconds)
        sync_requests.request(
            [EntityRef("customer", uuid, EntityLocation())], priority=Priority.SWEEP, now=now
        )
        SyncRequest.objects.update(confirms=seconds // 60 - 1)
        [claimed] = sync_requests.claim(limit=1, now=now)
        store.settle([ReadResult(claimed, error=errors.NotFound(status=404))], now=now)

    customer = Customer.objects.get(uuid=uuid)
    assert (customer.presence, customer.first_name) == ("gone", "Maria")


def test_what_comes_back_is_present_again(answer_for):
    uuid = uuid4()
    read(uuid, answer_for())
    Customer.objects.update(presence="gone")
    read(uuid, answer_for(), now=LONG_AFTER)

    assert Customer.objects.get(uuid=uuid).presence == "present"


def test_what_was_erased_here_stays_erased(answer_for):
    uuid = uuid4()
    read(uuid, answer_for())
    Customer.objects.update(presence="erased", first_name="", raw="")
    read(uuid, answer_for("Maria"), now=LONG_AFTER)

    assert Customer.objects.get(uuid=uuid).first_name == ""


def test_what_belongs_to_nobody_here_is_parked_with_its_answer(answer_for):
    row = read(uuid4(), answer_for("Maria", group="unknown"))

    assert (row.state, row.problem) == (SyncRequest.State.PARKED, "unplaced")
    assert "Maria" in row.evidence


@pytest.mark.parametrize("spoilt", ["started_at", "payload"])
def test_one_row_that_cannot_be_stored_does_not_hold_up_its_neighbours(answer_for, spoilt):
    """The database refuses a row without the one; without the other the program fails."""
    good, bad = ask(), ask()
    faulty = answer_for("x")
    setattr(faulty, spoilt, None)
    store.settle([ReadResult(bad, answer=faulty), ReadResult(good, answer=answer_for())], now=NOW)

    assert Customer.objects.filter(uuid=good.uuid).exists()
    assert SyncRequest.objects.get(pk=bad.pk).problem == "unstorable"
    assert parked.retry_passing(now=NOW) == 0
    assert parked.retry_passing(now=NOW + sync_requests.PARKED_AGAIN) == 1


@pytest.mark.parametrize("fault", ["deadlock detected", "database is locked"])
def test_a_fault_of_the_database_that_passes_only_delays_a_row(
    answer_for, kind, monkeypatch, fault
):
    def fail(_rows, _now):
        raise OperationalError(fault)

    monkeypatch.setattr(kinds.KINDS, "entries", [replace(kind, stored=fail)])
    row = read(uuid4(), answer_for())
    assert (row.state, row.problem, row.attempts) == (SyncRequest.State.WAITING, "unstored", 1)
    assert row.served < row.request_count

    monkeypatch.setattr(kinds.KINDS, "entries", [kind])
    [claimed] = sync_requests.claim(limit=1, now=LONG_AFTER)
    store.settle([ReadResult(claimed, answer=answer_for())], now=LONG_AFTER)
    assert Customer.objects.filter(uuid=row.uuid).exists()


def test_unknown_fields_are_counted(answer_for):
    for _ in range(2):
        read(uuid4(), answer_for(drift=(DriftItem("unknown field", "shoeSize"),)))

    [drift] = Drift.objects.all()
    assert (drift.finding, drift.count) == ("unknown field: shoeSize", 2)


def test_a_lost_lease_closes_nothing(answer_for):
    claimed = ask()
    SyncRequest.objects.update(fetch_no=claimed.fetch_no + 1)
    store.settle([ReadResult(claimed, answer=answer_for())], now=NOW)

    assert SyncRequest.objects.get(pk=claimed.pk).state == SyncRequest.State.WORKING
    assert Customer.objects.filter(uuid=claimed.uuid).exists()


def test_a_sweep_counts_what_it_repaired(answer_for):
    job = make_slice().job
    uuid = uuid4()
    sync_requests.request(
        [EntityRef("customer", uuid, EntityLocation())],
        priority=Priority.SWEEP,
        now=NOW,
        slice_id=job.slices.get().pk,
    )
    [claimed] = sync_requests.claim(limit=1, now=NOW)
    store.settle([ReadResult(claimed, answer=answer_for())], now=NOW)

    assert job.slices.get().repaired == 1


def make_slice():
    job = Job.objects.create(purpose="sweep", since=NOW, until=NOW, started_at=NOW)
    return Slice.objects.create(
        job=job, position=0, kind="customer", since=NOW, until=NOW, by="", not_before=NOW
    )


def test_a_batch_costs_a_fixed_number_of_queries(answer_for, django_assert_max_num_queries):
    claims = [ask() for _ in range(40)]
    results = [ReadResult(c, answer=answer_for(str(n))) for n, c in enumerate(claims)]

    with django_assert_max_num_queries(16):
        store.settle(results, now=NOW)
